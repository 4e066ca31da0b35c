/** Which upload gives way where all places are taken. */
import t from 'tap';
import { type Sender, turnOf } from '../../src/queue/sender.ts';
import { GONE_MS, STALLED_MS, type UploadPlace, UploadPlaces } from '../../src/queue/upload-places.ts';
import { LOOK_MS, UploadProgress } from '../../src/queue/upload-progress.ts';
import { stall } from '../support/stalls.ts';

const TIMEOUT_MS = 120_000;

const secret = (account: string): Sender => ({ class: 'live', account, keyType: 'sk' });
const open = (account: string): Sender => ({ class: 'live', account, keyType: 'pk' });
const test = (account: string): Sender => ({ class: 'test', account });
const passerBy = (network: string): Sender => ({ class: 'public', network });

interface Upload extends UploadPlace {
  readonly name: string;
}

interface Given {
  readonly stalledMs?: number;
  readonly ageMs?: number;
  readonly bytes?: readonly [received: number, total?: number | undefined];
}

/** Places that are all taken, by these uploads. */
function taken(...uploads: readonly (readonly [name: string, sender: Sender, given?: Given])[]) {
  const places = new UploadPlaces<Upload>(uploads.length, TIMEOUT_MS);
  for (const [name, sender, { stalledMs = 0, ageMs = 0, bytes = [0] } = {}] of uploads) {
    const progress = new UploadProgress();
    if (stalledMs > 0) stall(progress, stalledMs);
    [progress.receivedBytes, progress.totalBytes] = bytes;
    places.add({ name, sender, turn: turnOf(sender), since: performance.now() - ageMs, progress });
  }
  return {
    evictionCandidate: (sender: Sender) => places.evictionCandidate({ sender, turn: turnOf(sender) })?.name,
    expectedSeconds: (sender: Sender) =>
      Math.ceil(places.expectedMs({ sender, turn: turnOf(sender) }) / 1000),
  };
}

const stalled = (stalledMs: number): Given => ({ stalledMs });

t.test(
  'of an account’s own uploads the one that has been stalled the longest, never an active one',
  async (t) => {
    const a = secret('a');
    const active = taken(['1', a], ['2', a, stalled(STALLED_MS - LOOK_MS)], ['3', a]);
    t.equal(active.evictionCandidate(a), undefined);
    const some = taken(
      ['1', a],
      ['2', a, stalled(STALLED_MS)],
      ['3', a, stalled(4_000)],
      ['4', a, stalled(4_000)],
    );
    t.equal(some.evictionCandidate(a), '3');
    for (const sender of [test('a'), passerBy('192.0.2.1')])
      t.equal(some.evictionCandidate(sender), undefined);
  },
);

t.test('one that is as good as gone gives way to anybody', async (t) => {
  const [a, b] = [secret('a'), secret('b')];
  const even = taken(['a1', a], ['a2', a], ['b1', b, stalled(GONE_MS - LOOK_MS)], ['b2', b]);
  t.equal(even.evictionCandidate(a), undefined);
  const gone = taken(
    ['a1', a],
    ['a2', a],
    ['b1', b, stalled(GONE_MS)],
    ['b2', b, stalled(GONE_MS + LOOK_MS)],
  );
  for (const sender of [a, open('a'), test('c'), passerBy('192.0.2.1')])
    t.equal(gone.evictionCandidate(sender), 'b2');
});

t.test(
  'an account with fewer takes a stalled one of the account with the most, else its newest',
  async (t) => {
    const [a, b] = [secret('a'), secret('b')];
    t.equal(taken(['a1', a], ['a2', a], ['a3', a], ['b1', b]).evictionCandidate(b), 'a3');
    const some = taken(['a1', a, stalled(3_000)], ['a2', a], ['a3', a], ['b1', b, stalled(9_000)]);
    t.equal(some.evictionCandidate(b), 'a1', 'rather than one of its own');
    t.equal(some.evictionCandidate(a), 'a1', 'the account with the most has to do with its own');
  },
);

