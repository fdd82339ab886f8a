// Orders of referred customers that SQL changed earn nothing, and move nobody up the ladder.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { parse } from '@kurs/money';
import { newHolder } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { accounts, balance, leg, post } from '../ledger/index.ts';
import { type Db, advanceClock, configureLog, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { fundPot } from '../pots/index.ts';
import { findAffiliate, storeCampaign } from '../referrals/index.ts';
import { affiliateCheck } from './check-books.ts';
import { type SentOrder, completedOrder, publishOrderEvents } from './orders.testing.ts';
import { availableOf, pendingOf } from './reward.ts';
import { affiliateView } from './views.ts';
import { countLevels, fillWaiting, matureDue } from './work.ts';

const DAY = 86_400_000;
let db: Db;
let owner: Db;
let drop: () => Promise<void>;
let [ann, eve] = ['', ''];
before(async () => {
  ({ db, owner, drop } = await testDb());
  configureLog({ sink: () => {} });
  const parts = parse('USDT', '100000').parts;
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), parts)];
  await db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs }]));
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: parts / 10n, isBack: false })),
  );
});
after(() => drop());
beforeEach(async () => {
  [ann, eve] = [await holder(), await holder()];
});

const holder = (): Promise<string> => newHolder(db);
const sent = (more: Partial<SentOrder> = {}): SentOrder => ({ affiliate: ann, retained: 40n, ...more });
const has = async (id: string): Promise<bigint> => (await balance(db, pendingOf(id))) + (await balance(db, availableOf(id)));
const accused = async (id: string): Promise<boolean> =>
  ((await affiliateCheck.faults?.(db, undefined)) ?? []).some(({ account }) => account === id);

/** Changes of an order that was placed and not completed yet. `$1`: the order; `$2`: the holder who wants to earn by it. */
const CHANGES: Readonly<Record<string, string>> = {
  affiliate: 'affiliate = $2',
  'second level': 'second = $2',
  'what the friend was promised': `friend_percent = '9'`,
  'that people decide': `shared = 'email'`,
  'when it was placed': `placed_at = placed_at - interval '8 days'`,
  customer: `customer = 'other@example.org'`,
  campaign: `campaign = 'other'`,
  'no MAC': 'mac = null',
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`an order whose row was changed by SQL before it is completed earns for nobody: ${what}`, async () => {
    const id = await publishOrderEvents(db, sent(), 'placed');
    await db.run(`update referred_order set ${change} where order_id = $1 and $2::uuid is not null`, [id, eve]);
    await publishOrderEvents(db, sent({ id }), 'exchanged', 'completed');
    await fillWaiting(db);
    await advanceClock(db, 8 * DAY);
    await matureDue(db);
    assert.deepEqual([await has(ann), await has(eve)], [0n, 0n]);
    assert.ok(await accused(id));
    await db.run('delete from referred_order where order_id = $1', [id]);
  });
}

test('an order that is put in by SQL earns nothing as it is completed', async () => {
  const id = await publishOrderEvents(db, sent(), 'placed');
  const copy = newId();
  await db.run(
    `insert into referred_order (order_id, reference, affiliate, campaign, sub, give, get, friend_percent, placed_at, customer, mac)
     select $2, $2, $3, campaign, sub, give, get, friend_percent, placed_at, customer, mac from referred_order where order_id = $1`,
    [id, copy, eve],
  );
  await publishOrderEvents(db, { ...sent(), id: copy, affiliate: eve }, 'exchanged', 'completed');
  await advanceClock(db, 8 * DAY);
  await matureDue(db);
  assert.equal(await has(eve), 0n);
  await db.run('delete from referred_order where order_id = $1', [copy]);
});

test('nobody climbs the ladder by orders that were put in, copied, given to them or raised by SQL', async () => {
  for (let at = 0; at < 30; at += 1) await completedOrder(db, sent({ customer: `one${at}`, daysAgo: 8 }));
  await completedOrder(db, sent({ affiliate: eve, customer: 'hers', daysAgo: 8 }));
  await countLevels(db);
  const [before, view] = [(await findAffiliate(db, ann)).level, await affiliateView(db, ann)];
  assert.ok(before > 0, 'ann climbs by what is hers');
  assert.equal(view.active, 30);
  const ways = [
    `update referred_order set affiliate = '${eve}' where affiliate = '${ann}'`,
    `insert into referred_order (order_id, reference, affiliate, campaign, sub, give, get, friend_percent, placed_at, completed_at, matures_at, worth, profit, customer, mac)
     select gen_random_uuid(), gen_random_uuid(), '${eve}', campaign, sub, give, get, friend_percent, placed_at, completed_at, matures_at, worth, profit, customer || 'x', mac
     from referred_order where affiliate = '${ann}'`,
    `update referred_order set matures_at = clock_now() - interval '1 hour', worth = worth + 1 where affiliate = '${eve}'`,
  ];
  for (const sql of ways) {
    await owner.run('create table kept_orders as table referred_order');
    await db.run(sql);
    await countLevels(db);
    assert.equal((await findAffiliate(db, eve)).level, 0, sql);
    assert.ok((await affiliateView(db, eve)).active <= 1, sql);
    await owner.tx(async (tx) => {
      await tx.run('set local session_replication_role = replica');
      for (const back of [
        'delete from referred_order',
        'insert into referred_order select * from kept_orders',
        'drop table kept_orders',
      ])
        await tx.run(back);
    });
  }
  await countLevels(db);
  assert.equal((await findAffiliate(db, ann)).level, before);
});

test('a postback goes to no address that was put in by SQL', async () => {
  await db.tx((tx) => storeCampaign(tx, ann, { name: 'blog', split: 0, postback: 'https://ann.example/', maxSplit: 50 }));
  const reported = async (): Promise<number> =>
    (await db.rows(`select from delivery_event where type = 'referral.order' and owner = $1`, [`affiliate:${ann}:blog`])).length;
  await publishOrderEvents(db, sent({ campaign: 'blog' }), 'placed');
  assert.equal(await reported(), 1);
  await db.run(`update affiliate_campaign set postback = 'https://eve.example/' where holder_id = $1`, [ann]);
  await publishOrderEvents(db, sent({ campaign: 'blog' }), 'placed');
  assert.equal(await reported(), 1);
});
