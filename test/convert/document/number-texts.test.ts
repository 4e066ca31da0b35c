/** Numbers in the formats of fields. */
import t from 'tap';
import { casedText, numberText } from '../../../src/convert/document/number-texts.ts';

t.test('numbers', async (t) => {
  const texts: readonly (readonly [number, string, string | undefined])[] = [
    [7, '', '7'],
    [7, 'Arabic', '7'],
    [1994, 'ROMAN', 'MCMXCIV'],
    [4, 'roman', 'iv'],
    [0, 'roman', undefined],
    [26, 'alphabetic', 'z'],
    [28, 'ALPHABETIC', 'BB'],
    [3, 'ArabicDash', '- 3 -'],
    [1, 'Ordinal', '1st'],
    [12, 'Ordinal', '12th'],
    [23, 'Ordinal', '23rd'],
    [0, 'CardText', 'zero'],
    [42, 'CardText', 'forty-two'],
    [110, 'CardText', 'one hundred ten'],
    [2_001, 'CardText', 'two thousand one'],
    [1_000_000, 'CardText', undefined],
    [21, 'OrdText', 'twenty-first'],
    [30, 'OrdText', 'thirtieth'],
    [104, 'OrdText', 'one hundred fourth'],
    [255, 'Hex', 'FF'],
    [1.5, 'CardText', undefined],
    [3, 'ChineseNum1', undefined],
  ];
  for (const [number, format, text] of texts)
    t.equal(numberText(number, format), text, `${number} ${format}`);
});

t.test('cases', async (t) => {
  t.equal(casedText('twenty-one apples', 'Upper'), 'TWENTY-ONE APPLES');
  t.equal(casedText('ABC', 'Lower'), 'abc');
  t.equal(casedText('éa b', 'FirstCap'), 'Éa b');
  t.equal(casedText("it's a b", 'Caps'), "It's A B");
  t.equal(casedText('a', 'Arabic'), undefined);
});
