/** Whether the operator is calling: every request in the scope that registers this plugin. */
import fp from 'fastify-plugin';
import { PlatenError } from '../errors.ts';
import { readBearer } from '../keys/bearer.ts';
import type { OperatorToken } from '../operator-token.ts';
import { limitFailures } from './authentication-limit.ts';
import { errorResponses } from './contract/responses.ts';

export interface OperatorAuthenticationOptions {
  readonly token: OperatorToken;
}

/** The scheme of the OpenAPI document, for the routes of such a scope. */
export const operatorSecurity = [{ operatorToken: [] }];
/** What every route of such a scope can answer instead. */
export const operatorErrors = errorResponses(['MISSING_AUTH', 'INVALID_API_KEY', 'RATE_LIMIT_EXCEEDED']);

/**
 * Needs no Redis for the operator, who has to see most while it is away. Failed attempts count together with those
 * of API keys.
 */
export const operatorAuthentication = fp<OperatorAuthenticationOptions>(
  async (app, { token }) => {
    app.addHook('onRequest', async (request) => {
      const { authorization = '' } = request.headers;
      if (authorization === '') {
        throw new PlatenError('MISSING_AUTH', {
          message: 'Send the operator token in the Authorization header: "Authorization: Bearer …".',
        });
      }
      if (isOperator(token, authorization)) return;
      await limitFailures(app, request);
      throw new PlatenError('INVALID_API_KEY', {
        message: 'This is not the operator token. See OPERATOR_TOKEN, or the file in the data folder.',
      });
    });
  },
  { name: 'operator-authentication', dependencies: ['errors', 'authentication-limit', 'redis-deadline'] },
);

function isOperator(token: OperatorToken, authorization: string): boolean {
  try {
    return token.matches(readBearer(authorization));
  } catch {
    return false;
  }
}
