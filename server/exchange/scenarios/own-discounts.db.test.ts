// Discounts that an account holder sees: coupons bound to them, codes they added, the rest of each, and the discounts in the
// terms of directions.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { writeHolderMacs } from '../../auth/testing.ts';
import { markCoupons } from '../../coupons/testing.ts';
import { countTurnover } from '../../loyalty/index.ts';
import { newId } from '../../platform/index.ts';
import { storeCampaign } from '../../referrals/index.ts';
import { directionsFor, quoteFor } from '../calculation/discounts/caller-prices.ts';
import { addCoupon, ownDiscounts } from '../views/own-discounts.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
const HOLDER = { id: newId(), email: 'Own.Er@gmail.com', isEmailVerified: true };
before(async () => {
  world = await openWorld();
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at)
     values ($1, $2, lower($2), clock_now(), 'en', clock_now())`,
    [HOLDER.id, HOLDER.email],
  );
  await writeHolderMacs(world.db);
});
after(() => world.close());

async function coupon(code: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const given = {
    kind: 'percent',
    state: 'live',
    percent: '30',
    uses: 5,
    budget: 9_000_000,
    max: 9_000_000,
    email_key: null,
    ends_at: null,
    holder_id: null,
    ...more,
  } as const;
  const id = newId();
  await world.db.run(
    `insert into coupon (id, code, kind, state, percent, value, uses, budget, max, email_key, ends_at, holder_id, made_by, made_at, state_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '{olga}', clock_now(), clock_now())`,
    [
      id,
      code,
      given.kind,
      given.state,
      given.kind === 'percent' ? given.percent : null,
      given.kind === 'percent' ? null : given.budget,
      given.uses,
      given.budget,
      given.max,
      given.email_key,
      given.ends_at,
      given.holder_id,
    ],
  );
  await markCoupons(world.db);
  return id;
}
const shown = async (holder = HOLDER): Promise<string[]> =>
  (await ownDiscounts(world.db, holder)).coupons.map(({ code, status, left, percent }) =>
    [code, status, percent ? `${percent} %` : left].join(' '),
  );

test('lists coupons bound to the holder’s address and added codes, and nobody else’s', async () => {
  await coupon('FOR-ALL');
  await coupon('BOUND', { kind: 'late', uses: null, email_key: 'owner@gmail.com', budget: 2_256_789 });
  await coupon('OTHERS', { email_key: 'other@example.org' });
  await coupon('ENDED', { ends_at: '2020-01-01' });
  assert.deepEqual(await shown(), ['BOUND usable 2.25']);
  await addCoupon(world.db, HOLDER, ' for-all ');
  await addCoupon(world.db, HOLDER, 'FOR-ALL');
  assert.deepEqual((await shown()).sort(), ['BOUND usable 2.25', 'FOR-ALL usable 30 %']);
  await assert.rejects(addCoupon(world.db, HOLDER, 'OTHERS'), new Problem('coupon_not_yours'));
  await assert.rejects(addCoupon(world.db, HOLDER, 'NOBODYS'), new Problem('coupon_unknown'));
  await assert.rejects(addCoupon(world.db, HOLDER, 'ENDED'), new Problem('coupon_over'));
  assert.deepEqual(await shown({ ...HOLDER, isEmailVerified: false }), ['FOR-ALL usable 30 %'], 'whose address is not shown');
});

test('a credit is shown to its last digit, though prizes may be less than a cent', async () => {
  const left = async (): Promise<string | undefined> => (await ownDiscounts(world.db, HOLDER)).credit?.left;
  assert.equal(await left(), undefined);
  await coupon('CREDIT-OF-THEIRS', { kind: 'credit', uses: null, budget: 5_000, holder_id: HOLDER.id });
  assert.equal(await left(), '0.005');
  await world.db.run(`update coupon set budget = 1230000 where kind = 'credit'`);
  await markCoupons(world.db);
  assert.equal(await left(), '1.23');
  await world.db.run(`delete from coupon where kind = 'credit'`);
});

test('shows which coupons are used and which are over', async () => {
  const used = await coupon('USED');
  await addCoupon(world.db, HOLDER, 'USED');
  await world.db.run(
    `insert into coupon_use (id, coupon_id, owner_kind, owner_id, keys, state, held, spent, at)
     values ($1, $2, 'order', $1, $3, 'spent', 5, 5, clock_now())`,
    [newId(), used, [`holder:${HOLDER.id}`]],
  );
  await coupon('OVER');
  await addCoupon(world.db, HOLDER, 'OVER');
  await world.db.run(`update coupon set state = 'stopped' where code = 'OVER'`);
  const all = await shown();
  assert.ok(all.includes('USED used 30 %') && all.includes('OVER over 30 %'), all.join());
});

test('the terms of directions include the same discounts as a quote: by link, credit and level', async () => {
  const [ann, code] = [newId(), 'ANN00001'];
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at, referral_code)
     values ($1, 'ann@example.org', 'ann@example.org', clock_now(), 'en', clock_now(), $2)`,
    [ann, code],
  );
  await writeHolderMacs(world.db);
  const pair = { from: 'BTC', to: 'USDT_ERC20' };
  const request = { ...pair, amount: '0.005', side: 'give', ref: `${code}.blog` } as const;
  const lines = async (user?: typeof HOLDER) => {
    const caller = { db: world.db, user } as unknown as Parameters<typeof quoteFor>[0];
    const [{ directions }, quote] = await Promise.all([
      directionsFor(caller, { ...pair, ref: request.ref }),
      quoteFor(caller, request),
    ]);
    const [{ terms } = assert.fail('no direction')] = directions;
    assert.deepEqual(
      quote.discounts?.map((one) => one.code),
      terms?.discounts?.map((one) => one.code),
    );
    return [terms?.discounts, terms?.keep_after_rewards, quote.discounts?.map(({ amount }) => amount)];
  };
  assert.deepEqual(await lines(), [undefined, '55', undefined], 'a campaign that there is not');
  await world.db.tx((tx) => storeCampaign(tx, ann, { name: 'blog', split: 50, postback: undefined, maxSplit: 50 }));
  const friend = { code: 'friend', of: 'rest', percent: '15' };
  assert.deepEqual(await lines(), [[friend], '55', ['0.00000375']]);
  await coupon('CREDIT', { kind: 'late', uses: null, budget: 180_000, max: 180_000 });
  await world.db.run(`update coupon set kind = 'credit', holder_id = $1 where code = 'CREDIT'`, [HOLDER.id]);
  await markCoupons(world.db);
  await world.db.tx((tx) => countTurnover(tx, [{ email: HOLDER.email, cents: 600_000n, completedAt: tx.now }]));
  assert.deepEqual(await lines(HOLDER), [
    [{ code: 'credit', fixed: '0.00000200' }, friend, { code: 'loyalty', percent: '10' }],
    '55',
    ['0.00000200', '0.00000307', '0.00000250'],
  ]);
});

