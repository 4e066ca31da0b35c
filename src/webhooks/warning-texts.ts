/** Texts of e-mail about warnings. */
import type { Environment } from '../accounts/keys/format.ts';
import { iso } from '../system/iso-time.ts';
import type { DisabledReason } from './webhook.ts';

interface QuotaWarning {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly percent: number;
  readonly used: number;
  readonly quota: number;
  /** ISO 8601. */
  readonly renewsAt: string;
}

interface KeyWarning {
  readonly id: string;
  readonly name: string;
  /** Short form of the key. */
  readonly display: string;
  /** ISO 8601. */
  readonly expiresAt: string | null;
}

export interface EndpointWarning {
  readonly id: string;
  readonly environment: Environment;
  readonly url: string;
  readonly reason: DisabledReason;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

interface Text {
  readonly subject: string;
  readonly text: string;
}

/** The account that a text is about, and the service that its links lead to. */
export interface TextSource {
  /** Name of the account. */
  readonly name: string;
  readonly publicUrl: string;
}

const numbers = new Intl.NumberFormat('en');
const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const reasons = {
  gone: 'it answered 410',
  failing: 'every attempt of five days failed',
  operator: 'your operator disabled it',
} as const;

export function quotaText(source: TextSource, { month, percent, used, quota, renewsAt }: QuotaWarning): Text {
  const what = months.format(new Date(`${month}-01T00:00:00Z`));
  const isOver = percent >= 100;
  return compose(source, `has used ${percent} % of its quota`, [
    `${source.name} has used ${numbers.format(used)} of ${numbers.format(quota)} conversions of ${what}.`,
    `${isOver ? 'Further' : 'Above the quota,'} conversions with live keys are refused with QUOTA_EXCEEDED until ${utc(renewsAt)}.`,
    `Usage by day: ${source.publicUrl}/console/usage`,
  ]);
}

/** @param keys at least one. */
export function keysText(source: TextSource, keys: readonly KeyWarning[]): Text {
  const lines = keys.map(
    ({ id, name, display, expiresAt }) =>
      `- "${name}" (${display}), ${utc(String(expiresAt))}\n  ${source.publicUrl}/console/keys/${id}`,
  );
  return compose(
    source,
    keys.length === 1 ? 'has a key that expires' : `has ${keys.length} keys that expire`,
    [
      `These keys of ${source.name} expire soon:`,
      lines.join('\n'),
      'After that, programs that use them are refused. Rotate them, or create others.',
    ],
  );
}

/** @param endpoints at least one. */
export function endpointsText(source: TextSource, endpoints: readonly EndpointWarning[]): Text {
  const lines = endpoints.map(
    ({ id, environment, url, reason, at }) =>
      `- ${new URL(url).origin} (${environment}), ${utc(iso(at))}${reason === null ? '' : `: ${reasons[reason]}`}\n` +
      `  ${source.publicUrl}/console/webhooks/${id}`,
  );
  return compose(source, 'has a disabled webhook endpoint', [
    `These endpoints of ${source.name} are disabled, and get no more messages:`,
    lines.join('\n'),
    'Fix the receiver, enable the endpoint, and send the failed messages again.',
  ]);
}

function compose({ name, publicUrl }: TextSource, subject: string, parts: readonly string[]): Text {
  const why = `You get this because your address is a contact address of ${name}. An owner can change that: ${publicUrl}/console/settings`;
  return { subject: `${name} ${subject}`, text: [...parts, why, ''].join('\n\n') };
}

/** Such as `2026-11-30 23:59 UTC`. */
function utc(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
