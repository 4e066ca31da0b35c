/** The frame of every view: navigation, search, and who is signed in. */
import type { ComponentChildren } from 'preact';
import type { ConsoleSession } from '../app/api-types.ts';
import { EnvironmentSwitch, useEnvironment } from '../app/parts/environment.tsx';
import { Search } from '../app/parts/search.tsx';
import { Shell } from '../app/parts/shell.tsx';
import { Time } from '../app/parts/time.tsx';
import type { Me } from './me.ts';

interface FrameProps {
  readonly me: Me;
  readonly session: ConsoleSession;
  /** The first part of the path. */
  readonly section: string;
  readonly signOut: () => void;
  readonly children: ComponentChildren;
}

/** The sections by group, each with an operation that whoever sees it may call. */
const groups = [
  ['', [['', 'Overview', 'getOwnAccount']]],
  [
    'Activity',
    [
      ['requests', 'Requests', 'listOwnRequests'],
      ['jobs', 'Jobs', 'listOwnJobs'],
      ['usage', 'Usage', 'getOwnUsage'],
    ],
  ],
  [
    'Developers',
    [
      ['keys', 'Keys', 'listOwnKeys'],
      ['webhooks', 'Webhooks', 'listOwnWebhooks'],
      ['docs', 'Docs', 'listOwnKeys'],
    ],
  ],
  [
    'Account',
    [
      ['members', 'Members', 'listMembers'],
      ['audit', 'Audit', 'listOwnAudit'],
      ['settings', 'Settings', 'getOwnContacts'],
      ['you', 'You', 'listPasskeys'],
    ],
  ],
] as const;

/** Whether a role may see a section; those that are not here are pages for everybody. */
export function mayOpen(me: Me, section: string): boolean {
  const known = groups.flatMap(([, sections]) => [...sections]).find(([name]) => name === section);
  return known === undefined || me.may(known[2]);
}

export function Frame({ me, session, section, signOut, children }: FrameProps) {
  const choice = useEnvironment();
  const seen = groups
    .map(
      ([title, sections]) =>
        [
          title,
          sections
            .filter(([, , operation]) => me.may(operation))
            .map(([name, text]) => [name, text] as const),
        ] as const,
    )
    .filter(([, sections]) => sections.length > 0);
  return (
    <Shell
      groups={seen}
      section={section}
      signOut={signOut}
      aside={choice && <EnvironmentSwitch {...choice} />}
      bar={
        <>
          <span class="faint owner">{session.account.name}</span>
          {me.may('getOwnRequest') && (
            <Search
              label="Find a request, job, message or key by its id, or by an error message"
              placeholder="Id, or an error"
              maxLength={4_000}
              otherwise={placeFor}
            />
          )}
        </>
      }
      notes={
        <>
          {session.banner !== null && (
            <aside class="state warn banner" aria-label="From your operator">
              {session.banner}
            </aside>
          )}
          <AccountNote account={session.account} />
        </>
      }
    >
      {children}
    </Shell>
  );
}

/** What is no id of a request, job or key may be that of a message. */
function placeFor(wanted: string): string {
  const [message] = /\bmsg_[0-9a-f]{32}\b/.exec(wanted) ?? [];
  return message === undefined ? 'requests?unknown' : `messages/${message}`;
}

/** Why nothing can be changed, if so. */
function AccountNote({ account: { suspendedAt, deletesAt } }: Pick<ConsoleSession, 'account'>) {
  if (suspendedAt === null && deletesAt === null) return null;
  return (
    <aside class="state bad banner" aria-label="About this account">
      {deletesAt === null ? (
        <strong>This account is suspended.</strong>
      ) : (
        <strong>
          This account will be deleted on <Time at={deletesAt} />.
        </strong>
      )}{' '}
      Its keys are refused, and nothing can be changed; you can read and export. Ask your operator{' '}
      {deletesAt === null ? 'why' : 'if that is a mistake'}.
    </aside>
  );
}
