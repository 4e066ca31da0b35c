/** The operator's pages. */
import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Failure, onSessionEnd, resume, signOut } from '../app/api.ts';
import { Heading } from '../app/parts/heading.tsx';
import { FailureNote } from '../app/parts/notes.tsx';
import { followLinks, HOME, type Place, placeOf, useUrl } from '../app/router.ts';
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
import { Overview } from './views/overview.tsx';
import { SignIn } from './views/sign-in.tsx';

type State =
  | { readonly is: 'resuming' }
  | { readonly is: 'unreachable'; readonly failure: Failure }
  | { readonly is: 'out'; readonly reason?: string }
  | { readonly is: 'in' };

const SESSION_ENDED =
  'Your session has ended: it lasts 30 minutes without use, and 12 hours at most. Sign in again to go on where you were.';
const root = byId('dashboard', HTMLElement);

function Dashboard() {
  // The page says whether the browser has a cookie, which scripts cannot see.
  const [state, setState] = useState<State>({ is: root.dataset.cookie === 'yes' ? 'resuming' : 'out' });

  useEffect(() => {
    onSessionEnd(() => setState({ is: 'out', reason: SESSION_ENDED }));
  }, []);
  useEffect(() => {
    if (state.is !== 'resuming') return;
    resume().then(
      () => setState({ is: 'in' }),
      (failure) => {
        // Those that say that there is no session have led to the sign-in already.
        if (failure instanceof Failure && failure.code !== 'MISSING_AUTH')
          setState({ is: 'unreachable', failure });
      },
    );
  }, [state]);

  if (state.is === 'in') return <SignedIn leave={(reason) => setState({ is: 'out', reason })} />;
  if (state.is === 'out') return <SignIn reason={state.reason} done={() => setState({ is: 'in' })} />;
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

function SignedIn({ leave }: { leave: (reason: string) => void }) {
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
    <Frame live={live} section={place.parts[0] ?? ''} signOut={end}>
      {failure && <FailureNote failure={failure} />}
      <View place={place} live={live} key={url} />
    </Frame>
  );
}

function View({ place: { parts, query }, live }: { place: Place; live: Live }) {
  const [section, id, ...others] = parts;
  if (others.length === 0 && id !== undefined) {
    if (section === 'accounts') return <Account id={id} />;
    if (section === 'keys' && id === 'new') return <NewKey account={query.get('account') ?? ''} />;
    if (section === 'keys') return <Key id={id} />;
    if (section === 'requests') return <Request id={id} />;
    if (section === 'jobs') return <Job id={id} />;
  } else if (others.length === 0) {
    if (section === undefined) return <Overview live={live} />;
    if (section === 'accounts') return <Accounts search={query.get('search') ?? ''} />;
    if (section === 'keys') return <Keys pasted={query.get('pasted')} ending={query.get('ending') ?? ''} />;
    if (section === 'maintenance') return <Maintenance live={live} />;
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

followLinks();
render(<Dashboard />, root);
