/** The way into the console and the dashboard: a session, the sign-in, an invitation, or the answer of an identity provider. */
import type { ComponentChild, ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, onSessionEnd, renew, resume, signOut, type WithToken } from '../api.ts';
import { useAction } from '../hooks.ts';
import { FailureNote } from '../parts/notes.tsx';
import { tokenOfInvitation } from './invitation.ts';
import { Invite, type Open } from './invite.tsx';
import { answerOfProvider } from './oidc.ts';
import { Returning } from './returning.tsx';

type State<Session> =
  | { readonly is: 'invited'; readonly token: string }
  | { readonly is: 'returning'; readonly query: string }
  | { readonly is: 'resuming' }
  | { readonly is: 'unreachable'; readonly failure: Failure }
  | { readonly is: 'out'; readonly reason?: string }
  | { readonly is: 'in'; readonly session: Session };

const SESSION_ENDED =
  'Your session has ended: it lasts 30 minutes without use, and 12 hours at most. Sign in again to continue where you were.';
const SESSION_REPLACED =
  'Another tab of this browser signed in as somebody else, which ended your session here. Nothing was changed. Sign in again to continue where you were.';

export interface SignedInProps<Session> {
  readonly session: Session;
  readonly leave: (reason: string) => void;
  /** Reads the session anew. */
  readonly refresh: () => void;
}

export interface SignInProps<Session> {
  /** Why the person has to sign in again. */
  readonly reason: string | undefined;
  readonly done: (session: Session) => void;
}

interface SessionGateProps<Invitation, Session> {
  /** Says whether the browser has a session's cookie, which scripts cannot see. */
  readonly root: HTMLElement;
  readonly signIn: ComponentType<SignInProps<Session>>;
  /** Who invites whom, and as what. */
  readonly invited: (invitation: Invitation) => ComponentChildren;
  readonly children: (props: SignedInProps<Session>) => ComponentChild;
}

export function SessionGate<Invitation extends Open, Session extends WithToken>({
  root,
  signIn: SignIn,
  invited,
  children,
}: SessionGateProps<Invitation, Session>) {
  const [state, setState] = useState<State<Session>>(() => {
    const token = tokenOfInvitation();
    if (token !== undefined) return { is: 'invited', token };
    const answer = answerOfProvider();
    if (answer !== undefined) return { is: 'returning', query: answer };
    return { is: root.dataset.cookie === 'yes' ? 'resuming' : 'out' };
  });

  useEffect(() => {
    onSessionEnd((isReplaced) =>
      setState({ is: 'out', reason: isReplaced ? SESSION_REPLACED : SESSION_ENDED }),
    );
  }, []);
  useEffect(() => {
    if (state.is !== 'resuming') return;
    resume<Session>().then(enter, (failure) => {
      // Those that say that there is no session have led to the sign-in already.
      if (failure instanceof Failure && failure.code !== 'MISSING_AUTH')
        setState({ is: 'unreachable', failure });
    });
  }, [state]);

  const enter = (session: Session) => setState({ is: 'in', session });
  const again = () => setState({ is: 'resuming' });
  // The page stays, with what was typed into it. Its own requests report a failure.
  const refresh = () => void renew<Session>().then(enter, () => {});
  if (state.is === 'in') {
    return children({
      session: state.session,
      leave: (reason) => setState({ is: 'out', reason }),
      refresh,
    });
  }
  if (state.is === 'invited') return <Invite token={state.token} done={enter} text={invited} />;
  if (state.is === 'returning') {
    return <Returning query={state.query} done={enter} again={() => setState({ is: 'out' })} />;
  }
  if (state.is === 'out') return <SignIn reason={state.reason} done={enter} />;
  return (
    <main>
      {state.is === 'unreachable' ? (
        <FailureNote failure={state.failure} retry={again} />
      ) : (
        <p class="faint">Loading …</p>
      )}
    </main>
  );
}

/** Signs out. `failure` says why that did not work. */
export function useSignOut(leave: (reason: string) => void) {
  const { failure, run } = useAction();
  const end = () =>
    run(async () => {
      await signOut();
      leave('You have signed out.');
    });
  return { failure, end };
}
