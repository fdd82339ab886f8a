import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { configureLog } from './log.ts';
import { every } from './sweeper.ts';

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
  await sleep(60);
  await sweeper.stop();
  const seen = turns;
  assert.ok(seen >= 2);
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
