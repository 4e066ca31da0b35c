/** The frame of every view: navigation, search, and who is signed in. */
import type { ComponentChildren } from 'preact';
import type { ConsoleSession } from '../app/api-types.ts';
import { Logo } from '../app/parts/logo.tsx';
import { Search } from '../app/parts/search.tsx';
import { Time } from '../app/parts/time.tsx';
import { HOME } from '../app/router.ts';
import type { Me } from './me.ts';

interface FrameProps {
  readonly me: Me;
  readonly session: ConsoleSession;
  /** The first part of the path. */
  readonly section: string;
  readonly signOut: () => void;
  readonly children: ComponentChildren;
}

/** The sections, each with an operation that whoever sees it may call. */
const sections = [
  ['', 'Overview', 'getOwnAccount'],
  ['keys', 'Keys', 'listOwnKeys'],
  ['requests', 'Requests', 'listOwnRequests'],
  ['jobs', 'Jobs', 'listOwnJobs'],
  ['usage', 'Usage', 'getOwnUsage'],
  ['members', 'Members', 'listMembers'],
  ['audit', 'Audit', 'listOwnAudit'],
  ['settings', 'Settings', 'getOwnContacts'],
  ['docs', 'Docs', 'listOwnKeys'],
  ['you', 'You', 'listPasskeys'],
] as const;

/** Whether a role may see a section; those that are not here are pages for everybody. */
export function mayOpen(me: Me, section: string): boolean {
  const known = sections.find(([name]) => name === section);
  return known === undefined || me.may(known[2]);
}

export function Frame({ me, session, section, signOut, children }: FrameProps) {
  return (
    <>
      <header class="bar">
        <a class="home" href={HOME}>
          <Logo />
        </a>
        <span class="faint owner">{session.account.name}</span>
        <nav aria-label="Pages">
          {sections
            .filter(([, , operation]) => me.may(operation))
            .map(([name, title]) => (
              <a
                key={name}
                href={name === '' ? HOME : `${HOME}/${name}`}
                aria-current={name === section ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
        </nav>
        {me.may('getOwnRequest') && (
          <Search
            label="Find a request, job or key by its id, or by an error message"
            placeholder="Id, or an error"
            maxLength={4_000}
            otherwise={() => 'requests?unknown'}
          />
        )}
        <button type="button" class="button small" onClick={signOut}>
          Sign out
        </button>
      </header>
      {session.banner !== null && (
        <aside class="state warn banner" aria-label="From your operator">
          {session.banner}
        </aside>
      )}
      <AccountNote account={session.account} />
      {children}
    </>
  );
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
