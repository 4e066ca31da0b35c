/** What holds in the queue whatever is sent, ended and aborted, in whatever order. */
import fc from 'fast-check';
import t from 'tap';
import type { Place } from '../../src/queue/queue.ts';
import { Queue } from '../../src/queue/queue.ts';
import { type Sender, type Turn, turnOf } from '../../src/queue/sender.ts';
import { stall } from '../support/stalls.ts';
import { settled, Task } from '../support/tasks.ts';

const senders: readonly Sender[] = [
  { class: 'live', account: 'a' },
  { class: 'live', account: 'b' },
  { class: 'live', account: 'c' },
  { class: 'test', account: 'a' },
  { class: 'public', network: '192.0.2.1' },
  { class: 'public', network: '192.0.2.2' },
];

const commands = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('send' as const), which: fc.nat(senders.length - 1) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), which: fc.nat(20) }) },
  ),
  { maxLength: 60, size: 'max' },
);

interface Sent {
  readonly sender: Sender;
  readonly task: Task;
  readonly controller: AbortController;
  state: 'waiting' | 'running' | 'gone';
}

/** The queue, and what the world outside knows of it. */
class Model {
  readonly queue: Queue;
  readonly #workers: number;
  readonly #limit: number;
  readonly #all: Sent[] = [];
  /** How often an account was served while another waited: `served:waiting`. */
  readonly #passedOver = new Map<string, number>();

  /** What did not hold when a task was started. */
  readonly #broken: string[] = [];

  constructor(workers: number, limit: number) {
    this.#workers = workers;
    this.#limit = limit;
    this.queue = new Queue({ workers, limit, timeoutMs: 60_000 });
  }

