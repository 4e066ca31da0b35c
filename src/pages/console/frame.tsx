/** The frame of every view: navigation, search, and who is signed in. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleSession } from '../app/api-types.ts';
import { Logo } from '../app/parts/logo.tsx';
import { HOME, navigate } from '../app/router.ts';
import { secretIn } from '../app/words.ts';
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
  ['settings', 'Settings', 'renameOwnAccount'],
  ['you', 'You', 'listPasskeys'],
] as const;

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
        {me.may('getOwnRequest') && <Search />}
        <button type="button" class="button small" onClick={signOut}>
          Sign out
        </button>
      </header>
      {session.banner !== null && (
        <aside class="state warn banner" aria-label="From your operator">
          {session.banner}
        </aside>
      )}
      {children}
    </>
  );
}

/** For the id of a request or key, also within an error message that is pasted. */
function Search() {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === '') return;
    setText('');
    navigate(`${HOME}/${placeFor(wanted)}`);
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <input
          type="search"
          aria-label="Find a request, job or key by its id, or by an error message"
          placeholder="Id, or an error"
          maxLength={4_000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button small">
          Find
        </button>
      </form>
    </search>
  );
}

export function placeFor(wanted: string): string {
  const secret = secretIn(wanted);
  if (secret) return `keys?pasted=${secret}`;
  const [request] = /req_\w*/.exec(wanted) ?? [];
  if (request !== undefined) return `requests/${request}`;
  const [job] = /job_\w*/.exec(wanted) ?? [];
  if (job !== undefined) return `jobs/${job}`;
  const [key] = /\bkey_[0-9a-f]{18}\b/.exec(wanted) ?? [];
  if (key !== undefined) return `keys/${key}`;
  return 'requests?unknown';
}
