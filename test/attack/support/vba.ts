/** A macro project as Word keeps it, `vbaProject.bin`: [MS-OVBA] in a compound file. */
import { compoundFile } from '../../support/compound.ts';
import { halfWords, words } from './images.ts';

const ansi = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
/** Bytes of text in a chunk at most ([MS-OVBA] 2.4.1.1.4). */
const CHUNK = 4_096;

/** A project of one module of procedures with this source, Basic as Word has it. */
export function vbaProject(source: string): Buffer {
  const module = 'Module1';
  const head = `Attribute VB_Name = "${module}"\r\n`;
  return compoundFile([
    {
      name: 'PROJECT',
      // Lines that readers ignore, as the padding of the stream follows them.
      data: ansi(`ID="{00000000-0000-0000-0000-000000000000}"\r\nModule=${module}\r\nName="Project"\r\n`),
    },
    { name: 'VBA/dir', data: compressed(directory(module)) },
    { name: `VBA/${module}`, data: compressed(ansi(filled(head + source))) },
    { name: 'VBA/_VBA_PROJECT', data: halfWords(0x61cc, 0xffff, 0, 0) },
  ]);
}

/** The source with a comment behind it that fills its last chunk. */
function filled(source: string): string {
  const missing = CHUNK - ((source.length + 3) % CHUNK);
  return `${source}'${'x'.repeat(missing)}\r\n`;
}

/** The stream `dir` ([MS-OVBA] 2.3.4.2). */
function directory(module: string): Buffer {
  return Buffer.concat([
    record(0x01, words(1)),
    record(0x02, words(0x409)),
    record(0x14, words(0x409)),
    record(0x03, halfWords(1252)),
    record(0x04, ansi('Project')),
    record(0x05, ansi('')),
    record(0x40, wide('')),
    record(0x06, ansi('')),
    record(0x3d, ansi('')),
    record(0x07, words(0)),
    record(0x08, words(0)),
    // Of the version, the size is that of its first half.
    Buffer.concat([halfWords(0x09), words(4, 1), halfWords(1)]),
    record(0x0c, ansi('')),
    record(0x3c, wide('')),
    record(0x0f, halfWords(1)),
    record(0x13, halfWords(0xffff)),
    record(0x19, ansi(module)),
    record(0x47, wide(module)),
    record(0x1a, ansi(module)),
    record(0x32, wide(module)),
    record(0x1c, ansi('')),
    record(0x48, wide('')),
    record(0x31, words(0)),
    record(0x1e, words(0)),
    record(0x2c, halfWords(0xffff)),
    record(0x21, ansi('')),
    record(0x2b, ansi('')),
    record(0x10, ansi('')),
  ]);
}

function record(id: number, data: Buffer): Buffer {
  return Buffer.concat([halfWords(id), words(data.length), data]);
}

/** A compressed container ([MS-OVBA] 2.4.1) that compresses nothing: whole chunks are raw, a last one has only literals. */
function compressed(data: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < data.length; at += CHUNK) {
    const chunk = data.subarray(at, at + CHUNK);
    if (chunk.length === CHUNK) {
      chunks.push(halfWords(0x3fff), chunk);
      continue;
    }
    const tokens: Buffer[] = [];
    for (let i = 0; i < chunk.length; i += 8) tokens.push(Buffer.from([0]), chunk.subarray(i, i + 8));
    const body = Buffer.concat(tokens);
    chunks.push(halfWords(0xb000 | (body.length - 1)), body);
  }
  return Buffer.concat([Buffer.from([1]), ...chunks]);
}
