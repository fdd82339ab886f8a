// Orders placed by partners' programs: all steps in one call and only once, their owner, and the limit of unpaid ones.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Input, type Problem, type Routes, routes } from '@kurs/contract';
import { parse } from '@kurs/money';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type Context, type SettingsWatch, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import { saveTerms } from '../../referrals/index.ts';
import { exchangeRoutes } from '../routes.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
let handlers: ReturnType<typeof exchangeRoutes>;
let settings: SettingsWatch;
let customers = 0;

before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  handlers = exchangeRoutes({ ...world.deps, sealer: testSealer, factors: testSealer, operators: async () => 2 });
});
after(async () => {
  await settings.stop();
  await world.close();
});

/** Returns the context of an account holder's program, with an account of this age in days. */
async function program({ days = 8, isVerified = true } = {}): Promise<Context> {
  const id = newId();
  const email = `${id}@example.org`;
  await world.db.run(
    `insert into account_holder (id, email, email_key, locale, created_at, email_verified_at)
     values ($1, $2, $2, 'en', clock_now() - make_interval(days => $3), case when $4 then clock_now() end)`,
    [id, email, days, isVerified],
  );
  await writeHolderMacs(world.db);
  const key = {
    id: newId(),
    permissions: ['partner.orders', 'partner.read'],
    holder: { id, email, isEmailVerified: isVerified },
  };
  const seen = { clientId: 'public', userAgent: '', ip: '203.0.113.9', deviceKey: 'd' };
  return { db: world.db, locale: 'en', ...seen, ...freely, key };
}

const request = (more: Partial<Input<Routes['partnerOrderPlace']>> = {}): Input<Routes['partnerOrderPlace']> => ({
  ...{ from: 'BTC', to: 'USDT_ERC20', amount: '0.00200000', side: 'give', locale: 'en', terms_accepted: true },
  receive: { ...world.rails.USDT_ERC20.receiver() },
  refund: { ...world.rails.BTC.receiver() },
  email: `customer-${(customers += 1)}@example.org`,
  ...more,
});
const place = (by: Context, more: Partial<Input<Routes['partnerOrderPlace']>> = {}, key?: string) =>
  handlers.partnerOrderPlace(request(more), { ...by, idempotencyKey: key });
const code = (name: string) => (error: Problem) => error.code === name;

test('an order is placed once however often it is requested, and only its partner is notified', async () => {
  const [ann, bob] = [await program(), await program()];
  const input = request();
  const placed = await handlers.partnerOrderPlace(input, { ...ann, idempotencyKey: 'one and the same key' });
  assert.deepEqual(routes.partnerOrderPlace.output.parse(placed), placed);
  assert.deepEqual([placed.status, placed.email, 'token' in placed], ['waiting', input.email, false]);
  assert.ok(placed.pay?.address);
  const again = await handlers.partnerOrderPlace(input, { ...ann, idempotencyKey: 'one and the same key' });
  assert.equal(again.id, placed.id);
  assert.notEqual((await place(bob, {}, 'one and the same key')).id, placed.id, 'another’s key is another’s');
  assert.equal((await handlers.partnerOrder({ id: placed.id }, ann)).id, placed.id);
  await assert.rejects(handlers.partnerOrder({ id: placed.id }, bob), code('order_not_found'));
  const rates = await handlers.partnerRates({ from: 'BTC', to: 'USDT_ERC20' }, ann);
  assert.equal(rates.directions.length, 1);
  assert.equal((await handlers.partnerStatistics({}, ann)).days.length, 0);
});

test('a partner needs a verified account, seven days old', async () => {
  for (const who of [{ days: 6 }, { isVerified: false }]) {
    const by = await program(who);
    await assert.rejects(place(by), code('partner_not_yet'), JSON.stringify(who));
    await assert.rejects(handlers.partnerRates({}, by), code('partner_not_yet'));
  }
});

test('a partner may have ten open orders of different customers, and twenty once ten were paid', async () => {
  const [ann, bob] = [await program(), await program()];
  for (let n = 0; n < 10; n += 1) await place(ann);
  await assert.rejects(place(ann), code('too_many_unpaid_orders'));
  await place(bob);
  await world.owner.run(
    `update customer_order set state = 'completed' where id in (select order_id from partner_order where holder_id = $1)`,
    [ann.key?.holder.id],
  );
  await place(ann);
});

test('one customer is still one customer: two orders may be open', async () => {
  const ann = await program();
  const email = 'the-same@example.org';
  await place(ann, { email });
  await place(ann, { email });
  await assert.rejects(place(ann, { email }), code('too_many_unpaid_orders'));
});

test('two keys of new accounts can’t close a reserve: all partners together hold a small share of it', async () => {
  const [ann, bob] = [await program(), await program()];
  const shown = async () => (await handlers.partnerRates({ from: 'BTC', to: 'USDT_ERC20' }, ann)).directions[0];
  const reserve = parse('USDT', (await shown())?.reserve ?? '').parts;
  // 1 % instead of 10 %: two new accounts together can't exceed the usual share here.
  await world.db.tx((tx) => putSetting(tx, 'partner.reserve_percent', 1, 'test'));
  await settings.refresh();
  const large = { amount: (await shown())?.max ?? '' };
  for (const by of [ann, bob]) for (let n = 0; n < 10; n += 1) await place(by, large);
  const [held] = await world.db.rows<{ parts: string; holds: number }>(
    `select (select parts from hold_total where key = 'USDT partners') as parts, count(*)::int as holds
     from unpaid_hold where 'USDT partners' = any (totals)`,
  );
  assert.ok(held && BigInt(held.parts) * 100n <= reserve && BigInt(held.parts) * 110n > reserve, `${held?.parts} of ${reserve}`);
  const left = await shown();
  assert.ok(left?.open && parse('USDT', left.reserve).parts * 100n >= reserve * 98n);
});

test('fifty orders that expire unpaid in a day suspend a partner’s keys until there are fewer', async () => {
  const ann = await program();
  await place(ann);
  const key = `net:partner/${ann.key?.holder.id}`;
  await world.db.run(
    `insert into unpaid_use (owner_kind, owner_id, key, status, at, ended_at)
     select 'order', gen_random_uuid(), $1, 'expired', clock_now(), clock_now() from generate_series(1, 50)`,
    [key],
  );
  await assert.rejects(place(ann), code('partner_suspended'));
  await world.db.run(
    `update unpaid_use set ended_at = clock_now() - interval '25 hours', at = at - interval '25 hours' where key = $1 and status = 'expired'`,
    [key],
  );
  await place(ann);
});

test('a suspended affiliate places no order, but reads the placed ones', async () => {
  const ann = await program();
  const { id } = await place(ann);
  const suspend = (isSuspended: boolean) => world.db.tx((tx) => saveTerms(tx, ann.key?.holder.id ?? '', { isSuspended }));
  await suspend(true);
  await assert.rejects(place(ann), code('partner_suspended'));
  assert.equal((await handlers.partnerOrder({ id }, ann)).id, id);
  await suspend(false);
  await place(ann);
});
