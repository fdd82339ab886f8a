// Nobody earns from their own orders, at neither level. Identities that a customer shares with the second-level affiliate make a
// case of the second reward, those shared with the affiliate of both.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../auth/testing.ts';
import { alone } from '../collecting/index.ts';
import { accounts, leg, post, verify } from '../ledger/index.ts';
import { type Db, canonicalEmail, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { fundPot, potCheck } from '../pots/index.ts';
import { noteKeys } from '../referrals/index.ts';
import { decideCase } from './cases.ts';
import { affiliateCheck } from './check-books.ts';
import { type SentOrder, completedOrder, publishOrderEvents } from './orders.testing.ts';

let db: Db;
let drop: () => Promise<void>;
/** Affiliates of the first and the second level. */
let ann: string;
let bob: string;

before(async () => {
  ({ db, drop } = await testDb());
  const parts = parse('USDT', '10000').parts;
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.deskFree('USDT'), parts)];
  await db.tx((tx) => post(tx, [{ id: newId(), kind: 'capital_in', cause: newId(), legs }]));
  await alone(db, async (unit) =>
    unit.post(await fundPot(unit.tx, { id: newId(), pot: 'affiliate', parts: parts / 10n, isBack: false })),
  );
});
after(() => drop());
beforeEach(async () => {
  [ann, bob] = [await holder('ann'), await holder('bob.smith')];
});

/** An account with an address that a provider reads with and without its dots. */
async function holder(name: string): Promise<string> {
  const id = newId();
  await db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [id, emailOf(name, id)],
  );
  await writeHolderMacs(db);
  return id;
}
const emailOf = (name: string, id: string): string => `${name}.${id}@gmail.com`;
/** An account to which somebody requested a withdrawal. */
async function withdrew(holderId: string, currency: string, key: string): Promise<void> {
  await db.run(
    `insert into wallet_withdrawal (id, holder_id, unit, rail, currency, to_fields, to_key, parts, fee, usd, status, people, requested_at, status_at)
     values ($1, $2, 'USDT', 'evm', $3, '{}', $4, 1, 0, 1, 'done', 0, clock_now(), clock_now())`,
    [newId(), holderId, currency, key],
  );
}
const sent = (more: Partial<SentOrder> = {}): SentOrder => ({
  affiliate: ann,
  second: bob,
  campaign: 'blog',
  retained: 40n,
  ...more,
});
/** Returns the rewards of an order: level, state, reason for review. */
const rewards = async (order: string): Promise<string[]> =>
  (
    await db.rows<{ one: string }>(
      `select concat_ws(' ', tier, state, reason) as one from reward where order_id = $1 order by made_at, tier`,
      [order],
    )
  ).map(({ one }) => one);
/** Returns an affiliate's daily results: orders, profit, rewards. */
async function counted(id: string): Promise<(string | number)[]> {
  const row = await db.row<Record<'orders' | 'profit' | 'reward', string>>(
    `select coalesce(sum(orders), 0)::text as orders, coalesce(sum(profit), 0)::text as profit, coalesce(sum(reward), 0)::text as reward
     from affiliate_day where holder_id = $1`,
    [id],
  );
  return [row?.orders, row?.profit, row?.reward].map((one) => Number(one) / (one === row?.orders ? 1 : 1_000_000));
}
async function decide(order: string, tier: 1 | 2, event: 'pay' | 'refuse'): Promise<void> {
  const row = await db.row<{ id: string }>(`select id from reward where order_id = $1 and tier = $2 and state = 'case'`, [
    order,
    tier,
  ]);
  await alone(db, (unit) => decideCase(unit, row?.id ?? assert.fail('no case'), event));
}
async function booksAreRight(): Promise<void> {
  assert.deepEqual((await verify(db, { checks: [potCheck, affiliateCheck] })).faults, []);
}

/** Identities that a customer can share with an affiliate, with the reason of the case. */
const SHARED: Record<string, (with_: string, name: string) => Promise<[Partial<SentOrder>, string]>> = {
  'the account that is signed in': async (id) => [{ holder: id }, 'holder'],
  'the address, written in another way': async (id, name) => [
    { typed: [`email:${canonicalEmail(emailOf(name, id).toUpperCase().replace('@', '+2@'))}`] },
    'email',
  ],
  'a device': async (id) => {
    await db.tx((tx) => noteKeys(tx, [{ holderId: id, keys: [`device:of ${id}`] }]));
    return [{ shown: [`device:of ${id}`] }, 'device'];
  },
  'an account of an order of theirs': async (id) => {
    await publishOrderEvents(db, { affiliate: await holder('eve'), holder: id, typed: [`account:BTC:own of ${id}`] }, 'placed');
    return [{ typed: ['email:someone@example.org', `account:BTC:own of ${id}`] }, 'account'];
  },
  'an address that they have withdrawn to': async (id) => {
    await withdrew(id, 'USDT_ERC20', `0x${id}`);
    return [{ typed: ['email:someone@example.org', `account:USDT_ERC20:0x${id}`] }, 'account'];
  },
};

