// Coupons and uses that SQL changed give nothing, and the check of the books reports them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../auth/testing.ts';
import { type Journal, accounts, balances, leg, post } from '../ledger/index.ts';
import { type Db, type Tx, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { fundPot, potAccount } from '../pots/index.ts';
import { type CouponRequest, askCoupon } from './coupon-request.ts';
import { addCredit, askCredit, switchCredit } from './credit.ts';
import { freeAgain, holdUse, moveUses } from './hold-use.ts';
import { couponCheck } from './check-books.ts';
import { earnLate, fillLate } from './late/late-coupons.ts';
import { boundCoupons, withBoundCoupons } from './own-coupons.ts';
import { makePlain } from './testing.ts';

const usd = (sum: string): bigint => parse('USDT', sum).parts;
const ADDRESS = 'bound@example.org';
const HOLDER = newId();
let db: Db;
let owner: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, owner, drop } = await testDb());
  const [id, own] = [newId(), newId()];
  await posting(async (tx) => {
    await tx.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', now())`, [
      ...[HOLDER, 'ann@example.org'],
    ]);
    await writeHolderMacs(tx);
    const capital = [leg(accounts.custody('evm', 'hot', 'USDT'), accounts.deskFree('USDT'), usd('10000'))];
    return [{ id, kind: 'capital_in', cause: id, legs: capital }];
  });
  await posting(async (tx) => [
    await fundPot(tx, { id: newId(), pot: 'late', parts: usd('1000'), isBack: false }),
    await fundPot(tx, { id: newId(), pot: 'earn', parts: usd('100'), isBack: false }),
  ]);
  await posting(async () => [
    { id: own, kind: 'earn', cause: own, legs: [leg(potAccount('earn'), accounts.earn(HOLDER, 'USDT'), usd('9'))] },
  ]);
  await posting(async (tx) => [await addCredit(tx, { id: newId(), holderId: HOLDER, parts: usd('4') })]);
  await posting((tx) =>
    makePlain(
      tx,
      { code: 'PERCENT', kind: 'percent', percent: '10', value: undefined, max: usd('90'), uses: 9 },
      { code: 'FIXED', kind: 'fixed', percent: undefined, value: usd('2'), max: usd('20'), uses: 10, emailKey: ADDRESS },
    ),
  );
});
after(() => drop());

const posting = (work: (tx: Tx) => Promise<readonly Journal[]>): Promise<void> =>
  db.tx(async (tx) => {
    const journals = await work(tx);
    if (journals.length > 0) await post(tx, [...journals]);
  });
const claimant = { emailKey: ADDRESS, holderId: HOLDER, keys: [`email:${ADDRESS}`], hasOrdered: async () => false };
const ask = async (code: string): Promise<CouponRequest> =>
  askCoupon(db, code, { direction: 'btc-usdt', now: await db.now(), claimant });
const accused = async (): Promise<string[]> =>
  ((await couponCheck.faults?.(db)) ?? []).map(({ account, words }) => `${account}: ${words}`);
const refuses = (work: Promise<unknown>): Promise<void> => assert.rejects(work, new Problem('coupon_altered'));

/** Changes rows by SQL with the rights of the owner, runs `work`, and restores them. */
async function altered(table: 'coupon' | 'coupon_use', set: string, where: string, work: () => Promise<void>): Promise<void> {
  const alone = (...statements: string[]): Promise<void> =>
    owner.tx(async (tx) => {
      await tx.run('set local session_replication_role = replica');
      for (const sql of statements) await tx.run(sql);
    });
  await alone(`create table kept as table ${table}`, `update ${table} set ${set} where ${where}`);
  try {
    await work();
  } finally {
    await alone(`delete from ${table}`, `insert into ${table} select * from kept`, 'drop table kept');
  }
}

const CHANGES = [
  `percent = '40'`,
  'max = max * 2, budget = budget * 2',
  'uses = uses + 1',
  'per_customer = 9',
  `starts_at = '2020-01-01'`,
  `ends_at = '2999-01-01'`,
  'value = value + 1',
  'email_key = null',
  `directions = '{a-b}'`,
  'min = 1',
  'is_first_only = true',
  `made_by = '{eve}'`,
  `earned_by = id`,
  `made_action = id`,
  'given_at = made_at',
];

test('a coupon whose row was changed gives no discount, is refused in words, and is accused', async () => {
  assert.deepEqual(await accused(), []);
  await Promise.all(['PERCENT', 'FIXED'].map(ask));
  assert.deepEqual(await boundCoupons(db, ADDRESS), ['FIXED']);
  for (const set of CHANGES) {
    const code = set.startsWith('value') || set.startsWith('email_key') ? 'FIXED' : 'PERCENT';
    const before = await ask(code);
    await altered('coupon', set, `code = '${code}'`, async () => {
      await refuses(ask(code));
      const owner = { kind: 'order', id: newId() } as const;
      await refuses(db.tx((tx) => holdUse(tx, { owner, request: before, claimant, needed: usd('1') })));
      assert.match((await accused()).join('\n'), /the coupon is not as it was made/, set);
    });
  }
});

