/** Signing in: with a passkey, which says by itself who it is of, or at the identity provider. */
import type { ConsoleSession } from '../app/api-types.ts';
import { useAction } from '../app/hooks.ts';
import { Submit } from '../app/parts/button.tsx';
import { ways } from '../app/place.ts';
import { signInWithPasskey } from '../app/sign-in/passkeys.ts';
import type { SignInProps } from '../app/sign-in/session-gate.tsx';
import { SignInCard } from '../app/sign-in/sign-in-card.tsx';

export function SignIn({ reason, done }: SignInProps<ConsoleSession>) {
  const action = useAction();
  const submit = () => action.run(async () => done(await signInWithPasskey<ConsoleSession>('/session')));
  return (
    <SignInCard {...action} reason={reason} submit={submit}>
      {ways.passkey && (
        <>
          <p>With the passkey that you made when you were invited. There is no password.</p>
          <Submit text="Sign in with a passkey" isBusy={action.isBusy} />
          <p class="faint">Lost it? An owner of your account, or your operator, can make a new link.</p>
        </>
      )}
    </SignInCard>
  );
}
