import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { configureLog } from './log.ts';
import { every, everyDue } from './sweeper.ts';

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

test('errors slow it down, success brings it back', async () => {
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

test('loops that share one look have a turn when it says so, and one that fails or takes long keeps none of the others', async () => {
  const turns = { quick: 0, slow: 0 };
  let due: (keyof typeof turns)[] = [];
  const works = new Map([
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
  const sweeper = everyDue(60_000, 'test', async () => due, works);
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
