/** The options of the API as flags of `platen convert`. */
import { join } from 'node:path';
import { Command } from 'commander';
import t from 'tap';
import { inFlags, optionFlags, readFlags } from '../../../src/cli/batch/option-flags.ts';
import { readRequest } from '../../../src/cli/batch/request.ts';
import { combineDocuments } from '../../../src/http/conversion/combine.contract.ts';
import { convertDocument, UploadForm } from '../../../src/http/conversion/convert.contract.ts';
import { rules } from '../../../src/shared/options/combinations.ts';

/** As a command reads them. */
function parse(...args: string[]) {
  const command = new Command().exitOverride();
  for (const option of optionFlags()) command.addOption(option);
  return readFlags(command.parse(args, { from: 'user' }).opts());
}

const limitOf = (bytes: number) => ({ bytes, setBy: 'MAX_FILE_MB' }) as const;

const read = (...args: string[]) => readRequest(parse(...args), limitOf(1_000));

t.test('every parameter and field of the API has a flag', async (t) => {
  const query = [convertDocument, combineDocuments].flatMap(({ schema }) =>
    Object.keys(schema.querystring.properties),
  );
  const { file: _, ...form } = UploadForm.properties;
  const names = optionFlags().map((option) => option.attributeName().replace(/File$/, ''));
  t.strictSame([...new Set(names)].sort(), [...new Set([...query, ...Object.keys(form)])].sort());
});

t.test(
  'the help says nothing of plans and bills, which a machine without a service has none of',
  async (t) => {
    const help = optionFlags().map(({ description }) => description);
    for (const each of help) t.notMatch(each, /\b(feature|plan|billed|test keys)\b/i);
    const about = (name: string) => optionFlags().find(({ long }) => long === name)?.description;
    t.equal(about('--watermark'), 'A text across each page.');
    t.match(about('--pdfa'), /^Create .*; 4 needs LibreOffice 26\.8 or later\.$/);
    t.match(about('--facturx'), /Needs pdfa=3b\.$/);
  },
);

t.test('flags become the values of the API', async (t) => {
  t.strictSame(parse().options, {});
  const request = await read(
    '--image-quality',
    '80',
    '--images',
    'jpeg',
    '--no-tagged',
    '--linearize',
    '--title',
    '7',
  );
  t.strictSame(request.options, {
    images: 'jpeg',
    imageQuality: 80,
    tagged: false,
    linearize: true,
    title: '7',
  });
  t.strictSame(request.query, {
    images: 'jpeg',
    imageQuality: '80',
    tagged: 'false',
    linearize: 'true',
    title: '7',
  });
  t.strictSame((await read('--form-fields')).options, { formFields: true });
  t.strictSame((await read('--no-form-fields')).options, { formFields: false });
  t.strictSame((await read('--tagged', '--pages', '3,1-2')).options, { pages: '1-3' }, 'without defaults');
});

t.test('passwords and attachments come from files', async (t) => {
  const folder = t.testdir({
    secret: 'pässword\n',
    'b.xml': '<b/>',
    a: 'a',
    empty: '',
    big: 'b'.repeat(1_001),
  });
  const path = (name: string) => join(folder, name);
  const request = await read(
    '--user-password-file',
    path('secret'),
    '--attachment',
    path('b.xml'),
    '--attachment',
    path('a'),
  );
  t.strictSame(request.secrets, { userPassword: 'pässword' });
  t.match(request.attachments, [
    { name: 'a', type: 'application/octet-stream', bytes: 1, content: Buffer.from('a') },
    { name: 'b.xml', type: /xml/, md5: /^[0-9a-f]{32}$/, sha256: /^[0-9a-f]{64}$/ },
  ]);
  await t.rejects(read('--password-file', path('none')), { message: /none cannot be read/ });
  await t.rejects(read('--password-file', path('empty')), { code: 'INVALID_PARAMETER' });
  await t.rejects(read('--attachment', path('big')), {
    code: 'FILE_TOO_LARGE',
    message: 'The attachment is larger than 0 MB, the most that MAX_FILE_MB allows.',
  });
  await t.rejects(read('--attachment', path('a'), '--attachment', path('a')), { code: 'INVALID_REQUEST' });
});

t.test('what the API refuses is refused in its words', async (t) => {
  for (const [args, message] of [
    [['--pdfa', '5'], 'pdfa must be "1b" or "2b" or "3b" or "4", or left out.'],
    [['--image-quality', 'much'], 'imageQuality must be a whole number from 1 to 100, or left out.'],
    [['--image-dpi', '77'], 'imageDpi must be 75 or 150 or 300 or 600, or left out.'],
    [['--watermark-color', 'red'], 'watermarkColor must be a colour as RRGGBB in hexadecimal, or left out.'],
    [['--pages', '3-1'], /ends before it begins/],
    [['--pages', '3', '--page-numbers', 'continuous'], /^pageNumbers=continuous counts all pages/],
    [['--page-numbers', 'on'], 'pageNumbers must be "separate" or "continuous", or left out.'],
    [['--image-quality', '80'], /imageQuality needs images=jpeg/],
    [['--pdfa', '2b', '--attachment', import.meta.filename], /Only level 3b/],
  ] as const)
    await t.rejects(
      readRequest(parse(...args), limitOf(1_000_000)),
      { code: 'INVALID_PARAMETER', message },
      args.join(' '),
    );
});

t.test('a command says it with its flags', async (t) => {
  for (const [message, said] of [
    ['pages must be a list', '--pages must be a list'],
    ['imageDpi must be 75 or 150, or left out.', '--image-dpi must be 75 or 150, or left out.'],
    [
      'imageQuality needs images=jpeg. Send both, or leave imageQuality out.',
      '--image-quality needs --images jpeg. Send both, or leave --image-quality out.',
    ],
    [
      'A PDF/A must not be encrypted (ISO 19005-1). Leave userPassword or pdfa out.',
      'A PDF/A must not be encrypted (ISO 19005-1). Leave --user-password-file or --pdfa out.',
    ],
    [
      'With pdfa, the PDF is always tagged. Leave tagged or pdfa out.',
      'With --pdfa, the PDF is always tagged. Leave --tagged or --pdfa out.',
    ],
    ['Use pdfa=2b or pdfa=3b with pdfua.', 'Use --pdfa 2b or --pdfa 3b with --pdfua.'],
    ['formFields=true needs a later version.', '--form-fields needs a later version.'],
    [
      'LibreOffice writes comments. Leave comments out.',
      'LibreOffice writes comments. Leave --comments out.',
    ],
    ['facturx needs an attachment named x.xml.', '--facturx needs an attachment named x.xml.'],
  ] as const)
    t.equal(inFlags(message), said);
  for (const { message, options } of rules) {
    const said = inFlags(message);
    for (const name of options.filter((each) => /[A-Z]/.test(each)))
      t.notMatch(said, new RegExp(`\\b${name}\\b`), said);
    t.match(said, / --[a-z]|^--[a-z]/);
  }
});
