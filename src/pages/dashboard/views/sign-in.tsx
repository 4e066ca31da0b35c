/** Signing in: with a passkey, at the identity provider, or with the operator's token. */
import { useState } from 'preact/hooks';
import { signIn } from '../../app/api.ts';
import type { Session } from '../../app/api-types.ts';
import { useAction } from '../../app/hooks.ts';
import { Heading } from '../../app/parts/heading.tsx';
import { Logo } from '../../app/parts/logo.tsx';
import { FailureNote } from '../../app/parts/notes.tsx';
import { ways } from '../../app/place.ts';
import { goToProvider } from '../../app/sign-in/oidc.ts';
import { signInWithPasskey } from '../../app/sign-in/passkeys.ts';
import { ProviderButton } from '../../app/sign-in/provider-button.tsx';
import type { SignInProps } from '../../app/sign-in/session-gate.tsx';

export function SignIn({ reason, done }: SignInProps<Session>) {
  const [token, setToken] = useState('');
  const { isBusy, failure, run } = useAction();
  const enter = (begin: () => Promise<Session>) => run(async () => done(await begin()));
  const submit = (event: Event) => {
    event.preventDefault();
    void enter(() => signIn<Session>('/session', { token: token.trim() }));
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
        {failure && <FailureNote failure={failure} />}
        {ways.provider && <ProviderButton isBusy={isBusy} go={() => void run(goToProvider)} />}
        {ways.passkey && (
          <button
            type="button"
            class="button primary"
            disabled={isBusy}
            onClick={() => void enter(() => signInWithPasskey<Session>('/sign-in/session'))}
          >
            Sign in with a passkey
          </button>
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
          For the first start. What <code>OPERATOR_TOKEN</code> says; where that is not set, the file{' '}
          <code>operator-token</code> in the data folder of the service (<code>.platen</code> unless{' '}
          <code>DATA_DIR</code> names another).
        </p>
        <button type="submit" class="button" disabled={isBusy || token.trim() === ''}>
          {isBusy ? 'One moment …' : 'Sign in with the token'}
        </button>
      </form>
    </main>
  );
}