test('a bound coupon whose row was changed brings no letter and is used by nobody', async () => {
  await altered('coupon', `email_key = 'eve@example.org'`, `code = 'FIXED'`, async () => {
    assert.deepEqual(await boundCoupons(db, 'eve@example.org'), []);
    assert.deepEqual(await withBoundCoupons(db, ['eve@example.org']), []);
  });
  assert.deepEqual(await withBoundCoupons(db, [ADDRESS]), [ADDRESS]);
});

test('a credit whose row was changed gives nothing, and gets no more prizes', async () => {
  assert.equal((await askCredit(db, HOLDER))?.discount.worth.parts, usd('4'));
  await altered('coupon', 'max = max * 2, budget = budget * 2', `kind = 'credit'`, async () => {
    assert.equal(await askCredit(db, HOLDER), undefined);
    await refuses(db.tx((tx) => addCredit(tx, { id: newId(), holderId: HOLDER, parts: usd('1') })));
    // Its holder's actions leave the row's MAC invalid.
    await db.tx((tx) => switchCredit(tx, HOLDER, false));
    assert.match((await accused()).join('\n'), /the coupon is not as it was made/);
  });
  await posting(async (tx) => [await addCredit(tx, { id: newId(), holderId: HOLDER, parts: usd('1') })]);
  assert.equal((await askCredit(db, HOLDER))?.discount.worth.parts, usd('5'));
  await db.tx((tx) => switchCredit(tx, HOLDER, false));
  assert.equal(await askCredit(db, HOLDER), undefined);
  assert.deepEqual(await accused(), []);
});

test('a waiting coupon that somebody invented or raised is not filled, and others are', async () => {
  const left = (tx: Tx) => async (): Promise<bigint> => (await balances(tx, [potAccount('late')]))[0] ?? 0n;
  const order = (): Parameters<typeof earnLate>[1][number] => ({
    ...{ id: newId(), emailKey: 'late@example.org', keys: [`email:${newId()}`], worth: usd('10') },
  });
  await db.tx((tx) => earnLate(tx, [order(), order()], async () => 0n));
  const first = `id = (select min(id::text)::uuid from coupon where state = 'waiting')`;
  await altered('coupon', 'max = max * 3', first, async () => {
    await owner.run(
      `insert into coupon (id, code, kind, state, value, budget, max, email_key, made_by, made_at, state_at, earned_by, earned_keys)
       select $1, 'INVENTED', kind, state, value, budget, max, 'eve@example.org', made_by, '2020-01-01', state_at, $1, earned_keys
       from coupon where state = 'waiting' limit 1`,
      [newId()],
    );
    await posting(async (tx) => {
      const { given, journals } = await fillLate(tx, left(tx));
      assert.deepEqual(
        given.map(({ parts }) => parts),
        [usd('10')],
      );
      return journals;
    }).finally(() => owner.run(`delete from coupon where code = 'INVENTED'`));
  });
});

test('the rest of a use whose row was changed gives nothing, and the use is accused', async () => {
  const hold = async () => {
    const request = await ask('FIXED');
    return db.tx((tx) => holdUse(tx, { owner: { kind: 'order', id: newId() }, request, claimant, needed: usd('2') }));
  };
  const use = await hold();
  await posting((tx) => moveUses(tx, [{ id: use.id, to: 'spent', spent: usd('0.5') }]));
  assert.deepEqual(await accused(), []);
  assert.equal((await ask('FIXED')).discount.worth.parts, usd('1.5'));
  for (const set of ['rest = rest + 100000', 'at = now()', `owner_id = '${newId()}'`, `keys = keys || '{device:x}'`]) {
    await altered('coupon_use', set, `id = '${use.id}'`, async () => {
      await assert.rejects(ask('FIXED'), new Problem('coupon_not_yours'));
      assert.match((await accused()).join('\n'), /the use of a coupon is not as it was held/, set);
    });
  }
  await posting((tx) => moveUses(tx, [{ id: use.id, to: 'free', spent: 0n }]));
  assert.deepEqual([...(await db.tx((tx) => freeAgain(tx, [use.id])))], [use.id]);
  await altered('coupon_use', `owner_id = '${newId()}'`, `id = '${use.id}'`, async () => {
    assert.deepEqual([...(await db.tx((tx) => freeAgain(tx, [use.id])))], []);
  });
  for (const set of [`state = 'spent', spent = 1`, `keys = '{}'`]) {
    await altered('coupon_use', set, `id = '${use.id}'`, async () =>
      assert.match((await accused()).join('\n'), /the use of a coupon is not as it was held/, set),
    );
  }
});

test('an order goes on whose coupon was changed, and the coupon stays accused', async () => {
  const request = await ask('PERCENT');
  const use = await db.tx((tx) => holdUse(tx, { owner: { kind: 'order', id: newId() }, request, claimant, needed: usd('2') }));
  await altered('coupon', `percent = '90'`, `code = 'PERCENT'`, async () => {
    await posting((tx) => moveUses(tx, [{ id: use.id, to: 'spent', spent: usd('1') }]));
    assert.match((await accused()).join('\n'), /the coupon is not as it was made/);
  });
});
