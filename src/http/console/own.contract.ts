/** /account/v1/passkeys: a new passkey of a member. */
import { everyMember } from '../../operations/operation.ts';
import { addOperatorPasskey, startOperatorPasskey } from '../operator/own.contract.ts';
import { bySession, type ConsoleOperation, forMembers, notAcceptedErrors, ownErrors } from './operation.ts';

const ofSelf = <const Step extends ReturnType<typeof forMembers>>(step: Step) => ({
  ...step,
  roles: everyMember,
  own: true as const,
  schema: { ...step.schema, security: bySession },
});

export const startPasskey = ofSelf(
  forMembers(
    startOperatorPasskey,
    'startPasskey',
    { 200: startOperatorPasskey.schema.response[200], ...ownErrors },
    { description: 'Answer within five minutes.' },
  ),
) satisfies ConsoleOperation;

export const addPasskey = ofSelf(
  forMembers(addOperatorPasskey, 'addPasskey', {
    201: addOperatorPasskey.schema.response[201],
    ...ownErrors,
    ...notAcceptedErrors,
  }),
) satisfies ConsoleOperation;
