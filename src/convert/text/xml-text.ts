/** Text as XML may have it. */

/** What no XML document may have (XML 1.0, 2.2) becomes a replacement character. */
export function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
