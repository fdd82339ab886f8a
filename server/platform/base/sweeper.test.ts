import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { monotonicMs } from './clock.ts';
import { configureLog } from './log.ts';
import { every, everyDue, loopTroubles } from './sweeper.ts';

const reached = async (is: () => boolean): Promise<void> => {
  while (!is()) await sleep(2);
};

before(() => configureLog({ sink: () => {} }));

test('turns never overlap, and none begins after the stop', async () => {
  let inside = 0;
  let turns = 0;
  const sweeper = every(1, 'test', async () => {
    assert.equal(++inside, 1);
    await sleep(10);
    turns += 1;
    inside -= 1;
  });
  await reached(() => turns >= 2);
  await sweeper.stop();
  const seen = turns;
  await sleep(30);
  assert.equal(turns, seen);
});

test('a wake begins the next turn at once, also when it comes during one', async () => {
  let turns = 0;
  const sweeper = every(60_000, 'test', async () => {
    turns += 1;
    await sleep(20);
  });
  await sleep(5);
  sweeper.wake();
  await sleep(60);
  assert.equal(turns, 2);
  sweeper.wake();
  await sleep(30);
  assert.equal(turns, 3);
  await sweeper.stop();
});

test('errors make its pauses longer, success makes them short again', async () => {
  let isBroken = true;
  let turns = 0;
  const sweeper = every(1, 'test', async () => {
    turns += 1;
    if (isBroken) throw new Error('away');
  });
  await sleep(250);
  assert.ok(turns <= 3, `${turns} turns while it fails`);
  sweeper.wake();
  await sleep(10);
  assert.ok(turns <= 3, 'a wake doesn’t defeat the pause');
  isBroken = false;
  await sleep(500);
  assert.ok(turns > 20, `${turns} turns after it`);
  await sweeper.stop();
});

test('loops that share one poll run when it names them, and a failing or slow one holds up no other', async () => {
  const turns = { quick: 0, slow: 0 };
  let due: (keyof typeof turns)[] = [];
  const tasks = new Map([
    ['quick', async () => void (turns.quick += 1)],
    [
      'slow',
      async () => {
        turns.slow += 1;
        await sleep(100);
        throw new Error('away');
      },
    ],
  ]);
  const sweeper = everyDue(60_000, 'test', async () => due, tasks);
  await reached(() => turns.quick === 1);
  due = ['quick'];
  sweeper.wake();
  await reached(() => turns.quick === 2);
  assert.equal(turns.slow, 1, 'each began with a look of its own');
  due = ['quick', 'slow'];
  sweeper.wake();
  await reached(() => turns.quick === 3);
  sweeper.wake();
  await reached(() => turns.quick === 4);
  await sweeper.stop();
  assert.deepEqual(turns, { quick: 4, slow: 1 });
  sweeper.wake();
  await sleep(20);
  assert.deepEqual(turns, { quick: 4, slow: 1 }, 'none begins after the stop');
});

const troubles = (now?: number): string[] =>
  loopTroubles(now).flatMap(({ name, words }) => (name.startsWith('trouble') ? words : []));

test('reports a loop that fails twice in a row while it fails, and for at least one poll', async (context) => {
  let turns = 0;
  const failing = (which: readonly number[]) => async () => {
    turns += 1;
    if (which.includes(turns)) throw new Error('no such table token=abc');
  };
  const once = every(60_000, 'trouble once', failing([1]));
  await reached(() => turns === 1);
  assert.deepEqual(troubles(monotonicMs() + 30_000), [], 'one failure passes by itself');
  await once.stop();
  turns = 0;
  const twice = every(1, 'trouble twice', failing([2, 3]));
  context.after(() => twice.stop());
  await reached(() => turns > 3);
  const now = monotonicMs();
  assert.deepEqual(troubles(now), ['The loop trouble twice has failed twice in a row: no such table token=[hidden]']);
  assert.deepEqual(troubles(now + 15_001), []);
  await twice.stop();
  assert.deepEqual(troubles(), []);
});

test('reports an unavailable database for a loop only once it lasts', async (context) => {
  let turns = 0;
  const sweeper = every(1, 'trouble away', async () => {
    turns += 1;
    throw new Problem('unavailable', { cause: new Error('canceling statement due to statement timeout') });
  });
  context.after(() => sweeper.stop());
  await reached(() => turns >= 2);
  const now = monotonicMs();
  assert.deepEqual(troubles(now), []);
  const [words] = troubles(now + 60_000);
  assert.match(words ?? '', /^The loop trouble away has failed \d+ times in a row: canceling statement/);
});

test('reports a hanging loop as overdue at the second poll, and no loop that ends in time', async (context) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hangs = every(1, 'trouble hangs', () => promise, { withinMs: 50 });
  const tasks = every(1, 'trouble works', () => sleep(5), { withinMs: 50 });
  context.after(async () => {
    resolve();
    await Promise.all([hangs.stop(), tasks.stop()]);
  });
  await sleep(60);
  const now = monotonicMs();
  assert.deepEqual(troubles(now), [], 'a process that stood still is given a moment');
  const [words] = troubles(now + 6_000);
  assert.match(words ?? '', /^The loop trouble hangs is overdue: its turn is not over after \d+ seconds\.$/);
  resolve();
  await sleep(20);
  assert.deepEqual(troubles(), []);
});

test('counts the time of a hanging loop with long pauses from the begin of its turn', async (context) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seldom = every(3_600_000, 'trouble seldom', () => promise, { withinMs: 50 });
  context.after(async () => {
    resolve();
    await seldom.stop();
  });
  await sleep(60);
  const now = monotonicMs();
  assert.deepEqual(troubles(now), [], 'a process that stood still is given a moment');
  assert.match(troubles(now + 6_000)[0] ?? '', /^The loop trouble seldom is overdue/);
});
