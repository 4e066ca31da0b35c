/** Rules for the form of the file, its objects and its streams. */
import { fileRules } from '../../src/convert/pdf/conformance/file-rules.ts';
import { formRules } from '../../src/convert/pdf/conformance/form-rules.ts';
import { proves, replaced } from './proof.ts';
import { TO_UNICODE } from './sample.ts';

/** qpdf would pack the metadata of an encrypted file, and end streams without a line end. */
const AS_IT_IS = ['--compress-streams=n', '--newline-before-endstream'];
const LONG = 'x'.repeat(65_536);

proves(
  [...formRules, ...fileRules],
  [
    {
      demand: 'Nothing in the file needs repair',
      name: 'a stream that is longer than it says',
      changeFile: (file) =>
        replaced(file, `<</Length ${TO_UNICODE.length}`, `<</Length ${TO_UNICODE.length - 10}`),
      also: ['Streams have the length'],
    },
    {
      demand: 'The file starts with',
      name: 'another version',
      change: (sample) => {
        sample.header = '%PDF-3.0\n%äöüß\n';
      },
    },
    {
      demand: 'A comment',
      name: 'one of letters',
      change: (sample) => {
        sample.header = sample.header.replace('äöüß', 'abcd');
      },
    },
    {
      demand: 'A comment',
      name: 'an empty line before it',
      change: (sample) => {
        sample.header = sample.header.replace('\n', '\n\n');
      },
    },
    {
      demand: 'The trailer has an identifier',
      name: 'none',
      change: (sample) => {
        sample.trailer = '';
      },
    },
    {
      demand: 'The trailer has an identifier',
      name: 'a half',
      change: (sample) => {
        sample.trailer = '/ID[<00>]';
      },
    },
    {
      demand: 'The trailer has an identifier',
      name: 'an empty one',
      change: (sample) => {
        sample.trailer = '/ID[()()]';
      },
    },
    {
      demand: 'The trailer has an information dictionary only',
      name: 'one without such data',
      change: (sample) => {
        sample.trailer += '/Info<</ModDate(D:20260102020405Z)>>';
      },
    },
    {
      demand: 'The trailer has an information dictionary only',
      name: 'a title in it',
      change: (sample) => {
        sample.trailer += '/Info<</Title(A)>>';
        sample.add('catalog', '/PieceInfo<<>>');
      },
    },
    {
      demand: 'If the catalogue has a version',
      name: 'that of an earlier part',
      change: (sample) => sample.add('catalog', '/Version/1.7'),
    },
    {
      demand: 'The file is not encrypted',
      name: 'so that everybody can open it',
      qpdf: [...AS_IT_IS, '--encrypt', '', 'owner', '256', '--'],
    },
    {
      demand: 'Encryption lets',
      name: 'forbidden to all',
      qpdf: ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--accessibility=n', '--'],
    },
    {
      demand: 'Only a line end',
      name: 'blanks behind it',
      change: (sample) => {
        sample.end = '\n%%EOF\n \n';
      },
    },
    {
      demand: 'The cross-references are a table',
      name: 'a stream',
      changeFile: (file) => replaced(file, '\nxref\n', '\nxxxx\n'),
      also: ['Nothing in the file needs repair'],
    },
    {
      demand: 'A table of cross-references',
      name: 'two spaces',
      changeFile: (file) => replaced(file, '\nxref\n0 ', '\nxref\n0  '),
      also: ['Nothing in the file needs repair'],
    },
    {
      demand: 'Objects start',
      name: 'two spaces',
      changeFile: (file) => replaced(file, '\n2 0 obj\n', '\n2  0 obj'),
    },
    {
      demand: 'Objects start',
      name: 'endobj behind other words',
      changeFile: (file) => replaced(file, '\nendobj\n', ' endobj\n'),
    },
    {
      demand: 'Names of fonts',
      name: 'Latin-1',
      change: (sample) => {
        sample.change('font', '+Test', '+Tést');
        sample.change('descriptor', '+Test', '+Tést');
      },
      changeFile: (file) => Buffer.from(file.toString('latin1').replaceAll('TÃ©st', 'Téést'), 'latin1'),
    },
    {
      demand: 'Names of fonts',
      name: 'a role',
      change: (sample) => sample.change('structure', '/Standard/P', '/Standard/P/R#FF/P'),
    },
    {
      demand: 'Names of fonts',
      name: 'a spot colour',
      change: (sample) => (sample.parts.spot = { text: '[/Separation/R#FF/DeviceRGB{state}]' }),
    },
    {
      demand: 'Streams have the length',
      name: 'no line end after them',
      qpdf: ['--compress-streams=n'],
    },
    {
      demand: 'Streams are in the file',
      name: 'one elsewhere',
      change: (sample) => sample.add('unicode', '/F(a.txt)'),
    },
    {
      demand: 'Streams have no filter',
      name: 'LZW',
      change: (sample) => sample.add('image', '/Filter/LZWDecode'),
    },
    {
      demand: 'Streams have no filter',
      name: 'JPX',
      profiles: ['1b'],
      change: (sample) => sample.add('image', '/Filter/JPXDecode'),
    },
    {
      demand: 'Streams have no filter',
      name: 'LZW in an inline image',
      change: (sample) =>
        sample.changeData('content', 'q /G1', 'BI /W 1 /H 1 /IM true /BPC 1 /F /LZW ID \x80 EI q /G1'),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a large number',
      change: (sample) => sample.add('info', '/Large 2147483648'),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a large fraction',
      profiles: ['1b'],
      change: (sample) => sample.add('info', '/Large 32768.5'),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a long string',
      change: (sample) => sample.add('info', `/Long(${LONG})`),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a string that part 1 permits',
      profiles: ['2b', '3b'],
      change: (sample) => sample.add('info', `/Long(${LONG.slice(0, 32_768)})`),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a large dictionary',
      profiles: ['1b'],
      change: (sample) =>
        sample.add('info', `/Large<<${Array.from({ length: 4_096 }, (_, key) => `/K${key} 0`).join('')}>>`),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a long name',
      change: (sample) => sample.add('info', `/${'x'.repeat(128)} 1`),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a long array',
      profiles: ['1b'],
      change: (sample) => sample.add('info', `/Long[${'0 '.repeat(8_192)}]`),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a large number on a page',
      change: (sample) => sample.changeData('content', '9 9 l', '2147483648 9 l'),
    },
    {
      demand: 'Numbers, strings, names',
      name: 'a long string on a page',
      change: (sample) => sample.changeData('content', '<01> Tj', `[<${'01'.repeat(65_536)}>] TJ`),
    },
    {
      demand: 'Graphics states are nested',
      name: 'deeper',
      change: (sample) => sample.changeData('content', 'q /G1', `${'q '.repeat(28)}q /G1`),
    },
    {
      demand: 'Page boundaries',
      name: 'a narrow page',
      change: (sample) => sample.change('page', '[0 0 595 842]', '[0 0 2 842]'),
    },
  ],
);
