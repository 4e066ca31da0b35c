/** The kit compresses PDFs with libdeflate (src/kit/deflate.c). */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';
import t from 'tap';
import { imageDocx } from '../support/documents.ts';
import { createJob, never, startKit, temporaryFolder } from '../support/kit.ts';
import { noise } from '../support/noise.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const shim = join(root, 'src/kit/deflate.c');
const probe = join(root, 'test/support/deflate-probe.c');

const home = await temporaryFolder(t);
const [own, other, library, main] = ['own', 'other', 'libmergedlo.so', 'main.c'].map((name) =>
  join(home, name),
) as [string, string, string, string];
const flags = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-g', '-fsanitize=address,undefined'];
const libraries = ['-rdynamic', `-Wl,-rpath,${home}`, '-ldeflate', '-lz'];
await writeFile(
  main,
  'int probe(int, char **);\nint main(int argc, char **argv) { return probe(argc, argv); }\n',
);
await run('gcc', [...flags, '-shared', '-fPIC', '-o', library, probe]);
await run('gcc', [...flags, '-o', own, main, shim, library, ...libraries]);
await run('gcc', [...flags, '-o', other, main, shim, probe, ...libraries]);

/** Counts the streams of a PDF, and those that zlib compressed, which makes the same bytes of the same content. */
const COUNT = `import re, sys, zlib
pdf = sys.stdin.buffer.read()
found = by_zlib = 0
for start in re.finditer(rb"/FlateDecode[^>]*>>\\s*stream\\r?\\n", pdf):
    end = zlib.decompressobj()
    content = end.decompress(pdf[start.end():])
    found += 1
    by_zlib += pdf[start.end():].startswith(zlib.compress(content, 6))
print(found, "streams,", by_zlib, "by zlib")
`;

interface Way {
  readonly level?: number;
  readonly windowBits?: number;
  readonly piece?: number;
  readonly room?: number;
  readonly streams?: number;
  readonly way?: 'flush' | 'reset' | 'end' | 'leave';
}

/** What LibreOffice, or another library, makes of the content. */
async function compressed(
  program: string,
  content: Buffer,
  { level = 6, windowBits = 15, piece = 65_536, room = 32_768, streams = 1, way }: Way = {},
): Promise<Buffer> {
  const args = [level, windowBits, piece, room, streams].map(String);
  // What was left without an end is a leak.
  const env = { ...process.env, ASAN_OPTIONS: `detect_leaks=${way === 'leave' ? 0 : 1}` };
  const options = { encoding: 'buffer', maxBuffer: 1 << 27, env } as const;
  const child = run(program, way ? [...args, way] : args, options);
  child.child.stdin?.end(content);
  const { stdout, stderr } = await child;
  t.equal(String(stderr), '');
  return stdout;
}

const prose = Buffer.from(
  Array.from({ length: 9_000 }, (_, n) => `${n}. The quick brown fox jumps over the lazy dog. `).join(''),
);
const content = Buffer.concat([prose, noise(100_000)]);

t.test('in any pieces, with any room', async (t) => {
  const whole = await compressed(own, content, { piece: content.length, room: content.length });
  t.ok(inflateSync(whole).equals(content));
  const byZlib = await compressed(other, content);
  t.ok(inflateSync(byZlib).equals(content));
  t.notOk(whole.equals(byZlib), 'zlib did not make it');
  t.ok(whole.length < 1.02 * byZlib.length, `${whole.length} bytes, ${byZlib.length} by zlib`);
  for (const way of [{}, { piece: 1_000, room: 7 }, { piece: 333 }, { room: 1 }]) {
    t.ok(whole.equals(await compressed(own, content, way)), JSON.stringify(way));
  }
  t.equal(inflateSync(await compressed(own, Buffer.alloc(0))).length, 0);
});

t.test('zlib compresses what is too large, and what is asked for in another way', async (t) => {
  // Noise around the limit: the room is full when zlib has taken the last of what was gathered.
  const large = Buffer.concat([Buffer.alloc((16 << 20) - 100_000, 'large'), noise(200_000)]);
  const whole = await compressed(other, large);
  for (const room of [32_768, 1_000, 1]) {
    t.ok(whole.equals(await compressed(own, large, { room })), `beyond the limit, with room for ${room}`);
  }
  for (const way of [
    { way: 'flush' },
    { way: 'flush', room: 10 },
    { level: 9 },
    { windowBits: -15 },
  ] as const) {
    const made = await compressed(own, content, way);
    t.ok(made.equals(await compressed(other, content, way)), JSON.stringify(way));
  }
});

t.test('streams that are used again, end early, are left, or are many', async (t) => {
  const once = await compressed(own, content);
  t.ok(once.equals(await compressed(own, content, { way: 'reset' })));
  t.equal((await compressed(own, content, { way: 'end' })).length, 0);
  t.ok(once.equals(await compressed(own, content, { way: 'leave' })));
  const raw = { level: 9, windowBits: -15 };
  t.ok(
    (await compressed(other, content, raw)).equals(await compressed(own, content, { ...raw, way: 'leave' })),
  );
  const many = await compressed(own, prose, { streams: 10 });
  const [first, byZlib] = [await compressed(own, prose), await compressed(other, prose)];
  // More than it can gather at once.
  t.ok(many.equals(Buffer.concat([...Array(8).fill(first), byZlib, byZlib])));
});

t.test("LibreOffice's own pictures", async (t) => {
  const { engine, folder } = await startKit(t, { workers: 1 });
  const side = 100;
  const job = await createJob(folder, imageDocx(1, side));
  await engine.convert(job, never());
  const pdf = await readFile(join(job.folder, 'output.pdf'));
  const picture = pdf.subarray(pdf.indexOf('stream', pdf.indexOf('/Subtype/Image')));
  const stream = picture.subarray(picture.indexOf('\n') + 1, picture.indexOf('\nendstream'));
  const pixels = noise(3 * side * side);
  t.ok(inflateSync(stream).equals(pixels), 'pixel by pixel');
  const python = run('python3', ['-c', COUNT]);
  python.child.stdin?.end(pdf);
  t.match((await python).stdout, /^[1-9]\d* streams, 0 by zlib$/m);
});
