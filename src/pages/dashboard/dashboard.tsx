/** The operator's pages. */
import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Failure, onSessionEnd, resume, signOut } from '../app/api.ts';
import type { OpenOperatorInvitation, Session } from '../app/api-types.ts';
import { Heading } from '../app/parts/heading.tsx';
import { MayChange } from '../app/parts/may-change.tsx';
import { FailureNote } from '../app/parts/notes.tsx';
import { followLinks, HOME, type Place, placeOf, useUrl } from '../app/router.ts';
import { tokenOfInvitation } from '../app/sign-in/invitation.ts';
import { Invite } from '../app/sign-in/invite.tsx';
import { answerOfProvider } from '../app/sign-in/oidc.ts';
import { Returning } from '../app/sign-in/returning.tsx';
import { Job } from '../app/views/job.tsx';
import { Key } from '../app/views/key.tsx';
import { NewKey } from '../app/views/new-key.tsx';
import { Request } from '../app/views/request.tsx';
import { byId } from '../elements.ts';
import { Frame } from './frame.tsx';
import { type Live, useLive } from './live.ts';
import { Account } from './views/account.tsx';
import { Accounts } from './views/accounts.tsx';
import { Audit } from './views/audit.tsx';
import { Keys } from './views/keys.tsx';
import { Maintenance } from './views/maintenance.tsx';
import { Operators, roleTexts } from './views/operators.tsx';
import { Overview } from './views/overview.tsx';
import { SignIn } from './views/sign-in.tsx';
import { Yourself } from './views/yourself.tsx';

type State =
  | { readonly is: 'invited'; readonly token: string }
  | { readonly is: 'returning'; readonly query: string }
  | { readonly is: 'resuming' }
  | { readonly is: 'unreachable'; readonly failure: Failure }
  | { readonly is: 'out'; readonly reason?: string }
  | { readonly is: 'in'; readonly session: Session };

const SESSION_ENDED =
  'Your session has ended: it lasts 30 minutes without use, and 12 hours at most. Sign in again to continue where you were.';
const root = byId('dashboard', HTMLElement);

const token = tokenOfInvitation();
const answer = answerOfProvider();

function Dashboard() {
  const [state, setState] = useState<State>(() => {
    if (token !== undefined) return { is: 'invited', token };
    if (answer !== undefined) return { is: 'returning', query: answer };
    // The page says whether the browser has a cookie, which scripts cannot see.
    return { is: root.dataset.cookie === 'yes' ? 'resuming' : 'out' };
  });

  useEffect(() => {
    onSessionEnd(() => setState({ is: 'out', reason: SESSION_ENDED }));
  }, []);
  useEffect(() => {
    if (state.is !== 'resuming') return;
    resume<Session>().then(
      (session) => setState({ is: 'in', session }),
      (failure) => {
        // Those that say that there is no session have led to the sign-in already.
        if (failure instanceof Failure && failure.code !== 'MISSING_AUTH')
          setState({ is: 'unreachable', failure });
      },
    );
  }, [state]);

  const enter = (session: Session) => setState({ is: 'in', session });
  if (state.is === 'in') {
    return <SignedIn session={state.session} leave={(reason) => setState({ is: 'out', reason })} />;
  }
  if (state.is === 'invited') return <Invite token={state.token} done={enter} text={invited} />;
  if (state.is === 'returning') {
    return <Returning query={state.query} done={enter} again={() => setState({ is: 'out' })} />;
  }
  if (state.is === 'out') return <SignIn reason={state.reason} done={enter} />;
  return (
    <main>
      {state.is === 'unreachable' ? (
        <FailureNote failure={state.failure} retry={() => setState({ is: 'resuming' })} />
      ) : (
        <p class="faint">Loading …</p>
      )}
    </main>
  );
}

function invited({ email, role }: OpenOperatorInvitation) {
  return `You, ${email}, are invited to run this service as ${roleTexts[role]}.`;
}

interface SignedInProps {
  readonly session: Session;
  readonly leave: (reason: string) => void;
}

function SignedIn({ session, leave }: SignedInProps) {
  const url = useUrl();
  const place = placeOf(url);
  const [failure, setFailure] = useState<Failure>();
  const live = useLive(useCallback(() => leave(SESSION_ENDED), []));
  const end = async () => {
    try {
      await signOut();
      leave('You have signed out.');
    } catch (error) {
      if (error instanceof Failure) setFailure(error);
    }
  };
  return (
    <MayChange.Provider value={session.role === 'admin'}>
      <Frame live={live} section={place.parts[0] ?? ''} signOut={end}>
        {failure && <FailureNote failure={failure} />}
        <View place={place} live={live} session={session} key={url} />
      </Frame>
    </MayChange.Provider>
  );
}

interface ViewProps {
  readonly place: Place;
  readonly live: Live;
  readonly session: Session;
}

function View({ place: { parts, query }, live, session }: ViewProps) {
  const [section, id, ...others] = parts;
  if (others.length === 0 && id !== undefined) {
    if (section === 'accounts') return <Account id={id} />;
    if (section === 'keys' && id === 'new' && session.role === 'support') return <NotAllowed />;
    if (section === 'keys' && id === 'new') return <NewKey account={query.get('account') ?? ''} />;
    if (section === 'keys') return <Key id={id} />;
    if (section === 'requests') return <Request id={id} />;
    if (section === 'jobs') return <Job id={id} />;
  } else if (others.length === 0) {
    if (section === undefined) return <Overview live={live} />;
    if (section === 'accounts') return <Accounts search={query.get('search') ?? ''} />;
    if (section === 'keys') return <Keys pasted={query.get('pasted')} ending={query.get('ending') ?? ''} />;
    if (section === 'maintenance') return <Maintenance live={live} />;
    if (section === 'operators') return <Operators session={session} />;
    if (section === 'you') return <Yourself session={session} />;
    if (section === 'audit') return <Audit account={query.get('account') ?? ''} />;
  }
  return (
    <main>
      <Heading title="There is no such page" />
      <p>
        Go to the <a href={HOME}>overview</a>.
      </p>
    </main>
  );
}

function NotAllowed() {
  return (
    <main>
      <Heading title="Not for your role" />
      <p>
        Your role is support: it can read everything, but change nothing. Ask an operator with the role admin.
      </p>
    </main>
  );
}

followLinks();
render(<Dashboard />, root);
