/** How much of a limit is used. */
import { formatNumber } from '../words.ts';

const NEARLY_FULL = 0.8;

interface UseProps {
  readonly used: number;
  /** Null is unlimited. */
  readonly limit: number | null;
  /** What is counted. */
  readonly what: string;
}

export function UseBar({ used, limit, what }: UseProps) {
  if (limit === null) {
    return <span class="use">{`${formatNumber(used)} ${what}, no limit`}</span>;
  }
  const part = limit === 0 ? 1 : Math.min(1, used / limit);
  const level = part >= 1 ? 'full' : part >= NEARLY_FULL ? 'high' : 'normal';
  return (
    <span class="use" data-level={level}>
      <span class="use-text">
        {`${formatNumber(used)} of ${formatNumber(limit)}`}
        <span class="faint">{` · ${percent(part)}`}</span>
      </span>
      <span class="track" aria-hidden="true">
        <span class="fill" style={{ width: part === 0 ? '0' : `max(2px, ${part * 100}%)` }} />
      </span>
    </span>
  );
}

/** Some use never shows as 0 %, and less than all never as 100 %. */
function percent(part: number): string {
  if (part > 0 && part < 0.01) return 'under 1 %';
  return `${Math.floor(part * 100)} %`;
}
