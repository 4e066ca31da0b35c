/** The console: the pages of customers. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, onSessionEnd, resume, signOut } from '../app/api.ts';
import type { ConsoleSession, OpenInvitation } from '../app/api-types.ts';
import { Heading } from '../app/parts/heading.tsx';
import { FailureNote } from '../app/parts/notes.tsx';
import { followLinks, HOME, type Place, placeOf, useUrl } from '../app/router.ts';
import { tokenOfInvitation } from '../app/sign-in/invitation.ts';
import { Invite } from '../app/sign-in/invite.tsx';
import { answerOfProvider } from '../app/sign-in/oidc.ts';
import { Returning } from '../app/sign-in/returning.tsx';
import { roleTexts } from '../app/views/account-members.tsx';
import { Job } from '../app/views/job.tsx';
import { Key } from '../app/views/key.tsx';
import { NewKey } from '../app/views/new-key.tsx';
import { Request } from '../app/views/request.tsx';
import { You } from '../app/views/you.tsx';
import { byId } from '../elements.ts';
import { adviceOn, guideUrlOf, isCode } from './advice.ts';
import { Frame, mayOpen } from './frame.tsx';
import { type Me, meOf } from './me.ts';
import { SignIn } from './sign-in.tsx';
import { Audit } from './views/audit.tsx';
import { Documentation, type TestKey } from './views/documentation.tsx';
import { JobDeliveries } from './views/job-deliveries.tsx';
import { Jobs } from './views/jobs.tsx';
import { Keys } from './views/keys.tsx';
import { Members } from './views/members.tsx';
import { Overview } from './views/overview.tsx';
import { Requests } from './views/requests.tsx';
import { Settings } from './views/settings.tsx';
import { Usage } from './views/usage.tsx';
import { Webhook } from './views/webhook.tsx';

type State =
  | { readonly is: 'invited'; readonly token: string }
  | { readonly is: 'returning'; readonly query: string }
  | { readonly is: 'resuming' }
  | { readonly is: 'unreachable'; readonly failure: Failure }
  | { readonly is: 'out'; readonly reason?: string }
  | { readonly is: 'in'; readonly session: ConsoleSession };

const SESSION_ENDED =
  'Your session has ended: it lasts 30 minutes without use, and 12 hours at most. Sign in again to continue where you were.';
const root = byId('console', HTMLElement);

const token = tokenOfInvitation();
const answer = answerOfProvider();

function Console() {
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
    resume<ConsoleSession>().then(
      (session) => setState({ is: 'in', session }),
      (failure) => {
        // Those that say that there is no session have led to the sign-in already.
        if (failure instanceof Failure && failure.code !== 'MISSING_AUTH')
          setState({ is: 'unreachable', failure });
      },
    );
  }, [state]);

  const enter = (session: ConsoleSession) => setState({ is: 'in', session });
  if (state.is === 'in') {
    return (
      <SignedIn
        session={state.session}
        leave={(reason) => setState({ is: 'out', reason })}
        refresh={() => setState({ is: 'resuming' })}
      />
    );
  }
  if (state.is === 'invited') return <Invite token={state.token} done={enter} text={invitedBy} />;
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

interface SignedInProps {
  readonly session: ConsoleSession;
  readonly leave: (reason: string) => void;
  /** Reads the session anew. */
  readonly refresh: () => void;
}

function SignedIn({ session, leave, refresh }: SignedInProps) {
  const url = useUrl();
  const place = placeOf(url);
  const [failure, setFailure] = useState<Failure>();
  const [value, hold] = useState<string>();
  const me = meOf(session);
  const end = async () => {
    try {
      await signOut();
      leave('You have signed out.');
    } catch (error) {
      if (error instanceof Failure) setFailure(error);
    }
  };
  return (
    <Frame me={me} session={session} section={sectionOf(place)} signOut={end}>
      {failure && <FailureNote failure={failure} />}
      <View place={place} me={me} refresh={refresh} testKey={{ value, hold }} key={url} />
    </Frame>
  );
}

interface ViewProps {
  readonly place: Place;
  readonly me: Me;
  readonly refresh: () => void;
  readonly testKey: TestKey;
}

function View({ place, me, refresh, testKey }: ViewProps) {
  const { parts, query } = place;
  const [section, id, ...others] = parts;
  if (!mayOpen(me, sectionOf(place))) return <NotAllowed />;
  if (others.length === 0 && id !== undefined) {
    if (section === 'keys' && id === 'new') return <NewKey account={null} />;
    if (section === 'keys') return <Key id={id} isOwn />;
    if (section === 'jobs') {
      return (
        <Job id={id} isOwn>
          <JobDeliveries id={id} />
        </Job>
      );
    }
    if (section === 'webhooks') return <Webhook id={id} />;
    if (section === 'requests') return <Request id={id} advice={advice} />;
    if (section === 'docs') return <Documentation name={id} testKey={testKey} />;
  } else if (others.length === 0) {
    if (section === undefined) return <Overview me={me} />;
    if (section === 'keys') return <Keys pasted={query.get('pasted')} />;
    if (section === 'requests') return <Requests isUnknown={query.has('unknown')} />;
    if (section === 'jobs') return <Jobs />;
    if (section === 'usage') return <Usage me={me} />;
    if (section === 'members') return <Members me={me} />;
    if (section === 'audit') return <Audit />;
    if (section === 'docs') return <Documentation testKey={testKey} />;
    if (section === 'settings') return <Settings renamed={refresh} />;
    if (section === 'you') return <You />;
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

/** In which section of the navigation it is. */
function sectionOf({ parts: [first = ''] }: Place): string {
  return first === 'webhooks' ? 'jobs' : first;
}

/** The API would refuse it, too, but a form only after somebody has filled it in. */
function NotAllowed() {
  return (
    <main>
      <Heading title="Not for your role" />
      <p>Your role in this account does not allow this. Ask an owner.</p>
      <p>
        Go to the <a href={HOME}>overview</a>.
      </p>
    </main>
  );
}

function invitedBy({ account, email, role }: OpenInvitation) {
  return (
    <>
      <strong>{account}</strong> invites {email} as {roleTexts[role]}.
    </>
  );
}

/** What to do, and where more about it is. */
function advice(outcome: string) {
  return (
    <>
      {adviceOn(outcome)} {isCode(outcome) && <a href={guideUrlOf(outcome)}>More about {outcome}</a>}
    </>
  );
}

followLinks();
render(<Console />, root);
