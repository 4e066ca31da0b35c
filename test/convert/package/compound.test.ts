/** Compound files: what is in sound ones, and that reading damaged ones ends. */
import fc from 'fast-check';
import { encrypt } from 'officecrypto-tool';
import t from 'tap';
import { CompoundFile } from '../../../src/convert/package/compound.ts';
import { inMemory } from '../../../src/convert/package/source.ts';
import { compoundFile } from '../../support/compound.ts';
import { noise } from '../../support/noise.ts';

t.test('streams of all sizes', async (t) => {
  const streams = [4_096, 4_097, 100_000, 8_000_000].map((bytes, i) => ({
    name: `Stream ${i}`,
    data: noise(bytes),
  }));
  const file = CompoundFile.open(inMemory(compoundFile(streams)));
  t.strictSame(
    [...file.names()].sort(),
    streams.map(({ name }) => name),
  );
  for (const { name, data } of streams) t.ok(file.read(name).equals(data), `${data.length} bytes`);
  t.equal(file.bytesOf('Other'), undefined);
  t.throws(() => file.read('Other'), /lacks a stream/);
});

t.test('a circle of sectors', async (t) => {
  const document = compoundFile([{ name: 'Circle', data: noise(20_000) }]);
  // The FAT is the first sector; the stream's begin behind it.
  for (const next of [1, 2]) {
    const circular = Buffer.from(document);
    circular.writeUInt32LE(next, 512 + 4 * 2);
    const data = CompoundFile.open(inMemory(circular)).read('Circle');
    t.ok(data.length <= 20_000, `${data.length} bytes`);
  }
});

t.test('a file that is damaged anywhere gives no more than it has', async () => {
  const small = encrypt(noise(1_000), { password: 'a', type: 'standard' });
  const large = compoundFile([{ name: 'EncryptedPackage', data: noise(10_000) }]);
  const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 0xffffffff }) });
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(change, { minLength: 1, maxLength: 20 }),
      async (isSmall, changes) => {
        const bytes = Buffer.from(isSmall ? small : large);
        for (const { at, value } of changes) bytes.writeUInt32LE(value, 4 * (at % (bytes.length / 4)));
        const file = CompoundFile.open(inMemory(bytes));
        for (const name of file.names()) {
          const data = file.read(name);
          if (data.length > bytes.length) throw new Error(`${data.length} bytes of ${bytes.length}`);
        }
      },
    ),
    { numRuns: 500 },
  );
});
