/** Why a PDF may differ from Word's, and where it starts: what to look at first. */
import type { Divergence } from './divergence.ts';
import { type DocumentResult, percent } from './results.ts';

/** Topic and text of a line. */
type Cause = readonly [string, string];

const GOOD_FLOW = 0.9;

/** Whether the causes matter: much text is on another page, or the page count differs. */
export function isPoor({ flow, pages }: DocumentResult): boolean {
  return flow < GOOD_FLOW || !pages.same;
}

/** The known causes; shares are of Word's words. */
export function causesOf(document: DocumentResult): Cause[] {
  const { account, divergence } = document;
  const { pagination, rewrites } = account;
  return [
    ['lost', lost(document)],
    ...(pagination ? [['layout', `${pagination.by} (${pagination.reason})`] as const] : []),
    ['rewrites', rewrites.join(', ') || 'none'],
    ['stand-ins', standIns(document)],
    ...account.warnings
      .filter(({ code }) => code !== 'FONT_SUBSTITUTED')
      .map(({ message }) => ['warning', message] as const),
    ...whereItBegins(divergence),
  ];
}

function lost({ words, found, flow, offUpOrDown, offSideways }: DocumentResult): string {
  const foundShare = words === 0 ? 1 : found / words;
  return [
    `not found ${percent(1 - foundShare)}`,
    `on another page ${percent(foundShare - flow)}`,
    `too far up or down ${percent(offUpOrDown)}`,
    `too far to a side ${percent(offSideways)}`,
  ].join(', ');
}

/** Stand-ins with the same metrics move nothing: only their number is given. */
function standIns({ account }: DocumentResult): string {
  const substituted = account.fonts.filter(({ name, used }) => used !== name);
  const others = substituted.filter(({ metricsCompatible }) => !metricsCompatible);
  const same = substituted.length - others.length;
  const texts = others.map(({ name, used }) => `${name}: ${used ?? 'not known'}`);
  return [...texts, ...(same > 0 ? [`${same} with the same metrics`] : [])].join('; ') || 'none';
}

function whereItBegins({ firstPage, firstDrift }: Divergence): Cause[] {
  const causes: Cause[] = [];
  if (firstPage) {
    const { page, line, lines, of, ours, text } = firstPage;
    const moved = `${lines} of its ${of} lines ${lines === 1 ? 'is' : 'are'} on our page ${ours.join(', ')}`;
    causes.push(['first page', `${page}: ${moved}, from line ${line}: "${text}"`]);
  }
  if (firstDrift) {
    const { page, line, points, text } = firstDrift;
    const way = `${Math.abs(points).toFixed(1)} points ${points > 0 ? 'lower' : 'higher'}`;
    causes.push(['first drift', `page ${page}, line ${line}, is ${way}: "${text}"`]);
  }
  return causes;
}
