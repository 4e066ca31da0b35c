/** What the forms of the console and of the dashboard to sign in have in common. */
import type { ComponentChildren } from 'preact';
import type { Action } from '../hooks.ts';
import { Heading } from '../parts/heading.tsx';
import { Logo } from '../parts/logo.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { ways } from '../place.ts';
import { goToProvider } from './oidc.ts';
import { ProviderButton } from './provider-button.tsx';

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
    <main class="sign-in">
      <form class="card" onSubmit={onSubmit}>
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
        {children}
      </form>
    </main>
  );
}
