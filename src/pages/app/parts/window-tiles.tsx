/** The rate windows of an account, as its live keys share them. That of a second is over before it is read. */
import type { AccountDetail } from '../api-types.ts';
import { Time } from './time.tsx';
import { UseBar } from './use.tsx';

const titles = { hour: 'This hour', day: 'Today' } as const;

interface WindowTilesProps {
  readonly windows: AccountDetail['windows'];
  /** Level of their headings. */
  readonly level: 'h2' | 'h3';
}

export function WindowTiles({ windows, level: Title }: WindowTilesProps) {
  return windows.map(
    ({ name, limit, remaining, resetsAt }) =>
      name !== 'second' && (
        <section class="tile" key={name}>
          <Title>{titles[name]}</Title>
          <UseBar used={limit - remaining} limit={limit} what="requests" />
          <div class="faint">
            Resets <Time at={resetsAt} />
          </div>
        </section>
      ),
  );
}
