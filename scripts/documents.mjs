/**
 * Builds the two documents that go with the kit from their readable parts in `src/kit/`: the
 * warm-up document that the kit converts before it forks, and the sample that a newcomer posts.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { ZipFile } from 'yazl';

const kitFolder = fileURLToPath(new URL('../src/kit/', import.meta.url));

/** One date for all entries, the first that ZIP can express, so that the same parts give the same bytes. */
const entryOptions = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** A photograph in baseline JPEG, 16 × 16 pixels: a gradient from blue to orange, 303 bytes. */
const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1R' +
    'V19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj' +
    'Y2NjY2NjY2NjY2NjY2P/wAARCAAQABADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABAAC/8QAFRABAQAAAAAAAAAA' +
    'AAAAAAAAAwD/xAAVAQEBAAAAAAAAAAAAAAAAAAACBP/EABkRAAIDAQAAAAAAAAAAAAAAAAAxAgMEBf/aAAwDAQACEQMRAD8A' +
    'jOSZ2zOQZ0nQmx4bEf/Z',
  'base64',
);

/**
 * A PNG chunk: length, type, data and the CRC-32 of type and data (ISO/IEC 15948, 5.3).
 *
 * @param {string} type four ASCII letters
 * @param {Buffer} data
 * @returns {Buffer}
 */
function pngChunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/**
 * A square PNG with an alpha channel: a disc that fades out to its rim, on nothing.
 *
 * @param {number} size edge length in pixels
 * @returns {Buffer}
 */
function discPng(size) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits a channel, RGB with alpha, no interlacing

  const rowLength = 1 + 4 * size; // a filter byte (0: none) before each row
  const rows = Buffer.alloc(rowLength * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = Math.hypot(x - size / 2, y - size / 2) / (size / 2);
      const alpha = Math.round(255 * Math.max(0, 1 - distance ** 4));
      rows.set([31, 95, 191, alpha], rowLength * y + 1 + 4 * x);
    }
  }

  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Reads every file below a folder.
 *
 * @param {string} folder
 * @returns {Promise<Map<string, Buffer>>} contents by part name (with slashes, relative to the folder)
 */
async function readParts(folder) {
  /** @type {Map<string, Buffer>} */
  const parts = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    parts.set(path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file));
  }
  return parts;
}

/**
 * Writes a package (ECMA-376 part 2). Sorting its parts by name happens to put `[Content_Types].xml`
 * first, where readers of a stream want it.
 *
 * @param {Map<string, Buffer>} parts
 * @param {string} outputFile
 * @returns {Promise<void>}
 */
async function writePackage(parts, outputFile) {
  const zip = new ZipFile();
  for (const name of [...parts.keys()].sort()) {
    zip.addBuffer(parts.get(name) ?? Buffer.alloc(0), name, entryOptions);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(outputFile));
}

/**
 * The main part without its pictures. Painting a picture makes LibreOffice 24.8 and later start a timer
 * thread (salhelper::TimerManager) that never ends, and the kit must have one thread when it forks.
 *
 * @param {Buffer} document word/document.xml
 * @returns {Buffer}
 */
function withoutPictures(document) {
  const drawings = /<w:drawing>.*?<\/w:drawing>/gs;
  const text = document
    .toString()
    .replaceAll(drawings, (drawing) => (drawing.includes('<a:blip') ? '' : drawing));
  return Buffer.from(text);
}

/**
 * Writes `warmup.docx` and `sample.docx`; the same parts always give the same bytes.
 *
 * @param {string} outputFolder made when it is not there
 * @param {{ pictures: boolean }} options whether the warm-up document has pictures
 * @returns {Promise<void>}
 */
export async function buildDocuments(outputFolder, { pictures }) {
  await mkdir(outputFolder, { recursive: true });
  const warmup = await readParts(path.join(kitFolder, 'warmup'));
  const main = 'word/document.xml';
  if (!pictures) warmup.set(main, withoutPictures(warmup.get(main) ?? Buffer.alloc(0)));
  warmup.set('word/media/image1.png', discPng(128));
  warmup.set('word/media/image2.jpeg', jpeg);
  await writePackage(warmup, path.join(outputFolder, 'warmup.docx'));
  await writePackage(await readParts(path.join(kitFolder, 'sample')), path.join(outputFolder, 'sample.docx'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outputFolder = process.argv[2];
  if (outputFolder === undefined) {
    process.stderr.write('usage: node scripts/documents.mjs DIR\n');
    process.exitCode = 2;
  } else {
    await buildDocuments(outputFolder, { pictures: true });
  }
}
