import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LastGood } from './last-good.ts';

const never = (): Promise<number> => new Promise(() => undefined);

test('the last value stays while the next reading hangs or fails', async () => {
  const known = new LastGood<number>('a figure', 5);
  assert.equal((await known.ask(async () => 1))?.value, 1);
  await sleep(10);
  const begin = performance.now();
  const before = await known.ask(() => Promise.reject(new Error('away')));
  assert.equal(before?.value, 1);
  await sleep(10);
  assert.equal((await known.ask(never))?.value, 1);
  assert.ok(performance.now() - begin < 500, 'nobody waits for what is there');
  await sleep(60);
  const later = await known.ask(async () => 2);
  assert.equal(later?.value, 1, 'one reading at a time');
  assert.ok((later?.ageMs ?? 0) >= 60, 'its age is told');
});

test('waits briefly for a first reading; later readings run in the background', async () => {
  const known = new LastGood<number>('a figure', 20);
  const begin = performance.now();
  assert.equal(await known.ask(never), undefined);
  assert.ok(performance.now() - begin < 1_500);
  const again = performance.now();
  assert.equal(await known.ask(never), undefined);
  assert.ok(performance.now() - again < 300, 'who comes later does not wait for it as long again');

  const other = new LastGood<number>('another', 20);
  let read = 0;
  const next = async (): Promise<number> => ++read;
  assert.equal((await other.ask(next))?.value, 1);
  assert.equal((await other.ask(next))?.value, 1, 'fresh');
  await sleep(30);
  assert.equal((await other.ask(next))?.value, 1, 'not fresh: shown, and read behind');
  await sleep(5);
  assert.equal((await other.ask(next))?.value, 2);
});
