/** A moment in the viewer's zone; UTC on hover. */
import { formatDateTime, formatRelative, formatSeconds, formatUtc } from '../words.ts';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** `relative`: such as `2 minutes ago`; the moment itself is on hover. */
  readonly style?: 'minutes' | 'seconds' | 'relative';
}

export function Time({ at, style = 'minutes' }: TimeProps) {
  const time = new Date(at);
  const utc = formatUtc(time);
  if (style === 'relative') {
    return (
      <time dateTime={at} title={`${formatSeconds(time)} (${utc})`}>
        {formatRelative(time)}
      </time>
    );
  }
  return (
    <time dateTime={at} title={utc}>
      {style === 'seconds' ? formatSeconds(time) : formatDateTime(time)}
    </time>
  );
}
