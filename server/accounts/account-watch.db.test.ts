// Pages of account holders hear that something of theirs has changed: each of their own, as long as their session stands.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Context, EventStream } from '../platform/index.ts';
import { type WalletWorld, as, emailOf, walletWorld } from '../wallets/testing.ts';
import { type AccountWatch, watchAccounts } from './account-watch.ts';

let world: WalletWorld;
let watch: AccountWatch;
before(async () => {
  world = await walletWorld();
  watch = watchAccounts(world.desk.db);
});
after(async () => {
  await watch.stop();
  await world.close();
});

/** Somebody signed in, with a session that stands. */
async function signedIn(btc = '0'): Promise<Context> {
  const context = as(await world.holder(btc));
  const { id, sessionId } = context.user!;
  await world.desk.db.run(
    `insert into session (id, holder_id, token_hash, device, ip, created_at, seen_at)
     values ($1, $2, decode(md5($3), 'hex'), 'test', '203.0.113.7', clock_now(), clock_now())`,
    [sessionId, id, sessionId],
  );
  return context;
}

/** What a reader gets, who knows how things stand or is new. */
async function read(context: Context, lastEventId?: string) {
  const gone = new AbortController();
  const marks: string[] = [];
  const stream: EventStream = {
    lastEventId,
    signal: gone.signal,
    send: ({ id }) => void marks.push(id),
    end: () => gone.abort(),
  };
  await (await watch.stream({}, context)).tell(stream);
  return { marks, gone };
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 15_000;
  while (!isTrue() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(isTrue());
}

const markOf = async (context: Context): Promise<string> => (await watch.work({}, context)).mark;

test('a holder hears of his own money alone, at once, and what he knows is not told again', async () => {
  const [ann, bob] = [await signedIn('0.01'), await signedIn()];
  const known = await markOf(bob);
  const [hers, his, anew] = [await read(ann, await markOf(ann)), await read(bob, known), await read(ann, 'older')];
  await until(() => anew.marks.length === 1);
  assert.deepEqual([hers.marks, his.marks], [[], []]);

  await world.withdraw(ann.user!.id, '0.001');
  await until(() => hers.marks.length > 0);
  assert.equal(hers.marks.at(-1), await markOf(ann));
  assert.deepEqual(his.marks, []);

  await world.transfer(ann.user!.id, '0.001', emailOf(bob.user!.id));
  await until(() => his.marks.length > 0);
  assert.notEqual(await markOf(bob), known);
  for (const { gone } of [hers, his, anew]) gone.abort();
});

test('a deposit is told of when it is seen and when it is final', async () => {
  const ann = await signedIn();
  const { deposit } = await world.works.walletStore({ currency: 'BTC', rail: 'bitcoin' }, ann);
  const marks = new Set([await markOf(ann)]);
  world.desk.world.pay(deposit!.address, 500_000n);
  for (const blocks of [0, 2]) {
    if (blocks > 0) world.desk.world.mine(blocks);
    await world.desk.pass(61_000);
    await world.desk.turn();
    await world.tell();
    marks.add(await markOf(ann));
  }
  assert.equal(marks.size, 3);
});

test('a session that has ended hears nothing more', async () => {
  const ann = await signedIn('0.01');
  const { gone, marks } = await read(ann, await markOf(ann));
  await world.desk.db.run('update session set ended_at = clock_now() where id = $1', [ann.user!.sessionId]);
  await until(() => gone.signal.aborted);
  assert.deepEqual(marks, []);
});
