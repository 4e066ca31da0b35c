/** Operations without a door. */
import type { TObject, TSchema } from 'typebox';
import type { Account } from '../../src/accounts/keys/records.ts';
import { type AccountPlace, type Input, type Operation, perform } from '../../src/operations/operation.ts';
import type { OperationServices } from '../../src/operations/services.ts';
import type { Actor } from '../../src/operator/audit-entry.ts';

/**
 * A function that runs operations for an actor, with what is sent.
 *
 * @param account that of a member; none for operators.
 */
export function operationsAs(services: OperationServices, actor: Actor, account?: Account) {
  return <
    Params extends TObject,
    Query extends TObject,
    Body extends TObject,
    Answer extends TSchema,
    Named extends AccountPlace | undefined,
  >(
    operation: Operation<Params, Query, Body, Answer, Named>,
    sent: Partial<Input<Params, Query, Body>> & { readonly account?: string } = {},
  ) =>
    perform(
      operation,
      services,
      { account, actor, role: account ? 'owner' : 'admin', port: null },
      { ...({ params: {}, query: {}, body: {} } as Input<Params, Query, Body>), ...sent },
    );
}
