/** Signing in: with a passkey, at the identity provider, or with the operator's token. */
import { useState } from 'preact/hooks';
import { signIn } from '../../app/api.ts';
import type { Session } from '../../app/api-types.ts';
import { useAction } from '../../app/hooks.ts';
import { ways } from '../../app/place.ts';
import { signInWithPasskey } from '../../app/sign-in/passkeys.ts';
import type { SignInProps } from '../../app/sign-in/session-gate.tsx';
import { SignInCard } from '../../app/sign-in/sign-in-card.tsx';

export function SignIn({ reason, done }: SignInProps<Session>) {
  const [token, setToken] = useState('');
  const action = useAction();
  const enter = (begin: () => Promise<Session>) => action.run(async () => done(await begin()));
  const submit = () => enter(() => signIn<Session>('/session', { token: token.trim() }));
  return (
    <SignInCard {...action} reason={reason} submit={submit}>
      {ways.passkey && (
        <button
          type="button"
          class="button primary"
          disabled={action.isBusy}
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
      <button type="submit" class="button" disabled={action.isBusy || token.trim() === ''}>
        {action.isBusy ? 'One moment …' : 'Sign in with the token'}
      </button>
    </SignInCard>
  );
}
