/** Parts as the engine gets them, whatever they were before. */
import t from 'tap';
import { DECLARATION, plainPieces, plainXml } from '../../../src/convert/package/plain-xml.ts';

const MARK = '\ufeff';
const filler = 'x'.repeat(1_100);

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Parts, and their content behind our declaration. */
const parts: readonly (readonly [what: string, part: Buffer, content: string])[] = [
  ['as it is written', Buffer.from(`${DECLARATION}\r\n<a>ä</a>`), '\r\n<a>ä</a>'],
  ['no declaration', Buffer.from('<a>ä🎉</a>'), '<a>ä🎉</a>'],
  ['a mark', Buffer.from(`${MARK}<a>ä</a>`), '<a>ä</a>'],
  ['a mark and a declaration', Buffer.from(`${MARK}<?xml version='1.0'?>\n<a>ä</a>`), '\n<a>ä</a>'],
  ['space', Buffer.from(' \n<a/>'), ' \n<a/>'],
  ['UTF-16', utf16(`${MARK}<?xml version="1.0" encoding="UTF-16"?><a>日🎉</a>`), '<a>日🎉</a>'],
  ['the other UTF-16', utf16(`${MARK}<a>日</a>`).swap16(), '<a>日</a>'],
  ['UTF-16 without a mark', utf16('<?xml version="1.0"?><a>日</a>'), '<a>日</a>'],
  ['Latin 1', latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe4\x80</a>'), '<a>ä\x80</a>'],
  ['Latin 2', latin1('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb1</a>'), '<a>ą</a>'],
  [
    'what looks like an encoding',
    Buffer.from(`<?xml version="1.0"?><a b="" encoding='UTF-7'/>`),
    `<a b="" encoding='UTF-7'/>`,
  ],
  ['controls', Buffer.from('<a>\x01\t\r\n\x1f\x7f\x85</a>'), '<a>\ufffd\t\r\n\ufffd\x7f\x85</a>'],
  ['no characters', Buffer.from(`${DECLARATION}<a>\ufffe\uffff\ufffd</a>`), '<a>\ufffd\ufffd\ufffd</a>'],
  ['no UTF-8', latin1(`${DECLARATION}<a>\xe4\xc0\xbc\xed\xa0\x80</a>`), `<a>${'\ufffd'.repeat(6)}</a>`],
  ['UTF-8 that breaks off', latin1(`${DECLARATION}<a>\xf0\x9f\x8e`), '<a>\ufffd'],
];

async function* inPieces(part: Buffer, bytes: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < part.length; at += bytes) yield part.subarray(at, at + bytes);
}

async function joined(pieces: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

t.test('each part, whole and in pieces', async (t) => {
  for (const [what, part, content] of parts) {
    const expected = DECLARATION + content;
    t.equal(plainXml(part).toString(), expected, what);
    t.ok(plainXml(plainXml(part)).equals(plainXml(part)), `${what}, twice`);
    for (const bytes of [1, 2, 3, 7, 4_096]) {
      t.equal(await joined(plainPieces(inPieces(part, bytes))), expected, `${what}, in pieces of ${bytes}`);
    }
  }
});

t.test('characters that pieces cut, far behind the head', async (t) => {
  const text = `<a>${filler}${'ä日🎉'.repeat(250)}</a>`;
  for (let bytes = 1_024; bytes < 1_040; bytes += 1) {
    t.equal(await joined(plainPieces(inPieces(Buffer.from(text), bytes))), DECLARATION + text);
  }
});

t.test('what is no XML, and what readers do not decode alike, is refused', async (t) => {
  for (const [part, reason] of [
    ['', 'damaged'],
    ['a', 'damaged'],
    [`<?xml version="1.0" encodingx='UTF-7' encoding="UTF-8"?><a/>`, 'encoding'],
  ] as const)
    t.throws(() => plainXml(Buffer.from(part)), { code: 'CORRUPTED_FILE', reason });
});