for (const [what, share] of Object.entries(SHARED)) {
  test(`the second level and the customer share ${what}: its reward is a case, the first level’s is paid`, async () => {
    const [more, reason] = await share(bob, 'bob.smith');
    const order = await completedOrder(db, sent(more));
    assert.deepEqual(await rewards(order), ['1 pending', `2 case ${reason}`]);
    assert.deepEqual(
      [await counted(ann), await counted(bob)],
      [
        [1, 40, 12],
        [0, 0, 0],
      ],
    );
    await booksAreRight();
  });

  test(`the affiliate and the customer share ${what}: both rewards are cases`, async () => {
    const [more, reason] = await share(ann, 'ann');
    const order = await completedOrder(db, sent(more));
    assert.deepEqual(await rewards(order), [`1 case ${reason}`, `2 case ${reason}`]);
    assert.deepEqual(
      [await counted(ann), await counted(bob)],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    );
    await booksAreRight();
  });
}

test('nothing shared makes no case', async () => {
  await withdrew(bob, 'USDT_ERC20', '0xelsewhere');
  const order = await completedOrder(db, sent({ holder: await holder('carl'), typed: ['account:BTC:0xelsewhere'] }));
  assert.deepEqual(await rewards(order), ['1 pending', '2 pending']);
});

test('what is shared with the second level by the completion alone counts, and so does what was shared at the placing alone', async () => {
  const later = await publishOrderEvents(db, sent({ shown: ['device:new'] }), 'placed', 'exchanged');
  await db.tx((tx) => noteKeys(tx, [{ holderId: bob, keys: ['device:new'] }]));
  await publishOrderEvents(db, sent({ id: later, shown: ['device:new'] }), 'completed');
  assert.deepEqual(await rewards(later), ['1 pending', '2 case device']);
  const earlier = await publishOrderEvents(db, sent({ shown: ['device:new'] }), 'placed', 'exchanged');
  await db.run('delete from affiliate_key where holder_id = $1', [bob]);
  await publishOrderEvents(db, sent({ id: earlier, shown: ['device:new'] }), 'completed');
  assert.deepEqual(await rewards(earlier), ['1 pending', '2 case device']);
});

test('a case of the second level that is paid, taken back and earned anew leaves the statistics as they were', async () => {
  const order = await completedOrder(db, sent({ holder: bob }));
  await decide(order, 2, 'pay');
  assert.deepEqual(await rewards(order), ['1 pending', '2 pending holder']);
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [1, 40, 12],
      [0, 0, 2],
    ],
  );
  await booksAreRight();
  await publishOrderEvents(db, sent({ id: order }), 'reversed');
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  await publishOrderEvents(db, sent({ id: order }), 'restored');
  assert.deepEqual((await rewards(order)).slice(2), ['1 pending', '2 case holder']);
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [1, 40, 12],
      [0, 0, 0],
    ],
  );
  await decide(order, 2, 'pay');
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [1, 40, 12],
      [0, 0, 2],
    ],
  );
  await booksAreRight();
});

test('a case of the second level that is refused, or waits, comes to nothing as the order is taken back', async () => {
  const [refused, waits] = [await completedOrder(db, sent({ holder: bob })), await completedOrder(db, sent({ holder: bob }))];
  await decide(refused, 2, 'refuse');
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [2, 80, 24],
      [0, 0, 0],
    ],
  );
  for (const id of [refused, waits]) await publishOrderEvents(db, sent({ id }), 'reversed');
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  assert.deepEqual(
    [await rewards(refused), await rewards(waits)],
    [
      ['1 reversed', '2 refused holder'],
      ['1 reversed', '2 reversed holder'],
    ],
  );
  for (const id of [refused, waits]) await publishOrderEvents(db, sent({ id }), 'restored');
  assert.deepEqual(
    [(await rewards(refused)).slice(2), (await rewards(waits)).slice(2)],
    [['1 pending'], ['1 pending', '2 case holder']],
  );
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [2, 80, 24],
      [0, 0, 0],
    ],
  );
  await booksAreRight();
});

test('a case that was refused stays refused where its order is completed anew', async () => {
  const order = await completedOrder(db, sent({ holder: bob }));
  await decide(order, 2, 'refuse');
  await publishOrderEvents(db, sent({ id: order, holder: bob }), 'reversed', 'completed');
  assert.deepEqual(await rewards(order), ['1 reversed', '2 refused holder', '1 pending']);
  assert.deepEqual(
    [await counted(ann), await counted(bob)],
    [
      [1, 40, 12],
      [0, 0, 0],
    ],
  );
  await booksAreRight();
});
