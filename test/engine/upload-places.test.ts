/** Which upload gives way where all places are taken. */
import t from 'tap';
import { type Sender, turnOf } from '../../src/engine/sender.ts';
import { GONE_MS, STALLED_MS, type UploadPlace, UploadPlaces } from '../../src/engine/upload-places.ts';

const TIMEOUT_MS = 120_000;

const secret = (account: string): Sender => ({ class: 'live', account, keyType: 'sk' });
const open = (account: string): Sender => ({ class: 'live', account, keyType: 'pk' });
const test = (account: string): Sender => ({ class: 'test', account });
const passerBy = (network: string): Sender => ({ class: 'public', network });

interface Upload extends UploadPlace {
  readonly name: string;
}

interface Given {
  readonly silentMs?: number;
  readonly ageMs?: number;
}

/** Places that are all taken, by these uploads. */
function taken(...uploads: readonly (readonly [name: string, sender: Sender, given?: Given])[]) {
  const places = new UploadPlaces<Upload>(uploads.length, TIMEOUT_MS);
  for (const [name, sender, { silentMs = 0, ageMs = 0 } = {}] of uploads) {
    places.add({ name, sender, turn: turnOf(sender), since: performance.now() - ageMs, silentMs });
  }
  return {
    loser: (sender: Sender) => places.loser({ sender, turn: turnOf(sender) })?.name,
    expectedSeconds: (sender: Sender) =>
      Math.ceil(places.expectedMs({ sender, turn: turnOf(sender) }) / 1000),
  };
}

const silent = (silentMs: number): Given => ({ silentMs });

t.test(
  'of an account’s own uploads the one that has been silent the longest, never an active one',
  async (t) => {
    const a = secret('a');
    const active = taken(['1', a], ['2', a, silent(STALLED_MS - 1)], ['3', a]);
    t.equal(active.loser(a), undefined);
    const stalled = taken(
      ['1', a],
      ['2', a, silent(STALLED_MS)],
      ['3', a, silent(4_000)],
      ['4', a, silent(4_000)],
    );
    t.equal(stalled.loser(a), '3');
    for (const sender of [test('a'), passerBy('192.0.2.1')]) t.equal(stalled.loser(sender), undefined);
  },
);

t.test('one that is as good as gone gives way to anybody', async (t) => {
  const [a, b] = [secret('a'), secret('b')];
  const even = taken(['a1', a], ['a2', a], ['b1', b, silent(GONE_MS - 1)], ['b2', b]);
  t.equal(even.loser(a), undefined);
  const gone = taken(['a1', a], ['a2', a], ['b1', b, silent(GONE_MS)], ['b2', b, silent(GONE_MS + 1_000)]);
  for (const sender of [a, open('a'), test('c'), passerBy('192.0.2.1')]) t.equal(gone.loser(sender), 'b2');
});

t.test(
  'an account with fewer takes a stalled one of the account with the most, else its newest',
  async (t) => {
    const [a, b] = [secret('a'), secret('b')];
    t.equal(taken(['a1', a], ['a2', a], ['a3', a], ['b1', b]).loser(b), 'a3');
    const stalled = taken(['a1', a, silent(3_000)], ['a2', a], ['a3', a], ['b1', b, silent(9_000)]);
    t.equal(stalled.loser(b), 'a1', 'rather than one of its own');
    t.equal(stalled.loser(a), 'a1', 'the account with the most has to do with its own');
  },
);

t.test('public keys leave their account’s secret keys three quarters', async (t) => {
  const [sk, pk] = [secret('a'), open('a')];
  const more = taken(['1', pk], ['2', sk], ['3', pk], ['4', sk]);
  t.equal(more.loser(sk), '3');
  t.equal(more.loser(pk), undefined);
  const share = taken(['1', pk], ['2', sk], ['3', sk], ['4', sk]);
  t.equal(share.loser(sk), undefined);
  const stalled = taken(['1', pk], ['2', sk, silent(GONE_MS - 1)], ['3', sk], ['4', pk, silent(STALLED_MS)]);
  t.equal(stalled.loser(pk), '4', 'and take none of theirs, even one that stands still');
  t.equal(stalled.loser(sk), '2');
  t.equal(more.loser(secret('b')), '3', 'nor do others take those first');
});

t.test('guests leave live work three quarters', async (t) => {
  const a = secret('a');
  const more = taken(['1', a], ['2', test('a')], ['3', a], ['4', passerBy('192.0.2.1')]);
  t.equal(more.loser(a), '4');
  const share = taken(['1', a], ['2', test('a')], ['3', a], ['4', a]);
  t.equal(share.loser(a), undefined);
  t.equal(share.loser(test('a')), undefined);
  t.equal(more.loser(test('b')), undefined, 'they take from guests with more alone');
});

t.test('when a place may be expected', async (t) => {
  const [a, b] = [secret('a'), secret('b')];
  t.equal(taken(['1', a, { ageMs: 30_500 }], ['2', a, { ageMs: 40_000 }]).expectedSeconds(a), 31, 'half way');
  t.equal(taken(['1', a, { ageMs: 100_500 }]).expectedSeconds(a), 20, 'no later than its time limit');
  const stalled = taken(
    ['a1', a, { ageMs: 60_000, silentMs: 1_000 }],
    ['b1', b, { ageMs: 60_000, silentMs: 4_000 }],
  );
  t.equal(stalled.expectedSeconds(a), 1, 'its own soon');
  t.equal(stalled.expectedSeconds(test('a')), 6, 'those of others when they are as good as gone');
  t.equal(taken(['1', a, { ageMs: 118_500, silentMs: 1_000 }]).expectedSeconds(b), 2);
});
