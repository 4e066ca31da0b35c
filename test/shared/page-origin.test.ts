/** Which texts are origins of pages that may use a key. */
import t from 'tap';
import { mistakeInOrigin } from '../../src/shared/page-origin.ts';

t.test('origins as browsers send them', (t) => {
  const right = [
    'https://shop.example',
    'https://shop.example:8443',
    'https://xn--bcher-kva.example',
    'https://192.0.2.7',
    'https://[2001:db8::7]:8443',
    'http://localhost',
    'http://localhost:3000',
    'http://app.localhost:3000',
    'http://127.0.0.1:5173',
    'http://[::1]:5173',
  ];
  for (const origin of right) t.equal(mistakeInOrigin(origin), undefined, origin);
  t.end();
});

t.test('what is none, and how to write it', (t) => {
  const wrong: readonly (readonly [string, string])[] = [
    ['', 'is not an origin'],
    ['*', 'is not an origin'],
    ['null', 'is not an origin'],
    ['shop.example', 'is not an origin'],
    ['//shop.example', 'is not an origin'],
    ['localhost:3000', 'is not an origin'],
    ['https://*.shop.example', 'is not an origin'],
    ['https://', 'is not an origin'],
    ['https://shop .example', 'is not an origin'],
    ['ftp://shop.example', 'is not an origin'],
    ['file:///shop', 'is not an origin'],
    ['blob:https://shop.example', 'is not an origin'],
    ['chrome-extension://abcdef', 'is not an origin'],
    ['http://shop.example', 'must begin with https'],
    ['http://localhost.example', 'must begin with https'],
    ['http://192.168.0.1', 'must begin with https'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example/cart', 'https://shop.example'],
    ['https://shop.example?a', 'https://shop.example'],
    ['https://shop.example#a', 'https://shop.example'],
    ['https://user:password@shop.example', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['HTTPS://Shop.Example', 'https://shop.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    [' https://shop.example', 'https://shop.example'],
    ['https://shop.example\nhttps://b.example', 'written as browsers send it: https://shop.examplehttps'],
    ['http://localhost:80', 'http://localhost'],
  ];
  for (const [text, says] of wrong) t.match(mistakeInOrigin(text) ?? '', says, JSON.stringify(text));
  t.end();
});
