/** The scripts of characters, by their codes (ISO 15924). */

/** The scripts of Unicode 15, which all supported versions of Node know. */
const codes =
  'Adlm Aghb Ahom Arab Armi Armn Avst Bali Bamu Bass Batk Beng Bhks Bopo Brah Brai Bugi Buhd Cakm Cans Cari Cham Cher ' +
  'Chrs Copt Cpmn Cprt Cyrl Deva Diak Dogr Dsrt Dupl Egyp Elba Elym Ethi Geor Glag Gong Gonm Goth Gran Grek Gujr Guru ' +
  'Hang Hani Hano Hatr Hebr Hira Hluw Hmng Hmnp Hung Ital Java Kali Kana Kawi Khar Khmr Khoj Kits Knda Kthi Lana Laoo ' +
  'Latn Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc Medf Mend Merc Mero Mlym Modi Mong Mroo Mtei Mult ' +
  'Mymr Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Orkh Orya Osge Osma Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd ' +
  'Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sind Sinh Sogd Sogo Sora Soyo Sund Sylo Syrc Tagb Takr Tale ' +
  'Talu Taml Tang Tavt Telu Tfng Tglg Thaa Thai Tibt Tirh Tnsa Toto Ugar Vaii Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb';

/** Characters without a script have codes as well: emoji, mathematical notation, other symbols. */
const tests: readonly (readonly [string, RegExp])[] = [
  ...codes.split(' ').map((code) => [code, new RegExp(`\\p{Script=${code}}`, 'u')] as const),
  ['Zsye', /\p{Extended_Pictographic}|\p{Emoji_Presentation}/u],
  ['Zmth', /\p{Math}/u],
  ['Zsym', /\p{Script=Common}/u],
];
/** The script is too new to be known here. */
const UNKNOWN = 'Zzzz';

/**
 * Number of characters by script, the most frequent first.
 *
 * @param characters fast if those of a script are adjacent, as in code point order.
 */
export function countScripts(characters: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  let last: readonly [string, RegExp] | undefined;
  for (const character of characters) {
    if (!last?.[1].test(character)) last = tests.find(([, test]) => test.test(character));
    const code = last?.[0] ?? UNKNOWN;
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
