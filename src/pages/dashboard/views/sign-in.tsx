/** Signing in: with a passkey, at the identity provider, or with the operator's token. */
import { useState } from 'preact/hooks';
import { signIn } from '../../app/api.ts';
import type { Session } from '../../app/api-types.ts';
import { useAction } from '../../app/hooks.ts';
import { Button, Submit } from '../../app/parts/button.tsx';
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
        <Button
          text="Sign in with a passkey"
          look="primary"
          isBusy={action.isBusy}
          act={() => void enter(() => signInWithPasskey<Session>('/sign-in/session'))}
        />
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
      <Submit text="Sign in with the token" look="" isBusy={action.isBusy} isReady={token.trim() !== ''} />
    </SignInCard>
  );
}
