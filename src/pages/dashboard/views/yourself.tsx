/** Who is signed in to the dashboard, with their passkeys and sessions. */
import type { Session } from '../../app/api-types.ts';
import { MayChange } from '../../app/parts/may-change.tsx';
import { HOME } from '../../app/router.ts';
import { You } from '../../app/views/you.tsx';
import { roleTexts } from './operators.tsx';

/** What is one's own, one may change in every role. */
export function Yourself({ session: { operator } }: { session: Session }) {
  return (
    <MayChange.Provider value={true}>
      <You
        about={
          operator ? (
            <p>
              {operator.name}, {operator.email}. Your role is {roleTexts[operator.role]}.
            </p>
          ) : (
            <p>
              You signed in with the operator token, which has no name. To act under your name, invite
              yourself on the page <a href={`${HOME}/operators`}>Operators</a>.
            </p>
          )
        }
        hasPasskeys={operator !== null}
      />
    </MayChange.Provider>
  );
}