test('callers of the same moment are read together, and each gets their own price', async () => {
  const other = { id: newId(), email: 'other@example.org', isEmailVerified: true };
  await world.db.run(
    `insert into account_holder (id, email, email_key, email_verified_at, locale, created_at) values ($1, $2, $2, clock_now(), 'en', clock_now())`,
    [other.id, other.email],
  );
  await writeHolderMacs(world.db);
  await coupon('TOGETHER');
  const ask = { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give' } as const;
  const callers = [
    { user: HOLDER },
    { user: HOLDER, coupon: 'TOGETHER' },
    { user: other, coupon: ' together ' },
    { user: other },
    { coupon: 'TOGETHER' },
    { user: other, coupon: 'NOBODYS-CODE' },
  ];
  let transactions = 0;
  const db = {
    ...world.db,
    tx: (...requested: Parameters<typeof world.db.tx>) => ((transactions += 1), world.db.tx(...requested)),
  };
  const priceOf = async ({ user, coupon: code }: { readonly user?: typeof HOLDER; readonly coupon?: string }): Promise<unknown> =>
    quoteFor({ db, user } as unknown as Parameters<typeof quoteFor>[0], {
      ...ask,
      ...(code !== undefined && { coupon: code }),
    }).then(
      ({ discounts }) => discounts?.map(({ code: name, amount }) => [name, amount]),
      ({ code: problem }: Problem) => problem,
    );
  const alone: unknown[] = [];
  for (const one of callers) alone.push(await priceOf(one));
  assert.equal(transactions, callers.length);
  const together = await Promise.all([...callers, ...callers].map(priceOf));
  assert.equal(transactions, callers.length + 1, 'one transaction for all who ask at once');
  assert.deepEqual(together, [...alone, ...alone]);
  const names = alone.map((one) => (Array.isArray(one) ? one.map(([name]: readonly string[]) => name).join(' ') : one));
  assert.deepEqual(names, ['credit loyalty', 'credit coupon loyalty', 'coupon', undefined, 'coupon', 'coupon_unknown']);
});
