/** Sound PDFs that look like broken ones. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type Profile, profiles, violations } from '../support/conformance.ts';
import { Sample } from './sample.ts';

const sound: readonly {
  readonly name: string;
  readonly profiles?: readonly Profile[];
  change(sample: Sample): void;
}[] = [
  {
    name: 'a form without resources that needs none',
    change: (sample) => sample.change('form', '/Resources<<>>', ''),
  },
  {
    name: 'in part 1, a form with the resources of its page',
    profiles: ['1b'],
    change: (sample) => {
      sample.change('form', '/Resources<<>>', '');
      sample.changeData('form', '0 0 m', '/G1 gs 0 0 m');
    },
  },
  {
    name: 'graphics states that are nested in each of two streams',
    change: (sample) => {
      sample.changeData('content', '/Fm1 Do', `${'q '.repeat(20)} /Fm1 Do ${'Q '.repeat(20)}`);
      sample.changeData('form', '0 0 m', `${'q '.repeat(20)} ${'Q '.repeat(20)} 0 0 m`);
    },
  },
  {
    name: 'a keyword with a blank at its end',
    change: (sample) => {
      sample.change('info', '(K)', '(K )');
      sample.changeData('metadata', '<pdf:Keywords>K', '<pdf:Keywords>K ');
    },
  },
  {
    name: 'a profile that is shorter than it says',
    change: (sample) => {
      const profile = Buffer.from(sample.part('icc').data ?? '');
      profile.writeUInt32BE(profile.length + 4, 0);
      sample.part('icc').data = profile;
    },
  },
  {
    name: 'marks that are an object of their own',
    change: (sample) => {
      sample.parts.marks = { text: '<</Marked{true}>>' };
      sample.parts.true = { text: 'true' };
      sample.change('catalog', '/MarkInfo<</Marked true>>', '/MarkInfo{marks}');
    },
  },
  {
    name: 'a link outside of the page that says nothing',
    change: (sample) => {
      sample.change('link', '/Rect[0 0 9 9]', '/Rect[0 900 9 909]');
      sample.change('link', '/Contents(B)', '');
    },
  },
  {
    name: 'several fields with one name for readers',
    change: (sample) => {
      sample.parts.group = { text: '<</FT/Tx/T(n)/TU(Name)/Kids[{field}]>>' };
      sample.change('field', '/FT/Tx/T(n)/TU(Name)', '/Parent{group}');
      sample.change('catalog', '/Fields[{field}]', '/Fields[{group}]');
    },
  },
  {
    name: 'texts with languages of their own',
    change: (sample) => {
      sample.change('catalog', '/Lang(en-GB)', '');
      sample.change('catalog', '/Outlines<</First{outline}/Last{outline}/Count 1>>', '');
      sample.add('document', '/Lang(en)');
      for (const text of ['A &amp; B', 'D']) {
        const item = `<rdf:li xml:lang="x-default">${text}</rdf:li>`;
        sample.changeData('metadata', item, item + item.replace('x-default', 'en'));
      }
    },
  },
  {
    name: 'codes of Windows without a map to Unicode',
    change: (sample) => {
      sample.change('font', '/ToUnicode{unicode}', '/Encoding/WinAnsiEncoding');
      sample.change('descriptor', '/Flags 4', '/Flags 32');
    },
  },
];

for (const { name, change, profiles: some = profiles } of sound) {
  t.test(name, async (t) => {
    const path = join(t.testdir(), 'sample.pdf');
    for (const profile of some) {
      const sample = new Sample(profile);
      change(sample);
      await writeFile(path, sample.bytes());
      t.strictSame(await violations(path, profile), [], profile);
    }
  });
}
