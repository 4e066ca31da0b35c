/** The frame of every view: navigation, search, state of the service. */
import type { ComponentChildren } from 'preact';
import { Logo } from '../app/parts/logo.tsx';
import { Search } from '../app/parts/search.tsx';
import { HOME } from '../app/router.ts';
import { endingIn } from '../app/words.ts';
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
  ['operators', 'Operators'],
  ['you', 'You'],
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
        <Search
          label="Search by id of a request, job or key, the end of a key, or by account"
          placeholder="Id, end of a key, account"
          maxLength={200}
          otherwise={placeFor}
        />
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

/** What is no id is the end of a key, or searches accounts. */
function placeFor(wanted: string): string {
  const ending = endingIn(wanted);
  if (ending !== undefined) return `keys?ending=${ending}`;
  return `accounts?search=${encodeURIComponent(wanted)}`;
}