  in(state: Sent['state'], ...groups: readonly string[]): Sent[] {
    return this.#all.filter(
      (sent) => sent.state === state && (groups.length === 0 || groups.includes(turnOf(sent.sender).group)),
    );
  }

  async send(sender: Sender): Promise<void> {
    const sent: Sent = { sender, task: new Task(), controller: new AbortController(), state: 'waiting' };
    this.#all.push(sent);
    const run = async () =>
      this.queue.enter(sender).run(
        () => {
          this.#started(sent);
          return sent.task.run();
        },
        0,
        sent.controller.signal,
      );
    // Refused or aborted: it is gone, as it is when it has ended.
    run().then(
      () => this.#gone(sent),
      () => this.#gone(sent),
    );
    await settled();
    this.check();
  }

  async end(which: number): Promise<void> {
    const running = this.in('running');
    const ending = running[which % running.length];
    if (!ending) return;
    // Before the queue does: the next starts in the same breath.
    this.#gone(ending);
    ending.task.end();
    await settled();
    this.check();
  }

  async abort(which: number): Promise<void> {
    const waiting = this.in('waiting');
    waiting[which % waiting.length]?.controller.abort(new Error('the client left'));
    await settled();
    this.check();
  }

  #gone(sent: Sent): void {
    sent.state = 'gone';
  }

  #started(sent: Sent): void {
    sent.state = 'running';
    const guests = this.in('running', 'guest').length;
    const half = Math.max(1, Math.floor(this.#workers / 2));
    const isGuest = turnOf(sent.sender).group === 'guest';
    if (isGuest && this.in('waiting', 'live').length > 0 && guests > half) {
      this.#broken.push(`guests hold ${guests} of ${this.#workers} workers while live work waits`);
    }
    this.#countTurn(sent);
  }

  /** Of two live accounts that both wait, none is served twice before the other. */
  #countTurn({ sender }: Sent): void {
    if (sender.class !== 'live') return;
    for (const key of this.#passedOver.keys()) {
      if (key.endsWith(`:${sender.account}`)) this.#passedOver.delete(key);
    }
    const waiting = new Set(this.in('waiting', 'live').map((other) => turnOf(other.sender).path[0]));
    for (const other of ['a', 'b', 'c']) {
      const key = `${sender.account}:${other}`;
      if (other === sender.account || !waiting.has(other)) this.#passedOver.delete(key);
      else this.#passedOver.set(key, (this.#passedOver.get(key) ?? 0) + 1);
      if ((this.#passedOver.get(key) ?? 0) > 1) this.#broken.push(`${key} twice in a row`);
    }
  }

  check(): void {
    if (this.#broken.length > 0) throw new Error(this.#broken.join(', '));
    for (const key of this.#passedOver.keys()) {
      const other = key.split(':')[1];
      const waits = this.in('waiting', 'live').some(({ sender }) => turnOf(sender).path[0] === other);
      if (!waits) this.#passedOver.delete(key);
    }
    const [running, waiting] = [this.in('running').length, this.in('waiting').length];
    const told = { running: this.queue.running, waiting: this.queue.waiting };
    if (told.running !== running || told.waiting !== waiting) {
      throw new Error(`the queue tells ${JSON.stringify(told)}, there are ${running} and ${waiting}`);
    }
    if (running > this.#workers) throw new Error(`${running} run`);
    if (waiting > this.#limit) throw new Error(`${waiting} wait`);
    if (waiting > 0 && running < this.#workers) throw new Error('a worker rests while somebody waits');
    if (this.queue.arriving > 0) throw new Error('an upload is under way for ever');
  }
}

const uploaders: readonly Sender[] = [...senders, { class: 'live', account: 'a', keyType: 'pk' }];
/** The longest stall, in seconds. */
const LONG_S = 15;

/** Uploads that begin, stall, go on and end where all places are taken at times. */
class Uploads {
  readonly #queue: Queue;
  readonly #limit: number;
  readonly #places = new Map<Place, number>();

  constructor(limit: number) {
    this.#limit = limit;
    this.#queue = new Queue({ workers: 1, limit: 1_000, timeoutMs: 60_000, uploads: limit });
  }

  begin(sender: Sender): void {
    const before = new Map(this.#places);
    const { group, path } = turnOf(sender);
    const stalls = this.#below(before, group, path).map((place) => this.#places.get(place) ?? 0);
    let place: Place;
    try {
      place = this.#queue.enter(sender);
    } catch {
      if (before.size < this.#limit) throw new Error('an upload was refused while there were places');
      if (sender.class !== 'live' || isPublic({ sender })) return;
      if (stalls.some((ms) => ms >= 2_000))
        throw new Error('an account was kept out by its own stalled ones');
      return;
    }
    const lost = [...before.keys()].filter(({ signal }) => signal.aborted);
    for (const loser of lost) this.#places.delete(loser);
    this.#places.set(place, 0);
    if (this.#places.size > this.#limit) throw new Error('there are more uploads than places');
    if (lost.length > 1) throw new Error('one upload took the places of several');
    const [loser] = lost;
    if (loser) this.#check(sender, loser, before);
  }

  stall(which: number, ms: number): void {
    const place = this.#pick(which);
    if (!place) return;
    stall(place.progress, ms);
    this.#places.set(place, ms);
  }

  end(which: number): void {
    const place = this.#pick(which);
    if (!place) return;
    place.leave();
    this.#places.delete(place);
  }

  /** Nobody loses an upload that goes on to who has as many, and nobody but the sender a short stall. */
  #check(sender: Sender, loser: Place, before: ReadonlyMap<Place, number>): void {
    const stalledMs = before.get(loser) ?? 0;
    const [winner, victim] = [turnOf(sender), turnOf(loser.sender)];
    if (stalledMs >= 10_000) return;
    const isOwn = winner.group === victim.group && winner.path.join() === victim.path.join();
    const guests = this.#below(before, 'guest', []).length;
    const isPk = isPublic(loser);
    if (isOwn) {
      const byPk = isPublic({ sender });
      if (byPk && !isPk) throw new Error('a public key took the place of a secret one');
      if (stalledMs < 2_000 && (byPk || !isPk))
        throw new Error('an account lost an upload to its own next one');
    } else if (winner.group === 'live' && victim.group === 'guest') {
      if (guests <= this.#limit / 4) throw new Error('live work took more than its part from guests');
    } else if (winner.group !== victim.group) {
      if (!isPk) throw new Error('a guest took the place of a secret key');
      const pk = this.#below(before, 'live', victim.path).filter(isPublic).length;
      if (pk <= this.#limit / 4) throw new Error('a guest took a public key’s own part');
      if (guests + 1 > this.#limit / 4) throw new Error('guests took more than their part from live work');
    } else {
      const level = winner.path.findIndex((name, n) => name !== victim.path[n]);
      const had = (turn: Turn) => this.#below(before, turn.group, turn.path.slice(0, level + 1)).length;
      if (had(victim) <= had(winner) + 1) throw new Error('who has more took a place from who has fewer');
    }
  }

  #below(places: ReadonlyMap<Place, number>, group: Turn['group'], path: readonly string[]): Place[] {
    return [...places.keys()].filter(({ sender }) => {
      const turn = turnOf(sender);
      return turn.group === group && path.every((name, n) => name === turn.path[n]);
    });
  }

  #pick(which: number): Place | undefined {
    const all = [...this.#places.keys()];
    return all[which % all.length];
  }
}

function isPublic({ sender }: Pick<Place, 'sender'>): boolean {
  return sender.class === 'live' && sender.keyType === 'pk';
}

t.test('turns, shares and bounds hold', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 8 }),
      commands,
      async (workers, limit, list) => {
        const model = new Model(workers, limit);
        for (const command of list) {
          if (command.do === 'send') await model.send(senders[command.which] as Sender);
          else await model[command.do](command.which);
        }
        // Whoever waits is served.
        for (let left = 100; model.in('running').length > 0 && left > 0; left--) await model.end(0);
        if (model.in('running').length + model.in('waiting').length > 0) throw new Error('some are left');
      },
    ),
    { numRuns: 200 },
  );
  t.pass('in 200 random histories');
});

const histories = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('begin' as const), which: fc.nat(uploaders.length - 1) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('stall' as const),
        which: fc.nat(50),
        seconds: fc.nat(LONG_S),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(50) }) },
  ),
  { maxLength: 80, size: 'max' },
);

t.test('no upload that goes on is lost to who has as many', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), histories, (limit, list) => {
      const uploads = new Uploads(limit);
      for (const command of list) {
        if (command.do === 'begin') uploads.begin(uploaders[command.which] as Sender);
        else if (command.do === 'stall') uploads.stall(command.which, command.seconds * 1_000);
        else uploads.end(command.which);
      }
    }),
    { numRuns: 500 },
  );
  t.pass('in 500 random histories');
});
