/** The frame of every view: navigation, search, state of the service. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Logo } from '../app/parts/logo.tsx';
import { HOME, navigate } from '../app/router.ts';
import { endingIn, secretIn } from '../app/words.ts';
import type { Live } from './live.ts';

interface FrameProps {
  readonly live: Live;
  /** The first part of the path. */
  readonly section: string;
  readonly signOut: () => void;
  readonly children: ComponentChildren;
}

const sections = [
  ['', 'Overview'],
  ['accounts', 'Accounts'],
  ['keys', 'Keys'],
  ['maintenance', 'Maintenance'],
  ['audit', 'Audit'],
] as const;

export function Frame({ live, section, signOut, children }: FrameProps) {
  return (
    <>
      <header class="bar">
        <a class="home" href={HOME}>
          <Logo />
        </a>
        <Light live={live} />
        <nav aria-label="Pages">
          {sections.map(([name, title]) => (
            <a
              key={name}
              href={name === '' ? HOME : `${HOME}/${name}`}
              aria-current={name === section ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <Search />
        <button type="button" class="button small" onClick={signOut}>
          Sign out
        </button>
      </header>
      {live.overview?.banner && (
        <aside class="state warn banner" aria-label="Banner for customers">
          {live.overview.banner.text}
        </aside>
      )}
      {children}
    </>
  );
}

/** How the service is, on every page. */
function Light({ live: { overview, isConnected } }: { live: Live }) {
  if (!overview || !isConnected) {
    return <span class="light">{overview ? 'Connecting …' : ''}</span>;
  }
  const { status, maintenance } = overview.server;
  if (maintenance.on) return <span class="light warn">Maintenance</span>;
  return status === 'ok' ? <span class="light good">Ready</span> : <span class="light bad">Unavailable</span>;
}

/** One search field: for the id of a request, job or key that a customer quotes; anything else searches accounts. */
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
          aria-label="Search by id of a request, job or key, the end of a key, or by account"
          placeholder="Id of a request, job, key; account"
          maxLength={200}
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

function placeFor(wanted: string): string {
  const secret = secretIn(wanted);
  if (secret) return `keys?pasted=${secret}`;
  const [request] = /req_\w*/.exec(wanted) ?? [];
  if (request !== undefined) return `requests/${request}`;
  const [job] = /job_\w*/.exec(wanted) ?? [];
  if (job !== undefined) return `jobs/${job}`;
  const [key] = /\bkey_[0-9a-f]{18}\b/.exec(wanted) ?? [];
  if (key !== undefined) return `keys/${key}`;
  const ending = endingIn(wanted);
  if (ending !== undefined) return `keys?ending=${ending}`;
  return `accounts?search=${encodeURIComponent(wanted)}`;
}
