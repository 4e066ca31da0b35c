/** Text as XML may have it. */
import { type Bytes, toBytes } from './bytes.ts';

/** What no XML document may have (XML 1.0, 2.2) becomes a replacement character. */
export function xmlText(text: string): string {
  return text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/** Text as a part has it, with references where XML needs them. */
export function writtenText(text: string): Bytes {
  const escaped = xmlText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return toBytes(escaped);
}
