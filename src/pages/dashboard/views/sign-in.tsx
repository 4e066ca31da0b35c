/** Signing in with the operator's token. */
import { useState } from 'preact/hooks';
import { signIn } from '../../app/api.ts';
import { useAction } from '../../app/hooks.ts';
import { Heading } from '../../app/parts/heading.tsx';
import { Logo } from '../../app/parts/logo.tsx';
import { FailureNote } from '../../app/parts/notes.tsx';

interface SignInProps {
  /** Why the operator is here, where it is not their first step. */
  readonly reason: string | undefined;
  readonly done: () => void;
}

export function SignIn({ reason, done }: SignInProps) {
  const [token, setToken] = useState('');
  const { isBusy, failure, run } = useAction();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await run(async () => void (await signIn('/session', { token: token.trim() })))) done();
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <p class="home">
          <Logo />
        </p>
        <Heading title="Sign in" />
        {reason !== undefined && (
          <p class="note" role="status">
            {reason}
          </p>
        )}
        <label class="field">
          <span class="label">Operator token</span>
          <input
            type="password"
            name="token"
            autocomplete="current-password"
            required
            maxLength={1_000}
            value={token}
            aria-describedby="token-hint"
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <p class="faint" id="token-hint">
          What <code>OPERATOR_TOKEN</code> says; where that is not set, the file <code>operator-token</code>{' '}
          in the data folder of the service (<code>.platen</code> unless <code>DATA_DIR</code> names another).
        </p>
        {failure && <FailureNote failure={failure} />}
        <button type="submit" class="button primary" disabled={isBusy || token.trim() === ''}>
          {isBusy ? 'One moment …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
