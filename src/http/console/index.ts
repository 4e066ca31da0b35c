/** /account/v1: the API of the console, for members of accounts. */
import cookie from '@fastify/cookie';
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../../config.ts';
import { PlatenError } from '../../errors.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import type { OidcLogout } from '../../members/oidc-logout.ts';
import type { SignIn } from '../../members/sign-in.ts';
import { operations } from '../../operations/operations.ts';
import type { OperationServices } from '../../operations/services.ts';
import { addressLimit } from '../access/address-limit.ts';
import { authenticationLimit } from '../access/authentication-limit.ts';
import { readQueryValues } from '../contract/query-values.ts';
import { addSchemas } from '../contract/responses.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { privateAnswers } from '../core/private-answers.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { mount } from '../operator/door.ts';
import { NOT_JSON } from '../operator/operation.ts';
import { memberAuthentication } from './authentication.ts';
import { memberDoor } from './door.ts';
import { logoutRoute } from './oidc.ts';
import { consoleOperations } from './operations.ts';
import { sessionRoutes } from './session.ts';
import { signInRoutes } from './sign-in.ts';

interface ConsoleOptions extends OperationServices {
  readonly config: OperationServices['config'] & Pick<Config, 'deliveryTimeoutMs'>;
  readonly signIn: SignIn;
  /** Undefined if there is no issuer. */
  readonly oidc: OidcSignIn | undefined;
  readonly oidcLogout: OidcLogout | undefined;
  /** Failed authentications that one address may have in a minute. */
  readonly authFailuresPerMinute: number;
}

/** That one address may make. */
const CHANGES_PER_MINUTE = 120;

export const consoleApi: FastifyPluginAsync<ConsoleOptions> = async (app, options) => {
  const { redis, authFailuresPerMinute } = options;
  addSchemas(app, consoleOperations);
  await app.register(cookie);
  await app.register(authenticationLimit, { redis, perMinute: authFailuresPerMinute });
  takeOnlyJson(app, NOT_JSON);
  readQueryValues(app);
  await app.register(privateAnswers);
  await app.register(signInRoutes, options);
  await app.register(logoutRoute, options);
  await app.register(async (scope) => {
    await scope.register(memberAuthentication, options);
    const limit = await addressLimit(scope, {
      redis,
      name: 'console',
      max: CHANGES_PER_MINUTE,
      windowMs: 60_000,
    });
    scope.addHook('onRequest', async (request) => {
      if (request.method === 'GET' || request.method === 'HEAD') return;
      const retryAfter = await orUnavailable(limit(request), request.redisDeadline);
      if (retryAfter === undefined) return;
      const message = 'Too many changes came from your address. Wait for retryAfter seconds, then retry.';
      throw new PlatenError('RATE_LIMIT_EXCEEDED', { message, retryAfter, reason: 'console' });
    });
    await scope.register(sessionRoutes, options);
    mount(scope, memberDoor, operations, options);
  });
};
