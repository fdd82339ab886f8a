// Closing an account: data of other rooms that is deleted, and data that stays with the orders.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '@kurs/contract';
import { grantsOf } from '../auth/index.ts';
import { newHolder, writeHolderMacs } from '../auth/testing.ts';
import { putPostback } from '../affiliates/index.ts';
import { alone } from '../collecting/index.ts';
import { levelOf, proveBot, setLevel } from '../compliance/index.ts';
import { addCredit, creditOf } from '../coupons/index.ts';
import { earnRoutes } from '../earn/index.ts';
import { type World, openWorld } from '../exchange/testing.ts';
import { applyFor } from '../gate/testing.ts';
import { storeFor } from '../gate/testing.ts';
import { accounts, balance, leg } from '../ledger/index.ts';
import { moneyOutRoutes } from '../moneyout/index.ts';
import { type Context, configureLog, newId } from '../platform/index.ts';
import { freely, testSealer } from '../platform/testing.ts';
import { fundPot } from '../pots/index.ts';
import { storeCampaign } from '../referrals/index.ts';
import { supportRoutes } from '../support/index.ts';
import { forget, whatIsLeft } from './leaving.ts';
import { ORDER_OWNER } from '../exchange/index.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

const ANN = { id: newId(), email: 'Ann@Example.org' };
const as = (): Context =>
  ({
    ...{ db: world.db, locale: 'en', ip: '203.0.113.9', deviceKey: 'd', ...freely },
    user: { ...ANN, isEmailVerified: true, sessionId: newId() },
  }) as unknown as Context;

/** Credits prizes to a holder, and turns a part of them into credit on fees. */
const win = (holderId: string, parts: bigint, credit: bigint): Promise<void> =>
  alone(world.db, async (unit) => {
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'earn', parts, isBack: false }));
    const prize = leg(accounts.promo('earn', 'USDT'), accounts.earn(holderId, 'USDT'), parts);
    unit.post({ id: newId(), kind: 'earn', cause: holderId, legs: [prize] });
    unit.post(await addCredit(unit.tx, { id: newId(), holderId, parts: credit }));
  });

test('tickets go with their files, the address book, the name, the level, the credit, roles on stores and postbacks; the chat of an order stays with it', async () => {
  const support = supportRoutes({ db: world.db, sender: world.deps.sender, proveBot, owners: [ORDER_OWNER] });
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
  await writeHolderMacs(world.db);
  await moneyOutRoutes({ db: world.db, sealer: testSealer }).walletAllowList({ on: true }, as());
  await win(ANN.id, 300_000n, 300_000n);
  await world.db.tx(async (tx) => {
    await storeCampaign(tx, ANN.id, { name: 'blog', split: 0, postback: 'https://a.example/', maxSplit: 50 });
    await putPostback(tx, testSealer, { holderId: ANN.id, campaign: 'blog', url: 'https://a.example/' });
  });
  await world.db.tx((tx) => setLevel(tx, ANN.id, 3, 'test'));
  await storeFor(world.db, ANN.id);
  assert.equal((await grantsOf(world.db, ANN.id, 'store')).length, 1);

  await world.db.tx((tx) => forget(tx, { id: ANN.id, mailbox: 'ann@example.org' }));
  assert.deepEqual((await creditOf(world.db, ANN.id))?.left, 0n);
  assert.equal(await balance(world.db, accounts.promo('earn', 'USDT')), 300_000n, 'what was credit is the pot’s again');
  const threads = await world.db.rows<{ number: string }>('select number from support_thread');
  assert.deepEqual(threads.map(({ number }) => number).toSorted(), [order.number, others.id].toSorted());
  assert.ok(!threads.some(({ number }) => number === own.id));
  assert.equal((await world.db.rows('select from support_file')).length, 1, 'the file of somebody else');
  assert.equal(routes.orderChat.output.parse(await support.orderChat(key, as())).messages.length, 1);
  assert.deepEqual(await world.db.rows('select from moneyout_guard'), []);
  assert.deepEqual(await world.db.rows(`select from delivery_endpoint where owner like 'affiliate:%'`), []);
  assert.equal(await levelOf(world.db, ANN.id), 0);
  assert.deepEqual(await grantsOf(world.db, ANN.id, 'store'), []);
});

test('turning prizes into credit and closing the account don’t deadlock', async () => {
  const circles: string[] = [];
  configureLog({ level: 'warn', sink: (line) => void (line.includes('40P01') && circles.push(line)) });
  const { db } = world;
  const bob = newId();
  await db.run(
    `insert into account_holder (id, email, email_key, locale, created_at) values ($1, 'bob@example.org', 'bob@example.org', 'en', clock_now())`,
    [bob],
  );
  await writeHolderMacs(db);
  await win(bob, 500_000n, 200_000n);
  await db.run('insert into earn_holder (holder_id, won, used) values ($1, 500000, 200000)', [bob]);
  const waiting = () =>
    db.rows(
      `select distinct pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
    );
  const user = { id: bob, email: 'bob@example.org', isEmailVerified: true, sessionId: newId() };
  const begun: Promise<unknown>[] = [];
  await db.tx(async (tx) => {
    await tx.rows(`select from coupon where holder_id = $1 for update`, [bob]);
    for (const work of [
      () => db.tx((own) => forget(own, { id: bob, mailbox: undefined })),
      () => earnRoutes(db).earnToCredit({ amount: '0.1' }, { ...as(), user }),
    ]) {
      begun.push(work());
      while ((await waiting()).length < begun.length) await sleep(5);
    }
  });
  const [closed, moved] = await Promise.allSettled(begun);
  assert.deepEqual([closed?.status, moved?.status, circles], ['fulfilled', 'rejected', []]);
});

test('an account can’t be closed while its business is open', async () => {
  const holder = await newHolder(world.db);
  const left = (): Promise<string | undefined> => whatIsLeft(world.db, { id: holder, mailbox: `${holder}@example.org` });
  const { id } = await applyFor(world.db, holder);
  for (const [state, obstacle] of [
    ['applied', 'account_has_business'],
    ['approved', 'account_has_business'],
    ['suspended', 'account_has_business'],
    ['refused', undefined],
    ['closed', undefined],
  ] as const) {
    await world.db.run('update business set state = $2 where id = $1', [id, state]);
    assert.equal(await left(), obstacle, state);
  }
});

test('an application waits for a concurrent closing of its account, and is then refused', async () => {
  const holder = await newHolder(world.db);
  let applying: Promise<unknown> = Promise.resolve();
  await world.db.tx(async (tx) => {
    await tx.run('select from account_holder where id = $1 for update', [holder]);
    applying = assert.rejects(applyFor(world.db, holder), /level_needed/);
    await sleep(300);
    await tx.run('update account_holder set email_verified_at = null, closed_at = clock_now() where id = $1', [holder]);
  });
  await applying;
  assert.deepEqual(await world.db.rows('select from business where holder_id = $1', [holder]), []);
});
