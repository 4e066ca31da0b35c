/** The rules of combinations: each is broken by what it is about, and by nothing less. */
import t from 'tap';
import { brokenRule, rules } from '../../../src/shared/options/combinations.ts';
import type { AllOptions } from '../../../src/shared/options/conversion-options.ts';

const everyRule = () => true;

/** Options that break one rule, and what may be sent in their place. */
const broken: readonly (readonly [AllOptions, AllOptions])[] = [
  [{ page: 2 }, { page: 2, format: 'png' }],
  [{ width: 500 }, { width: 500, format: 'png' }],
  [{ background: 'white' }, { background: 'white', format: 'png' }],
  [{ pdfa: '2b', format: 'png' }, { pdfa: '2b' }],
  [
    { tagged: false, format: 'png' },
    { format: 'png', watermark: 'Draft', pages: '2-' },
  ],
  [
    { userPassword: 'a', format: 'png' },
    { password: 'a', format: 'png' },
  ],
  [{ userPassword: 'a', pdfa: '2b' }, { userPassword: 'a' }],
  [{ ownerPassword: 'a', pdfa: '3b' }, { pdfa: '3b' }],
  [
    { pdfua: true, pdfa: '1b' },
    { pdfua: true, pdfa: '2b' },
  ],
  [{ linearize: true, pdfa: '2b' }, { linearize: true }],
  [{ tagged: false, pdfa: '2b' }, { tagged: false }],
  [{ tagged: false, pdfua: true }, { pdfua: true }],
  [{ imageQuality: 50 }, { imageQuality: 50, images: 'jpeg' }],
  [{ watermarkColor: 'ff0000' }, { watermarkColor: 'ff0000', watermark: 'Draft' }],
  [{ watermarkSize: 40 }, { watermarkSize: 40, watermark: 'Draft' }],
  [{ watermarkAngle: 0 }, { watermarkAngle: 0, watermark: 'Draft' }],
  [
    { allow: 'print', userPassword: 'a' },
    { allow: 'print', ownerPassword: 'a' },
  ],
  [
    { userPassword: 'a', ownerPassword: 'a' },
    { userPassword: 'a', ownerPassword: 'b' },
  ],
];

t.test('each pair that cannot be', async (t) => {
  for (const [options, instead] of broken) {
    const rule = brokenRule(options, everyRule);
    const names = Object.keys(options);
    t.ok(
      rule?.options.some((name) => names.includes(name)),
      JSON.stringify(options),
    );
    for (const name of names.filter((each) => rule?.options[0] === each)) t.match(rule?.message, name);
    t.equal(brokenRule(instead, everyRule), undefined, JSON.stringify(instead));
  }
});

t.test('a message that is a sentence', async (t) => {
  for (const { message, options } of rules) {
    t.match(message, /^[\w/].*[^.]\.$/);
    t.ok(options.length > 1);
  }
});
