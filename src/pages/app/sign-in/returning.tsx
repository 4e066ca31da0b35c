/** Coming back from the identity provider. */
import { useEffect, useState } from 'preact/hooks';
import type { WithToken } from '../api.ts';
import type { OidcChoices } from '../api-types.ts';
import { useAction } from '../hooks.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { roleTexts } from '../views/account-members.tsx';
import { chooseAccount, signInByProvider } from './oidc.ts';
import { SignInFrame } from './sign-in-card.tsx';

interface ReturningProps<Session> {
  /** What the provider sent. */
  readonly query: string;
  readonly done: (session: Session) => void;
  /** Begins anew. */
  readonly again: () => void;
}

export function Returning<Session extends WithToken>({ query, done, again }: ReturningProps<Session>) {
  const { isBusy, failure, run } = useAction();
  const [choices, choose] = useState<OidcChoices['accounts']>();
  useEffect(() => {
    void run(async () => {
      const answer = await signInByProvider<Session>(query);
      if ('accounts' in answer) choose(answer.accounts);
      else done(answer);
    });
  }, []);
  return (
    <SignInFrame title={choices && !failure ? 'Choose an account' : 'Sign in'}>
      {failure && <FailureNote failure={failure} />}
      {failure && <Button text="Sign in again" look="primary" act={again} />}
      {!choices && !failure && <p class="faint">Loading …</p>}
      {!failure &&
        choices?.map(({ id, name, role, isNew }) => (
          <button
            key={id}
            type="button"
            class="button"
            disabled={isBusy}
            onClick={() => run(async () => done(await chooseAccount<Session>(id)))}
          >
            {isNew ? `Join ${name}` : name}, {roleTexts[role]}
          </button>
        ))}
    </SignInFrame>
  );
}
