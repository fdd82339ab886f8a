// Orders of account holders by their events: the first ones that count, and the part of their profit that goes into the wallet.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { type Db, advanceClock, newId } from '../platform/index.ts';
import { DAY_MS, partsOf } from './draw.ts';
import { type EarnWorld, openEarnWorld } from './earn.testing.ts';
import { earnedBy } from './orders.ts';
import { toWallet } from './out.ts';
import { payTask } from './tasks.ts';
import { ownView } from './views.ts';

let world: EarnWorld;
let db: Db;
before(async () => {
  world = await openEarnWorld();
  ({ db } = world);
  await world.holdInPot('500');
});
after(() => world.close());

const refuses = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error: Problem) => error.code === code);

test('keys that were only typed use up nobody’s qualifying order', async () => {
  const [eve, ann] = [await world.holder(), await world.holder()];
  const typed = ['account:USDT_ERC20:ann’s', 'account:BTC:ann’s', `email:${ann.email}`];
  await world.order(eve, 'order.completed', { typed });
  await world.order(ann, 'order.completed', { typed: typed.slice(0, 2) });
  await advanceClock(db, 7 * DAY_MS);
  await payTask(db, eve, 'first_order');
  await payTask(db, ann, 'first_order');
});

test('what goes into the wallet is bounded by mature orders: the profit of a second one counts once that is mature, too', async () => {
  await world.put('earn.wallet_least_usd', '0.01');
  await world.put('earn.tasks', { email: '1', two_factor: '0.10', first_order: '0.50', streak: '0.20' });
  const ann = await world.holder();
  await payTask(db, ann, 'email');
  await world.order(ann, 'order.completed', { fee: '0.3' });
  await advanceClock(db, 4 * DAY_MS);
  await world.order(ann, 'order.completed', { fee: '0.4' });
  await advanceClock(db, 3 * DAY_MS);
  assert.equal((await ownView(db, ann)).to_wallet, '0.30');
  await refuses(toWallet(db, ann, '0.31'), 'earn_order_first');
  await toWallet(db, ann, '0.3');
  await advanceClock(db, 4 * DAY_MS);
  assert.equal((await ownView(db, ann)).to_wallet, '0.40');
  await refuses(toWallet(db, ann, '0.41'), 'earn_order_first');
  await toWallet(db, ann, '0.4');
  await world.put('earn.wallet_least_usd', '5');
});

test('an order that is completed anew counts by its new price, also where all of it is told at once', async () => {
  const holder = await world.holder();
  const id = await world.order(holder, 'order.completed', { fee: '0.6' });
  await world.order(holder, 'order.reversed', { id });
  await world.order(holder, 'order.ended', { id });
  await advanceClock(db, 7 * DAY_MS);
  assert.equal(await earnedBy(db, holder.id, await db.now()), 0n);
  await world.order(holder, 'order.completed', { id, fee: '0.4' });
  assert.equal(await earnedBy(db, holder.id, await db.now()), 0n, 'it matures anew');
  await advanceClock(db, 7 * DAY_MS);
  assert.equal(await earnedBy(db, holder.id, await db.now()), partsOf('0.4'));
  const [all, taken] = [newId(), newId()];
  await world.orders(holder, all, ['order.completed', 'order.reversed', 'order.completed']);
  await world.orders(holder, taken, ['order.completed', 'order.reversed', 'order.restored', 'order.ended']);
  await advanceClock(db, 7 * DAY_MS);
  assert.equal(await earnedBy(db, holder.id, await db.now()), partsOf('0.9'));
});
