// Reports about a desk on which everything happened, compared with the ledger's profit and with plain SQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { decimal, scaleOf } from '@kurs/money';
import { alone } from '../../collecting/index.ts';
import { accounts, formatUsd, leg, profit, usdOf } from '../../ledger/index.ts';
import { type Db, newId } from '../../platform/index.ts';
import { type GrowthWorld, openGrowthWorld } from '../scenarios/growth-world.testing.ts';
import { directionsView } from './directions.ts';
import { positionView, profitView, turnoverView } from './reports.ts';

let growth: GrowthWorld;
let db: Db;
let days: string[];

before(async () => {
  growth = await openGrowthWorld();
  ({ db } = growth.world);
  // Changes without an order: costs in units with a price from an earlier day, and a unit that never had one.
  await growth.world.pass(24 * 60);
  const change = (kind: 'network_fee' | 'rail_fee' | 'difference', legs: Parameters<typeof leg>) => ({
    id: newId(),
    kind,
    cause: newId(),
    legs: [leg(...legs)],
  });
  await alone(db, async (unit) => {
    unit.post(change('network_fee', [accounts.spent('network', 'BTC'), accounts.custody('BTC', 'hot', 'BTC'), 1_234n]));
    unit.post(change('rail_fee', [accounts.spent('rail', 'USDT'), accounts.custody('USDT_ERC20', 'hot', 'USDT'), 7n]));
    unit.post(change('difference', [accounts.custody('TRX', 'fuel', 'TRX'), accounts.suspense('TRX'), 9n]));
  });
  const rows = await db.rows<{ day: string }>(
    `select distinct to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day from posting order by 1`,
  );
  days = rows.map(({ day }) => day);
  assert.ok(days.length >= 3, days.join());
});
after(() => growth?.close());

/** Returns a decimal as a whole number of 10^-36. */
const usd = (text: string): bigint => {
  const { numerator, denominator } = decimal(text.replace('-', ''));
  return (numerator * 10n ** 36n * (text.startsWith('-') ? -1n : 1n)) / denominator;
};
const sumOf = (texts: readonly string[]): string => formatUsd(texts.reduce((sum, text) => sum + usd(text), 0n));
const ofMidnight = (day: string, more = 0): Date => new Date(Date.parse(`${day}T00:00:00Z`) + more);
const DAY_MS = 24 * 3_600_000;

/** Returns the ledger's operating result of some days. */
const booked = async (from: string, to: string): Promise<string> =>
  (await profit(db, { after: ofMidnight(from, -1), until: ofMidnight(to, DAY_MS - 1) })).operating;

/** Returns the result by plain SQL, grouped by an expression: each change of own money at its price, or at the last known one. */
async function plainly(of: string): Promise<Record<string, string>> {
  const rows = await db.rows<{ key: string; unit: string; worth: string }>(
    `with own as (
       select p.*, s.unit, case when t.class in ('own', 'spent') then p.parts else -p.parts end as change
       from posting p join account s on s.id = p.from_id join account t on t.id = p.to_id
       where (s.class in ('own', 'spent')) <> (t.class in ('own', 'spent')))
     select ${of} as key, own.unit, sum(own.change * coalesce(own.price, (
       select earlier.price from own earlier where earlier.unit = own.unit and earlier.price is not null
         and (earlier.at, earlier.journal, earlier.leg) < (own.at, own.journal, own.leg)
       order by earlier.at desc, earlier.journal desc, earlier.leg desc limit 1), 0)) as worth
     from own left join customer_order o on o.id = own.cause where own.kind not in (80, 81) group by 1, 2`,
  );
  const found: Record<string, bigint> = {};
  for (const { key, unit, worth } of rows) found[key] = (found[key] ?? 0n) + usdOf(unit, worth);
  return Object.fromEntries(Object.entries(found).map(([key, sum]) => [key, formatUsd(sum)]));
}

test('the profits of all days, directions or rails add up to the ledger’s, to the last digit', async () => {
  const [first, last] = [days[0] as string, days.at(-1) as string];
  const whole = await booked(first, last);
  assert.notEqual(whole, '0');
  for (const by of ['day', 'direction', 'rail'] as const) {
    const found = await profitView(db, { from: first, to: last, by });
    assert.equal(found.operating, whole, by);
    assert.equal(sumOf(found.rows.map(({ operating }) => operating)), whole, by);
  }
  assert.equal((await profitView(db, { from: first, to: last })).operating, whole);
  // It holds for each single day, too: an earlier price is carried on.
  for (const day of days) assert.equal((await profitView(db, { from: day, to: day })).operating, await booked(day, day), day);
});

test('the rows of profit equal plain SQL’s, and groups without a direction have names', async () => {
  const [from, to] = [days[0] as string, days.at(-1) as string];
  const byDay = await plainly(`to_char(own.at at time zone 'UTC', 'YYYY-MM-DD')`);
  const { rows } = await profitView(db, { from, to, by: 'day' });
  assert.equal(rows.length, (ofMidnight(to).getTime() - ofMidnight(from).getTime()) / DAY_MS + 1);
  for (const { day, operating } of rows) assert.equal(operating, byDay[day as string] ?? '0', day);

  const byDirection = await plainly(`coalesce(lower(replace(o.give_currency || '-' || o.get_currency, '_', '-')), 'none')`);
  const directions = await profitView(db, { from, to, by: 'direction' });
  const named = directions.rows.filter(({ direction }) => direction !== undefined);
  assert.ok(named.length > 0);
  for (const { direction, operating } of named) assert.equal(operating, byDirection[direction as string], direction);
  const others = directions.rows.filter(({ other }) => other !== undefined);
  assert.equal(sumOf(others.map(({ operating }) => operating)), byDirection['none']);
  assert.deepEqual(new Set(others.map(({ other }) => other)), new Set(['desk', 'invoices', 'rewards']));
});

