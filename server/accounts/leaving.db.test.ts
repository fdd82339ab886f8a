// What a closed account takes along of the rooms above its own, and what stays with the orders.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '@kurs/contract';
import { alone } from '../collecting/index.ts';
import { proveBot } from '../compliance/index.ts';
import { addCredit, creditOf } from '../coupons/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { accounts, balance, leg } from '../ledger/index.ts';
import { moneyOutRoutes } from '../moneyout/index.ts';
import { type Context, newId } from '../platform/index.ts';
import { freely, testSealer } from '../platform/testing.ts';
import { fundPot } from '../pots/index.ts';
import { supportRoutes } from '../support/index.ts';
import { forget } from './leaving.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

const ANN = { id: newId(), email: 'Ann@Example.org' };
const as = (): Context =>
  ({
    ...{ db: world.db, locale: 'en', ip: '203.0.113.9', deviceKey: 'd', ...freely },
    user: { ...ANN, emailVerified: true, sessionId: newId() },
  }) as unknown as Context;

test('tickets go with their files, the address book, the name, the level and the credit; the chat of an order stays with it', async () => {
  const support = supportRoutes({ db: world.db, sender: world.deps.sender, proveBot });
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toString('base64');
  const files = [{ name: 'a.png', data: png }];
  const opening = { topic: 'payment' as const, text: 'My passport', files, bot_token: 'sandbox' };
  const own = await support.ticketOpen({ ...opening, email: 'ANN@example.org' }, as());
  const others = await support.ticketOpen({ ...opening, email: 'ann2@example.org' }, as());
  const order = await world.place({ email: 'ann@example.org' });
  const key = { id: order.number, token: world.token(order) };
  await support.orderSay({ ...key, text: 'Where is it?' }, as());
  await world.db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, 'ann@example.org', 'en', clock_now())`,
    [ANN.id, ANN.email],
  );
  await moneyOutRoutes({ db: world.db, sealer: testSealer }).walletAllowList({ on: true }, as());
  await alone(world.db, async (unit) => {
    const parts = 300_000n;
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'earn', parts, back: false }));
    const prize = leg(accounts.promo('earn', 'USDT'), accounts.earn(ANN.id, 'USDT'), parts);
    unit.post({ id: newId(), kind: 'earn', cause: ANN.id, legs: [prize] });
    unit.post(await addCredit(unit.tx, { id: newId(), holderId: ANN.id, parts }));
  });
  await world.db.run(`insert into customer (email, level, by, at) values ('ann@example.org', 3, 'test', clock_now())`);

  await world.db.tx((tx) => forget(tx, { id: ANN.id, mailbox: 'ann@example.org' }));
  assert.deepEqual((await creditOf(world.db, ANN.id))?.left, 0n);
  assert.equal(await balance(world.db, accounts.promo('earn', 'USDT')), 300_000n, 'what was credit is the pot’s again');
  const threads = await world.db.rows<{ number: string }>('select number from support_thread');
  assert.deepEqual(threads.map(({ number }) => number).toSorted(), [order.number, others.id].toSorted());
  assert.ok(!threads.some(({ number }) => number === own.id));
  assert.equal((await world.db.rows('select from support_file')).length, 1, 'the file of somebody else');
  assert.equal(routes.orderChat.output.parse(await support.orderChat(key, as())).messages.length, 1);
  assert.deepEqual(await world.db.rows('select from moneyout_guard'), []);
  const [customer] = await world.db.rows<{ level: number }>(`select level from customer where email = 'ann@example.org'`);
  assert.equal(customer?.level, 0);
});
