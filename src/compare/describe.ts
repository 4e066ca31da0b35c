/** What a finding says, in a line; for people. */
import type { Finding, SideName } from './finding.ts';

/** Names of the two engines. */
export type Names = Readonly<Record<SideName, string>>;

/** @returns one line of text. */
export function describeFinding(finding: Finding, { from, to }: Names): string {
  switch (finding.result) {
    case 'same':
      return 'the same';
    case 'different':
      return differences(finding, { from, to }).join('; ');
    case 'failed': {
      const failures = [
        finding.from && `${from}: ${finding.from.code}, ${finding.from.message}`,
        finding.to && `${to}: ${finding.to.code}, ${finding.to.message}`,
      ];
      return `failed with ${failures.filter(Boolean).join(' And with ')}`;
    }
    case 'waiting':
      return 'the other engine has not converted it; run it there again';
    case 'not-compared':
      return `not compared: ${finding.reason}`;
  }
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
