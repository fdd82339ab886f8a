// One person of the desk can't take much more from customers than a day before, neither by one change nor by many small ones.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Output, Problem, routes } from '@kurs/contract';
import { type World, openWorld } from '../../exchange/testing.ts';
import { type SettingsWatch, watchSettings } from '../../platform/index.ts';
import { addPerson } from '../people/person.testing.ts';
import type { Person } from '../people/roles.ts';
import { changePrices, peg } from './prices.ts';
import { changeSetting } from './settings.ts';

let world: World;
let settings: SettingsWatch;
let ann: Person;
let bob: Person;

beforeEach(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  [ann, bob] = [await addPerson(world.db, 'ann'), await addPerson(world.db, 'bob')];
  // Makes the initial prices of this world a day old.
  await world.pass(25 * 60);
});
afterEach(async () => {
  await settings.stop();
  await world.close();
});

const reason = 'the market asks for it';
const DAY_MINUTES = 24 * 60;
type Given = Parameters<typeof changePrices>[2];
const change = async (input: Partial<Given>, person = ann): Promise<Output<(typeof routes)['operatorPrices']>> => {
  const answer = await changePrices(world.db, person, { apply: true, reason, ...input });
  await world.pass(0);
  return routes.operatorPrices.output.parse(answer);
};
const steps = (...spread: readonly (readonly [from: string, percent: string])[]) => ({
  direction: { slug: 'btc-usdt-erc20', spread: spread.map(([from, percent]) => ({ from, percent })) },
});
const set = async (key: string, value: string, person = ann): Promise<Output<(typeof routes)['operatorSettingChange']>> => {
  const answer = await changeSetting(world.db, person, { key, value, apply: true, reason });
  await settings.refresh();
  await world.pass(0);
  return routes.operatorSettingChange.output.parse(answer);
};
const cost = (figures: object, side: 'payin' | 'payout' = 'payin') => ({ cost: { currency: 'BTC', side, ...figures } });

test('a spread of 99 % takes two people, and the preview says what customers get before and after', async () => {
  const shown = await change({ ...steps(['0', '99']), apply: false });
  assert.deepEqual([shown.status, shown.people, shown.two_since], ['preview', 2, 'less']);
  const usual = shown.directions[0]?.quotes.at(-2);
  assert.ok(Number(usual?.before) > 900 && Number(usual?.after) < 20, JSON.stringify(usual));
  assert.equal(usual?.day_ago, usual?.before);
  assert.equal((await change(steps(['0', '99']))).status, 'awaiting_second');
  assert.equal((await change(steps(['0', '99']), bob)).status, 'done');
});

test('a change below the share takes one person, and the share is a setting that takes two to raise', async () => {
  assert.equal((await change(steps(['0', '5.2']))).status, 'done');
  assert.equal((await set('pricing.cut_percent', '90')).status, 'awaiting_second');
  assert.equal((await set('pricing.cut_percent', '1')).status, 'done');
  assert.equal((await change(steps(['0', '7']))).people, 2);
});

test('many small raises of a day are one large one, whatever they are of', async () => {
  assert.equal((await change(steps(['0', '3']))).status, 'done');
  assert.equal((await change(steps(['0', '5']))).status, 'done');
  assert.deepEqual([(await change({ ...steps(['0', '6']), apply: false })).two_since], ['less']);
  assert.equal((await change(cost({ percent: '2' }))).status, 'awaiting_second', 'by a cost');
  assert.equal((await set('pricing.least_fee_usd', '4')).status, 'awaiting_second', 'by a setting');
  // A day later the comparison starts from there.
  await world.pass(DAY_MINUTES + 1);
  assert.equal((await change(steps(['0', '7']))).status, 'done');
});

test('a step of the fee between the amounts that are shown takes two, also of a direction that is off', async () => {
  assert.equal((await change({ ...steps(['0', '0.5'], ['0.002', '50'], ['0.003', '0.5']), apply: false })).people, 2);
  await change({ direction: { slug: 'btc-usdt-erc20', open: false } });
  await world.pass(2 * DAY_MINUTES);
  assert.equal((await change({ ...steps(['0', '50']), apply: false })).people, 2);
  const shown = await change({ ...cost({ percent: '9' }), apply: false });
  assert.deepEqual([shown.people, shown.directions.map(({ slug }) => slug)], [2, ['btc-usdt-erc20']]);
});

test('a cost of a payment system takes two, by percent, by sum, and of what leaves wallets', async () => {
  for (const figures of [{ percent: '6' }, { fixed: '0.001' }, { min: '0.002' }])
    assert.equal((await change({ ...cost(figures), apply: false })).people, 2, JSON.stringify(figures));
  // The cost of a currency that no direction pays out still applies to withdrawals from wallets.
  await world.owner.run(`delete from direction where to_code = 'BTC'`);
  await world.pass(0);
  assert.equal((await change({ ...cost({ percent: '6' }, 'payout'), apply: false })).people, 2);
  assert.equal((await change({ ...cost({ percent: '1' }, 'payout'), apply: false })).people, 1);
});

test('settings that prices are made by say what customers get, and take two for much less', async () => {
  const shown = routes.operatorSettingChange.output.parse(
    await changeSetting(world.db, ann, { key: 'pricing.least_fee_usd', value: '400', apply: false }),
  );
  assert.equal(shown.people, 2);
  const [quote] = shown.prices?.[0]?.quotes ?? [];
  assert.ok(quote?.before !== undefined && quote.after !== quote.before, JSON.stringify(shown.prices));
  assert.equal((await set('pricing.least_fee_usd', '0.25')).status, 'done');
  assert.equal((await set('pricing.quote_seconds', '20')).prices, undefined);
});

test('levels of loyalty that are taken away take two where the fee is high enough', async () => {
  const levels = (percent: number) => JSON.stringify([{ usd: '500', percent }]);
  const first = { ...steps(['0', '30']) };
  await change(first);
  await change(first, bob);
  await set('coupons.loyalty', levels(40));
  await set('coupons.loyalty', levels(40), bob);
  await world.pass(DAY_MINUTES + 1);
  assert.equal((await set('coupons.loyalty', levels(1))).status, 'awaiting_second');
  assert.equal((await set('coupons.loyalty', levels(39))).status, 'done');
});

test('many small moves of a peg within a day are one large one', async () => {
  const { db } = world;
  await db.run(`insert into rate_asset (code, kind, symbols) values ('RUB', 'other', '{}')`);
  const say = async (usd: string, person = ann) =>
    peg(db, person, { asset: 'RUB', usd, until: new Date((await db.now()).getTime() + 3_600_000).toISOString(), reason });
  const until = new Date((await db.now()).getTime() + 40 * 3_600_000).toISOString();
  await peg(db, ann, { asset: 'RUB', usd: '0.01', until, reason });
  await peg(db, bob, { asset: 'RUB', usd: '0.01', until, reason });
  assert.equal((await say('0.0102')).status, 'done');
  assert.equal((await say('0.0104')).status, 'awaiting_second');
  await world.pass(DAY_MINUTES + 1);
  assert.equal((await say('0.0104')).status, 'done');
});

test('without a price the fee alone is compared', async () => {
  await world.owner.run('delete from network_cost');
  await world.pass(0);
  assert.equal((await change({ ...steps(['0', '20']), apply: false })).people, 2);
  assert.equal((await change({ ...steps(['0', '2']), apply: false })).people, 1);
  await assert.rejects(change({ direction: { slug: 'nowhere' } }), Problem);
});
