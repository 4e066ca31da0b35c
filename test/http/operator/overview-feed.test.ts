/** Watchers of the overview: all get updates, and the number of readings does not depend on theirs. */
import t, { type Test } from 'tap';
import { OverviewFeed } from '../../../src/http/operator/overview-feed.ts';
import type { Overview } from '../../../src/http/operator/read-overview.ts';
import { recordingLog } from '../../redis/support.ts';
import { until } from '../../support/until.ts';

/** A feed whose readings end when the test says so: each with its number, from 1, as the time of the overview. */
function makeFeed(t: Test) {
  const readings: { end(): void; fail(): void }[] = [];
  const { log, messages } = recordingLog();
  const feed = new OverviewFeed(() => {
    const at = `${readings.length + 1}`;
    return new Promise((resolve, reject) => {
      readings.push({
        end: () => resolve({ at } as Overview),
        fail: () => reject(new Error('no figures')),
      });
    });
  }, log);
  const watch = () => {
    const told: string[] = [];
    const unwatch = feed.watch((json) => told.push((JSON.parse(json) as Overview).at));
    t.teardown(() => unwatch?.());
    return { told, unwatch: () => unwatch?.() };
  };
  return { feed, readings, messages, watch };
}

t.test('one reading is for all who come while it goes on, and for those who come soon after', async (t) => {
  const { readings, watch } = makeFeed(t);
  const watchers = [watch(), watch(), watch()];
  t.equal(readings.length, 1);
  readings[0]?.end();
  await until('they are told', () => watchers.every(({ told }) => told.length === 1));
  for (let i = 0; i < 50; i++) {
    const late = watch();
    t.strictSame(late.told, ['1'], 'at once');
    late.unwatch();
  }
  for (const { unwatch } of watchers) unwatch();
  const again = watch();
  t.strictSame(again.told, ['1']);
  t.equal(readings.length, 1, 'who comes back costs nothing either');
  await until('there is something new', () => readings.length === 2);
  readings[1]?.end();
  await until('it is told', () => again.told.length === 2);
  t.strictSame(again.told, ['1', '2']);
});

t.test('a watcher that joins the reading of one that left gets all further updates', async (t) => {
  const { readings, watch } = makeFeed(t);
  watch().unwatch();
  const { told } = watch();
  t.equal(readings.length, 1);
  readings[0]?.end();
  await until('there is something new', () => readings.length === 2);
  t.strictSame(told, ['1']);
});

t.test('a change is reported at once, and an earlier reading never reverts it', async (t) => {
  const { feed, readings, watch } = makeFeed(t);
  const { told } = watch();
  feed.tellNow();
  t.equal(readings.length, 2);
  readings[1]?.end();
  await until('it is told', () => told.length === 1);
  readings[0]?.end();
  feed.tellNow();
  const late = watch();
  t.strictSame(late.told, [], 'not what was before the change');
  readings[2]?.end();
  await until('it is told', () => late.told.length === 1);
  t.strictSame([told, late.told], [['2', '3'], ['3']]);
});

t.test('a reading that fails is logged, and the next one comes', async (t) => {
  const { feed, readings, messages, watch } = makeFeed(t);
  const { told } = watch();
  readings[0]?.fail();
  await until('it is logged', () => messages.length > 0);
  t.strictSame(messages, ['the overview could not be sent']);
  feed.tellNow();
  readings[1]?.end();
  await until('it is told', () => told.length === 1);
});