test('a rail’s profit is that of orders paid by it, less its own charges', async () => {
  const day = days.at(-1) as string;
  const { rows } = await profitView(db, { from: day, to: day, by: 'rail' });
  assert.equal(rows.find(({ rail }) => rail === 'evm' || rail === 'ethereum')?.operating.startsWith('-'), true);
  const btc = rows.find(({ rail }) => rail === 'bitcoin');
  assert.ok(btc && btc.operating.startsWith('-'), JSON.stringify(rows));
  // No rail here carries TRX.
  assert.ok(rows.some(({ other }) => other === 'not_set_up'));
});

test('turnover is what was exchanged, at the prices of the exchanges', async () => {
  const [from, to] = [days[0] as string, days.at(-1) as string];
  const exchanged = await db.rows<{ pair: string; parts: string; price: string; unit: string }>(
    `select o.give_currency || ' ' || o.get_currency as pair, o.give_parts::text as parts, p.price::text, s.unit
     from customer_order o join posting p on p.cause = o.id join account s on s.id = p.from_id join account t on t.id = p.to_id
     where s.name like 'order:%:in:%' and t.name like 'desk:free:%'
       and o.id in (select cause from posting join account on account.id = to_id where name like 'order:%:out:%')`,
  );
  // A journal of several steps has the name of the last one: an exchange that is paid out at once is called a payout.
  const named = await db.rows<{ kind: number }>(
    `select distinct kind from posting join account on account.id = from_id where name like 'order:%:reserve:%'`,
  );
  assert.ok(exchanged.length > 0 && named.some(({ kind }) => kind !== 5), JSON.stringify(named));
  const worth = ({ parts, price, unit }: (typeof exchanged)[number]): bigint => {
    const { numerator, denominator } = decimal(price);
    return (BigInt(parts) * numerator * 10n ** BigInt(36 - scaleOf(unit))) / denominator;
  };
  const whole = await turnoverView(db, { from, to });
  assert.equal(whole.exchanges, exchanged.length);
  assert.equal(whole.usd, formatUsd(exchanged.reduce((sum, one) => sum + worth(one), 0n)));
  for (const by of ['day', 'direction', 'rail'] as const) {
    const { rows } = await turnoverView(db, { from, to, by });
    assert.equal(sumOf(rows.map((row) => row.usd)), whole.usd, by);
    assert.equal(
      rows.reduce((sum, row) => sum + row.exchanges, 0),
      whole.exchanges,
    );
  }
});

test('the position equals the ledger’s own accounts at both ends, and its rows add up to the change', async () => {
  const [from, to] = [days[1] as string, days.at(-1) as string];
  const found = await positionView(db, { from, to });
  const ledger = await profit(db, { after: ofMidnight(from, -1), until: ofMidnight(to, DAY_MS - 1) });
  const parts = (unit: string, text: string): string => (usd(text) / 10n ** BigInt(36 - scaleOf(unit))).toString();
  assert.deepEqual(
    found.units.map(({ unit, opening, closing }) => [unit, parts(unit, opening), parts(unit, closing)]),
    ledger.units.map(({ unit, opening, closing }) => [unit, `${opening}`, `${closing}`]),
  );
  assert.equal(sumOf(found.units.map((one) => one.usd)), ledger.closing);
  for (const by of ['day', 'direction', 'rail'] as const) {
    const { rows } = await positionView(db, { from, to, by });
    for (const { unit, change } of found.units)
      assert.equal(sumOf(rows.filter((row) => row.unit === unit).map((row) => row.change)), sumOf([change]), `${by} ${unit}`);
  }
});

test('the period is today by default, and a `to` before `from` is refused', async () => {
  const today = (await db.now()).toISOString().slice(0, 10);
  const found = await profitView(db, {});
  assert.deepEqual([found.from, found.to, found.rows], [today, today, []]);
  await assert.rejects(profitView(db, { from: '2199-01-01' }), (error: Problem) => error.code === 'validation');
});

test('directions show switch, spread, bounds, reserve and the orders of today by the slug', async () => {
  const placed = await growth.world.place({});
  assert.equal(placed.view.give.currency, 'BTC');
  const [first] = await directionsView(db);
  assert.ok(first);
  assert.deepEqual([first.slug, first.from, first.to, first.on], ['btc-usdt-erc20', 'BTC', 'USDT_ERC20', true]);
  assert.deepEqual(first.spread, [{ from: '0', percent: '0.5' }]);
  assert.ok(Number(first.min) > 0 && Number(first.max) > Number(first.min) && Number(first.reserve) > 0);
  const count = await db.row<{ count: string }>(
    `select count(*) from customer_order where kind = 'order' and give_currency = 'BTC'
     and (created_at at time zone 'UTC')::date = (clock_now() at time zone 'UTC')::date`,
  );
  assert.equal(first.orders_today, Number(count?.count));
  assert.ok(first.orders_today > 0);
});
