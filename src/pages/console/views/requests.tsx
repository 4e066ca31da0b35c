/** The recent requests of the account. */
import { Heading } from '../../app/parts/heading.tsx';
import { AccountRequests } from '../../app/views/account-requests.tsx';

/** @param isUnknown whether something was searched that is no id. */
export function Requests({ isUnknown }: { isUnknown: boolean }) {
  return (
    <main>
      <Heading title="Requests" />
      {isUnknown && (
        <p class="note warn" role="status">
          That has no id of a request: “req_” and 32 digits and letters. Every answer has it as{' '}
          <code>X-Request-Id</code>, every error as <code>requestId</code>.
        </p>
      )}
      <AccountRequests path="" />
    </main>
  );
}
