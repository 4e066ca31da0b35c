/** Signing in: with a passkey, which says by itself who it is of, or at the identity provider. */
import type { ConsoleSession } from '../app/api-types.ts';
import { useAction } from '../app/hooks.ts';
import { Heading } from '../app/parts/heading.tsx';
import { Logo } from '../app/parts/logo.tsx';
import { FailureNote } from '../app/parts/notes.tsx';
import { ways } from '../app/place.ts';
import { goToProvider } from '../app/sign-in/oidc.ts';
import { signInWithPasskey } from '../app/sign-in/passkeys.ts';
import { ProviderButton } from '../app/sign-in/provider-button.tsx';
import type { SignInProps } from '../app/sign-in/session-gate.tsx';

export function SignIn({ reason, done }: SignInProps<ConsoleSession>) {
  const { isBusy, failure, run } = useAction();
  const submit = async (event: Event) => {
    event.preventDefault();
    await run(async () => done(await signInWithPasskey<ConsoleSession>('/session')));
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
        {ways.provider && <ProviderButton isBusy={isBusy} go={() => run(goToProvider)} />}
        {ways.passkey && (
          <>
            <p>With the passkey that you made when you were invited. There is no password.</p>
            <button type="submit" class="button primary" disabled={isBusy}>
              {isBusy ? 'One moment …' : 'Sign in with a passkey'}
            </button>
            <p class="faint">Lost it? An owner of your account, or your operator, can make a new link.</p>
          </>
        )}
      </form>
    </main>
  );
}
