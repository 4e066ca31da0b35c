/** The operator's pages. */
import { render } from 'preact';
import type { OpenOperatorInvitation, Session } from '../app/api-types.ts';
import { MayChange } from '../app/parts/may-change.tsx';
import { FailureNote } from '../app/parts/notes.tsx';
import { followLinks, type Place, placeOf, useUrl } from '../app/router.ts';
import { SessionGate, type SignedInProps, useSignOut } from '../app/sign-in/session-gate.tsx';
import { Job } from '../app/views/job.tsx';
import { Key } from '../app/views/key.tsx';
import { NewKey } from '../app/views/new-key.tsx';
import { NoView } from '../app/views/no-view.tsx';
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
import { Requests } from './views/requests.tsx';
import { SignIn } from './views/sign-in.tsx';
import { Yourself } from './views/yourself.tsx';

const root = byId('dashboard', HTMLElement);

function invited({ email, role }: OpenOperatorInvitation) {
  return `You, ${email}, are invited to run this service as ${roleTexts[role]}.`;
}

function SignedIn({ session, leave }: SignedInProps<Session>) {
  const url = useUrl();
  const place = placeOf(url);
  const { failure, end } = useSignOut(leave);
  const live = useLive();
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
    if (section === 'keys' && id === 'new' && session.role === 'support') {
      return (
        <NoView title="Not for your role">
          Your role is support: it can read everything, but change nothing. Ask an operator with the role
          admin.
        </NoView>
      );
    }
    if (section === 'keys' && id === 'new') return <NewKey account={query.get('account') ?? ''} />;
    if (section === 'keys') return <Key id={id} />;
    if (section === 'requests') return <Request id={id} />;
    if (section === 'jobs') return <Job id={id} />;
  } else if (others.length === 0) {
    if (section === undefined) return <Overview live={live} />;
    if (section === 'accounts') return <Accounts search={query.get('search') ?? ''} />;
    if (section === 'keys') return <Keys pasted={query.get('pasted')} ending={query.get('ending') ?? ''} />;
    if (section === 'requests') {
      return <Requests outcome={query.get('outcome') ?? ''} span={query.get('span') ?? ''} />;
    }
    if (section === 'maintenance') return <Maintenance live={live} />;
    if (section === 'operators') return <Operators session={session} />;
    if (section === 'you') return <Yourself session={session} />;
    if (section === 'audit') return <Audit account={query.get('account') ?? ''} />;
  }
  return <NoView title="There is no such page" />;
}

followLinks();
render(
  <SessionGate root={root} signIn={SignIn} invited={invited}>
    {(props) => <SignedIn {...props} />}
  </SessionGate>,
  root,
);
