/** What a finding says, in a line; for people. */
import type { Failure, Finding, SideName } from './finding.ts';

/** Names of the two engines. */
export type Names = Readonly<Record<SideName, string>>;

/** @returns one line of text. */
export function describeFinding(finding: Finding, { from, to }: Names): string {
  switch (finding.result) {
    case 'same':
      return 'the same';
    case 'different':
      return differences(finding, { from, to }).join('; ');
    case 'failed':
      return failures(finding, { from, to });
    case 'half-done':
      return failures(finding, { from, to }) || 'converted';
    case 'waiting':
      return ['the other engine has not converted it; run it there again', failures(finding, { from, to })]
        .filter(Boolean)
        .join('; ');
    case 'not-compared':
      return `not compared: ${finding.reason}`;
  }
}

/** @returns an empty text if there are none. */
function failures(failed: { readonly from?: Failure; readonly to?: Failure }, { from, to }: Names): string {
  const texts = [
    failed.from && `${from}: ${failed.from.code}, ${failed.from.message}`,
    failed.to && `${to}: ${failed.to.code}, ${failed.to.message}`,
  ].filter(Boolean);
  return texts.length === 0 ? '' : `failed with ${texts.join(' And with ')}`;
}

function differences(
  { pages, text, pictures }: Extract<Finding, { result: 'same' | 'different' }>,
  { from, to }: Names,
): string[] {
  const only = (count: number, name: string) => (count === 0 ? [] : [`${count} only in ${name}`]);
  const words = text && [
    ...only(text.onlyFrom, from),
    ...only(text.onlyTo, to),
    ...(text.moved === 0 ? [] : [`${text.moved} on another page`]),
  ];
  return [
    ...(pages.from === pages.to ? [] : [`pages: ${pages.from}, then ${pages.to}`]),
    ...(words ? [`words: ${words.join(', ')}`] : []),
    ...(pictures ? [`pages that look different: ${pictures.pages}`] : []),
  ];
}
