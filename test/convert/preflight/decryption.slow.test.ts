/** Documents with a password, made by another implementation, and hostile ones. */
import { readFileSync } from 'node:fs';
import { encrypt } from 'officecrypto-tool';
import t from 'tap';
import { CompoundFile } from '../../../src/convert/package/compound.ts';
import { decrypted } from '../../../src/convert/package/decryption.ts';
import { inMemory } from '../../../src/convert/package/source.ts';
import { compoundFile } from '../../support/compound.ts';
import * as documents from '../../support/documents.ts';
import { fileOf, openPreflight } from '../support/preflight.ts';
import { contentsOf } from '../support/written-archives.ts';

const PASSWORD = 'Geheim ü €';
const preflight = openPreflight();
const hello = documents.docx();

/** Of many segments, and of several pieces of the file. */
const long = documents.imageDocx(3, 256);
const agile = encrypt(long, { password: PASSWORD });
const standard = encrypt(hello, { password: PASSWORD, type: 'standard' });

/** The encrypted document with another description of its encryption, or another package. */
async function altered(
  change: (info: string) => string,
  changePackage: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<Buffer> {
  const file = await CompoundFile.open(inMemory(agile));
  const info = await file.read('EncryptionInfo');
  const data = Buffer.from(change(info.toString('latin1')), 'latin1');
  const encrypted = changePackage(Buffer.from(await file.read('EncryptedPackage')));
  return compoundFile([
    { name: 'EncryptionInfo', data },
    { name: 'EncryptedPackage', data: encrypted },
  ]);
}

const check = (path: string, password?: string) => preflight.check(path, { password });

t.test('opens what others encrypt', async (t) => {
  for (const [what, document, encrypted] of [
    ['agile', long, agile],
    ['standard', hello, standard],
    ['standard, long', long, encrypt(long, { password: PASSWORD, type: 'standard' })],
    ['other sectors', long, await altered((info) => info)],
  ] as const) {
    const path = fileOf(t, encrypted);
    const { metadata } = await check(path, PASSWORD);
    t.ok(metadata, `${what}: it is read`);
    t.strictSame(await contentsOf(readFileSync(path)), await contentsOf(document), `${what}: its parts`);
  }
});

t.test('another password, and none', async (t) => {
  for (const document of [agile, standard]) {
    for (const [password, message] of [
      ['Geheim u €', /^The password in the form field "password" of POST \/v1\/convert is wrong/],
      [`${PASSWORD} `, /is wrong/],
      [undefined, /^The document is protected with a password\. Send it in the form field "password"/],
    ] as const) {
      await t.rejects(check(fileOf(t, document), password), {
        code: 'PASSWORD_PROTECTED',
        reason: 'encrypted',
        message,
      });
    }
  }
});

t.test('a password for what has none is ignored', async (t) => {
  await t.resolves(check(fileOf(t, hello), PASSWORD));
  const legacy = documents.legacyDoc();
  await t.rejects(check(fileOf(t, legacy), PASSWORD), {
    code: 'INVALID_FILE_TYPE',
    message: /a legacy Word document/,
  });
  const plain = documents.plainText();
  await t.rejects(check(fileOf(t, plain), PASSWORD), { code: 'INVALID_FILE_TYPE' });
});

t.test('what is in it is checked like any upload', async (t) => {
  for (const [content, code] of [
    [documents.pdf(), 'INVALID_FILE_TYPE'],
    [documents.xlsx(), 'INVALID_FILE_TYPE'],
    [hello.subarray(0, -30), 'CORRUPTED_FILE'],
    [documents.encryptedDocx(), 'PASSWORD_PROTECTED'],
  ] as const) {
    const document = encrypt(content, { password: PASSWORD, type: 'standard' });
    await t.rejects(check(fileOf(t, document), PASSWORD), { code });
  }
});

t.test('refuses what is not opened in bounded time, or not by a password', async (t) => {
  const set = (name: string, value: string) => (info: string) =>
    info.replaceAll(new RegExp(`${name}="[^"]*"`, 'g'), `${name}="${value}"`);
  for (const change of [
    set('spinCount', '1000001'),
    set('spinCount', '999999999'),
    set('hashAlgorithm', 'MD5'),
    set('hashAlgorithm', 'constructor'),
    set('cipherAlgorithm', 'RC2'),
    set('cipherChaining', 'ChainingModeCFB'),
    set('blockSize', '2'),
    set('keyBits', '40'),
    (info: string) => info.replaceAll('keyEncryptor/password', 'keyEncryptor/certificate'),
    (info: string) => `\x03\x00\x03\x00${info.slice(4)}`,
  ]) {
    const document = await altered(change);
    await t.rejects(
      check(fileOf(t, document), PASSWORD),
      { code: 'PASSWORD_PROTECTED', message: /cannot open/ },
      String(change(String(agile.length))),
    );
  }
});

t.test('reads no more of a stream than its package', async (t) => {
  const document = await altered(
    (info) => info,
    (bytes) => {
      bytes.writeBigUInt64LE(0n);
      return bytes;
    },
  );
  t.ok(document.length > 500_000);
  const source = inMemory(document);
  let read = 0;
  const file = await CompoundFile.open({
    size: source.size,
    read(position, length) {
      read += length;
      return source.read(position, length);
    },
  });
  for await (const piece of decrypted(file, PASSWORD)) t.fail(`${piece.length} bytes`);
  t.ok(read < 400_000, `${read} bytes`);
});

t.test('refuses what is damaged', async (t) => {
  const set = (name: string, value: string) => (info: string) =>
    info.replaceAll(new RegExp(`${name}="[^"]*"`, 'g'), `${name}="${value}"`);
  const sized = (size: bigint) => (bytes: Buffer) => {
    bytes.writeBigUInt64LE(size);
    return bytes;
  };
  const same = (info: string) => info;
  for (const [change, changePackage] of [
    [set('spinCount', '1e5'), undefined],
    [set('spinCount', '9999999999'), undefined],
    [set('saltSize', '15'), undefined],
    [set('hashSize', '20'), undefined],
    [set('saltValue', ''), undefined],
    [set('saltValue', 'A'.repeat(4_000)), undefined],
    [set('encryptedKeyValue', 'AAAA'), undefined],
    [(info: string) => info.replace('<keyData', '<other'), undefined],
    [(info: string) => info.slice(0, -20), undefined],
    [(info: string) => info.replace('<encryption', '<!DOCTYPE a><encryption'), undefined],
    [(info: string) => info.slice(0, 4), undefined],
    [(info: string) => info + ' '.repeat(70_000), undefined],
    [same, sized(1n << 40n)],
    [same, sized(2n ** 64n - 1n)],
    [same, sized(BigInt(long.length + 5_000))],
  ] as const) {
    const document = await altered(change, changePackage);
    await t.rejects(check(fileOf(t, document), PASSWORD), {
      code: 'CORRUPTED_FILE',
      reason: 'damaged',
    });
  }
  const withoutInfo = compoundFile([{ name: 'EncryptedPackage', data: Buffer.alloc(5_000) }]);
  await t.rejects(check(fileOf(t, withoutInfo), PASSWORD), { code: 'CORRUPTED_FILE' });
});