t.test('public keys leave their account’s secret keys three quarters', async (t) => {
  const [sk, pk] = [secret('a'), open('a')];
  const more = taken(['1', pk], ['2', sk], ['3', pk], ['4', sk]);
  t.equal(more.evictionCandidate(sk), '3');
  t.equal(more.evictionCandidate(pk), undefined);
  const share = taken(['1', pk], ['2', sk], ['3', sk], ['4', sk]);
  t.equal(share.evictionCandidate(sk), undefined);
  const some = taken(
    ['1', pk],
    ['2', sk, stalled(GONE_MS - LOOK_MS)],
    ['3', sk],
    ['4', pk, stalled(STALLED_MS)],
  );
  t.equal(some.evictionCandidate(pk), '4', 'and take none of theirs, even one that stands still');
  t.equal(some.evictionCandidate(sk), '2');
  t.equal(more.evictionCandidate(secret('b')), '3', 'nor do others take those first');
});

t.test('guests leave live work three quarters', async (t) => {
  const a = secret('a');
  const more = taken(['1', a], ['2', test('a')], ['3', a], ['4', passerBy('192.0.2.1')]);
  t.equal(more.evictionCandidate(a), '4');
  const share = taken(['1', a], ['2', test('a')], ['3', a], ['4', a]);
  t.equal(share.evictionCandidate(a), undefined);
  t.equal(share.evictionCandidate(test('a')), undefined);
  t.equal(more.evictionCandidate(test('b')), undefined, 'they take from guests with more alone');
});

t.test('guests get a quarter of the places from one account’s public keys', async (t) => {
  const [sk, pk] = [secret('a'), open('a')];
  const guests = [test('a'), test('b'), passerBy('192.0.2.1')];
  const all = taken(...[1, 2, 3, 4].map((n) => [`${n}`, pk] as const));
  for (const guest of guests) t.equal(all.evictionCandidate(guest), '4', 'its newest');
  t.equal(all.evictionCandidate(pk), undefined);
  const some = taken(['1', pk], ['2', sk], ['3', pk], ['4', sk]);
  for (const guest of guests) t.equal(some.evictionCandidate(guest), '3', 'none of a secret key');
  const share = taken(['1', pk], ['2', sk], ['3', sk], ['4', sk]);
  for (const guest of guests)
    t.equal(share.evictionCandidate(guest), undefined, 'those have no more than their share');
  const full = taken(['1', pk], ['2', pk], ['3', pk], ['4', test('c')]);
  for (const guest of guests) t.equal(full.evictionCandidate(guest), undefined, 'guests have theirs');
  const few = taken(['1', pk], ['2', pk], ['3', pk]);
  for (const guest of guests) t.equal(few.evictionCandidate(guest), undefined, 'a quarter of three is none');
});

t.test('when a place may be expected', async (t) => {
  const [a, b] = [secret('a'), secret('b')];
  const rate = (ageMs: number, received: number, total?: number): Given => ({
    ageMs,
    bytes: [received, total],
  });
  const going = taken(['1', a, rate(30_500, 10_000, 20_000)], ['2', a, rate(4_000, 10_000, 1_000_000)]);
  t.equal(going.expectedSeconds(a), 31, 'the first that ends at its rate');
  t.equal(taken(['1', a, rate(30_500, 10_000)]).expectedSeconds(a), 31, 'as long again');
  t.equal(
    taken(['1', a, rate(100_500, 10_000, 20_000)]).expectedSeconds(a),
    20,
    'no later than its time limit',
  );
  t.equal(taken(['1', a, rate(500, 90_000, 100_000)]).expectedSeconds(test('b')), 1, 'one that is quick');
  const fresh = taken(['1', a, { ageMs: 50 }], ['2', a, rate(10, 200, 100_000)]);
  t.equal(fresh.expectedSeconds(a), 2, 'its own have hardly begun');
  for (const other of [test('a'), passerBy('192.0.2.1')]) t.equal(fresh.expectedSeconds(other), 10);
  const pk = taken(['1', open('a')], ['2', a], ['3', a], ['4', a]);
  t.equal(pk.expectedSeconds(open('a')), 2);
  const secretOnes = taken(['1', a], ['2', a], ['3', a], ['4', a]);
  t.equal(secretOnes.expectedSeconds(open('a')), 10, 'a public key gets none of a secret one sooner');
  const some = taken(
    ['a1', a, { ageMs: 60_000, stalledMs: 1_000 }],
    ['b1', b, { ageMs: 60_000, stalledMs: 4_000 }],
  );
  t.equal(some.expectedSeconds(a), 1, 'its own soon');
  t.equal(some.expectedSeconds(test('a')), 6, 'those of others when they are as good as gone');
  t.equal(taken(['1', a, { ageMs: 118_500, stalledMs: 1_000 }]).expectedSeconds(b), 2);
});
