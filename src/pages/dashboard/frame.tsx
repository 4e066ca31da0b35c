/** The frame of every view: navigation, search, state of the service. */
import type { ComponentChildren } from 'preact';
import { Search } from '../app/parts/search.tsx';
import { Shell } from '../app/parts/shell.tsx';
import { endingIn } from '../app/words.ts';
import type { Live } from './live.ts';

interface FrameProps {
  readonly live: Live;
  /** The first part of the path. */
  readonly section: string;
  readonly signOut: () => void;
  readonly children: ComponentChildren;
}

const groups = [
  ['', [['', 'Overview']]],
  [
    'Customers',
    [
      ['accounts', 'Accounts'],
      ['requests', 'Requests'],
      ['keys', 'Keys'],
    ],
  ],
  ['Service', [['maintenance', 'Maintenance']]],
  [
    'Operators',
    [
      ['audit', 'Audit'],
      ['operators', 'Operators'],
      ['you', 'You'],
    ],
  ],
] as const;

export function Frame({ live, section, signOut, children }: FrameProps) {
  return (
    <Shell
      groups={groups}
      section={section}
      signOut={signOut}
      bar={
        <>
          <Light live={live} />
          <Search
            label="Search by id of a request, job or key, the end of a key, or by account"
            placeholder="Id, end of a key, account"
            maxLength={200}
            otherwise={placeFor}
          />
        </>
      }
      notes={
        live.overview?.banner && (
          <aside class="state warn banner" aria-label="Banner for customers">
            {live.overview.banner.text}
          </aside>
        )
      }
    >
      {children}
    </Shell>
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
