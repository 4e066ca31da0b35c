/** The console: the pages of customers. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleSession, OpenInvitation } from '../app/api-types.ts';
import { ChosenEnvironment, useEnvironmentChoice } from '../app/parts/environment.tsx';
import { MayChange } from '../app/parts/may-change.tsx';
import { FailureNote } from '../app/parts/notes.tsx';
import { followLinks, type Place, placeOf, useUrl } from '../app/router.ts';
import { SessionGate, type SignedInProps, useSignOut } from '../app/sign-in/session-gate.tsx';
import { roleTexts } from '../app/views/account-members.tsx';
import { Job } from '../app/views/job.tsx';
import { Key } from '../app/views/key.tsx';
import { NewKey } from '../app/views/new-key.tsx';
import { NoView } from '../app/views/no-view.tsx';
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
import { Message } from './views/message.tsx';
import { Overview } from './views/overview.tsx';
import { Requests } from './views/requests.tsx';
import { Settings } from './views/settings.tsx';
import { Usage } from './views/usage.tsx';
import { Webhook } from './views/webhook.tsx';
import { Webhooks } from './views/webhooks.tsx';

const root = byId('console', HTMLElement);

function SignedIn({ session, leave, refresh }: SignedInProps<ConsoleSession>) {
  const url = useUrl();
  const place = placeOf(url);
  const { failure, end } = useSignOut(leave);
  const [value, hold] = useState<string>();
  const me = meOf(session);
  const choice = useEnvironmentChoice();
  // It may have been resumed.
  useEffect(() => {
    if (me.isHeld) refresh();
  }, [url]);
  return (
    <MayChange.Provider value={!me.isHeld}>
      <ChosenEnvironment.Provider value={choice}>
        <Frame me={me} session={session} section={sectionOf(place)} signOut={end}>
          {failure && <FailureNote failure={failure} />}
          <View place={place} me={me} refresh={refresh} testKey={{ value, hold }} key={url} />
        </Frame>
      </ChosenEnvironment.Provider>
    </MayChange.Provider>
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
  // The API would refuse it, too, but a form only after somebody has filled it in.
  if (!mayOpen(me, sectionOf(place))) {
    return (
      <NoView title="Not for your role">Your role in this account does not allow this. Ask an owner.</NoView>
    );
  }
  if (others.length === 0 && id !== undefined) {
    if (section === 'keys' && id === 'new' && me.isHeld) {
      return <NoView title="Not now">This account can be read and exported only.</NoView>;
    }
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
    if (section === 'messages') return <Message id={id} />;
    if (section === 'requests') return <Request id={id} advice={advice} />;
    if (section === 'docs') return <Documentation name={id} testKey={testKey} />;
  } else if (others.length === 0) {
    if (section === undefined) return <Overview me={me} />;
    if (section === 'keys') return <Keys pasted={query.get('pasted')} />;
    if (section === 'requests') return <Requests isUnknown={query.has('unknown')} />;
    if (section === 'jobs') return <Jobs />;
    if (section === 'webhooks') return <Webhooks />;
    if (section === 'usage') return <Usage me={me} />;
    if (section === 'members') return <Members me={me} />;
    if (section === 'audit') return <Audit />;
    if (section === 'docs') return <Documentation testKey={testKey} />;
    if (section === 'settings') return <Settings renamed={refresh} />;
    if (section === 'you') return <You />;
  }
  return <NoView title="There is no such page" />;
}

/** In which section of the navigation it is. */
function sectionOf({ parts: [first = ''] }: Place): string {
  return first === 'messages' ? 'webhooks' : first;
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
render(
  <SessionGate root={root} signIn={SignIn} invited={invitedBy}>
    {(props) => <SignedIn {...props} />}
  </SessionGate>,
  root,
);
