/** /operator/v1: the operator API. */
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../../config.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { OperatorRole } from '../../members/member.ts';
import type { OidcSignIn } from '../../members/oidc.ts';
import type { SignIn } from '../../members/sign-in.ts';
import { operations } from '../../operations/operations.ts';
import type { OperationServices } from '../../operations/services.ts';
import type { Sessions } from '../../operator/sessions.ts';
import type { OperatorToken } from '../../system/operator-token.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { readQueryValues } from '../contract/query-values.ts';
import { addSchemas } from '../contract/responses.ts';
import { takeOnlyJson } from '../core/json-body.ts';
import { privateAnswers } from '../core/private-answers.ts';
import { operatorAuthentication } from './authentication.ts';
import { mount, operatorDoor } from './door.ts';
import { operatorHealthRoute } from './health.ts';
import { heartbeat } from './heartbeat.ts';
import { NOT_JSON } from './operation.ts';
import { operatorOperations } from './operations.ts';
import { overviewRoutes } from './overview.ts';
import { OverviewFeed } from './overview-feed.ts';
import { ownRoutes } from './own.ts';
import { type OverviewSources, readOverview } from './read-overview.ts';
import { sessionRoutes, signInRoute } from './session.ts';
import { operatorSignInRoutes } from './sign-in.ts';

export interface OperatorApiOptions extends OverviewSources, OperationServices {
  readonly config: OverviewSources['config'] &
    OperationServices['config'] &
    Pick<Config, 'deliveryTimeoutMs'>;
  readonly operatorToken: OperatorToken;
  readonly sessions: Sessions;
  readonly operatorSignIn: SignIn<OperatorRole>;
  /** Undefined if there is no issuer. */
  readonly operatorOidc: OidcSignIn<OperatorRole> | undefined;
  /** Undefined if this server has no jobs. */
  readonly jobs: Jobs | undefined;
  readonly webhooks: Webhooks;
}

/** Register it in a scope that limits failed authentications. */
export const operatorApi: FastifyPluginAsync<OperatorApiOptions> = async (app, options) => {
  const { operatorToken: token, sessions, operators, audit, lifecycle } = options;
  const feed = new OverviewFeed(() => readOverview(options), app.log);
  addSchemas(app, operatorOperations);
  takeOnlyJson(app, NOT_JSON);
  readQueryValues(app);
  await app.register(privateAnswers);
  await app.register(heartbeat, { sources: options, servers: options.servers });

  await app.register(signInRoute, { token, sessions, audit });
  await app.register(operatorSignInRoutes, options);
  await app.register(async (scope) => {
    await scope.register(operatorAuthentication, { token, sessions, operators, audit });
    await scope.register(sessionRoutes, { sessions, audit });
    await scope.register(ownRoutes, options);
    await scope.register(overviewRoutes, { feed, sessions, operators, draining: lifecycle.draining });
    await scope.register(operatorHealthRoute, options);
    mount(scope, operatorDoor, operations, { ...options, feed });
  });
};
