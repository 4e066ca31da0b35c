/** What the pages of the console and of the dashboard to sign in have in common. */
import type { ComponentChildren } from 'preact';
import type { Action } from '../hooks.ts';
import { Heading } from '../parts/heading.tsx';
import { Logo } from '../parts/logo.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { ways } from '../place.ts';
import { goToProvider } from './oidc.ts';
import { ProviderButton } from './provider-button.tsx';

interface SignInFrameProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The card in the middle of a page where nobody is signed in. */
export function SignInFrame({ title, children }: SignInFrameProps) {
  return (
    <main class="sign-in">
      <div class="card">
        <p class="home">
          <Logo />
        </p>
        <Heading title={title} />
        {children}
      </div>
    </main>
  );
}

interface SignInCardProps extends Action {
  /** Why the person has to sign in again. */
  readonly reason: string | undefined;
  readonly submit: () => void;
  readonly children: ComponentChildren;
}

export function SignInCard({ reason, submit, children, isBusy, failure, run }: SignInCardProps) {
  const onSubmit = (event: Event) => {
    event.preventDefault();
    submit();
  };
  return (
    <SignInFrame title="Sign in">
      <form onSubmit={onSubmit}>
        {reason !== undefined && (
          <p class="note" role="status">
            {reason}
          </p>
        )}
        {failure && <FailureNote failure={failure} />}
        {ways.provider && <ProviderButton isBusy={isBusy} go={() => run(goToProvider)} />}
        {children}
      </form>
    </SignInFrame>
  );
}
