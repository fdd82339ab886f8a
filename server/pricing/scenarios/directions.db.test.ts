import { randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@kurs/contract';
import { format, fraction, percent, zero } from '@kurs/money';
import { accounts } from '../../ledger/index.ts';
import { postAny } from '../../ledger/testing.ts';
import { type SettingsWatch, advanceClock, putSetting, watchSettings } from '../../platform/index.ts';
import { saveDirection, smallestRetainedShare, switchDirection } from '../directions/change-direction.ts';
import { heldShare } from '../price/held-share.ts';
import { runCosts } from '../known/network-costs.ts';
import { currentTerms, quote } from '../quotes/quote.ts';
import { seedPricing } from '../seed.ts';
import { readSwitch } from '../directions/store.ts';
import { closedNow, refundTerms } from '../price/price-now.ts';
import { directionOf } from '../known/view.ts';
import { directionsWire, quoteWire } from '../quotes/wire.ts';
import { type PricedWorld, openPricedWorld } from './world.testing.ts';

let world: PricedWorld;
let settings: SettingsWatch;

before(async () => {
  world = await openPricedWorld();
  settings = await watchSettings(world.db);
});
after(async () => {
  await settings.stop();
  await world.close();
});
beforeEach(() => world.rates());

/** Applies everything stored so far. */
const refresh = async (): Promise<void> => {
  await settings.refresh();
  await world.refresh();
};

const OTHER: Readonly<Record<string, string>> = { BTC: 'USDT_ERC20', USDT_ERC20: 'BTC' };
const ask = (from: string, amount: string) => ({ from, to: OTHER[from] as string, amount, side: 'give' as const });
const wire = (input: ReturnType<typeof ask>) => quoteWire(quote(input));
const reason = (from: string) => closedNow(directionOf(from, OTHER[from] as string));
const refusal = (run: () => unknown): [code: string, reason: string | undefined] => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return [error.code, error.details.params?.['reason']];
  }
  return assert.fail('was not refused');
};

test('a direction closes for each of its reasons, and opens again', async () => {
  const { db } = world;
  const slug = 'btc-usdt-erc20';
  assert.equal(reason('BTC'), undefined);
  await db.tx((tx) => switchDirection(tx, slug, false, 'test'));
  await refresh();
  assert.equal(reason('BTC'), 'switched_off');
  assert.equal(await readSwitch(db, 'BTC', 'USDT_ERC20'), false);
  assert.deepEqual(
    refusal(() => quote(ask('BTC', '0.01'))),
    ['direction_closed', 'switched_off'],
  );
  await db.tx((tx) => switchDirection(tx, slug, true, 'test'));
  await world.railUp('evm', false);
  assert.equal(reason('BTC'), 'rail_down');
  await world.railUp('evm', true);
  await db.tx((tx) => putSetting(tx, 'payments.payouts.off', ['evm'], 'test'));
  await refresh();
  assert.equal(reason('BTC'), 'payouts_off');
  assert.equal(reason('USDT_ERC20'), undefined, 'payouts on another rail go on');
  await db.tx((tx) => putSetting(tx, 'compliance.reversible_currencies', ['USDT_ERC20'], 'test'));
  await refresh();
  assert.equal(reason('USDT_ERC20'), 'exposure', 'until somebody has said how much may be outstanding');
  await db.tx((tx) => putSetting(tx, 'compliance.exposure_usd', '20000', 'test'));
  await refresh();
  assert.equal(reason('USDT_ERC20'), undefined);
  await db.tx((tx) => putSetting(tx, 'compliance.reversible_currencies', [], 'test'));
  await db.tx((tx) => putSetting(tx, 'payments.payouts.off', [], 'test'));
  await refresh();
  await world.rates({ BTC: { closed: 'rates_apart' } });
  assert.deepEqual(
    refusal(() => quote(ask('BTC', '0.01'))),
    ['rates_unavailable', 'rates_apart'],
  );
  assert.equal(currentTerms('BTC', 'USDT_ERC20'), undefined);
  await world.rates();
  await advanceClock(db, 31_000);
  await refresh();
  assert.equal(reason('BTC'), 'rates_old');
  await world.rates();
  assert.equal(reason('BTC'), undefined);
});

test('refuses a table in which a cycle gains, or that keeps too little', async () => {
  const { db } = world;
  const base = { slug: 'btc-usdt-erc20', from: 'BTC', to: 'USDT_ERC20', isOn: true, position: 10 };
  const save = (change: object) =>
    db.tx((tx) => saveDirection(tx, { ...base, spread: [{ from: '0', percent: '0.5' }], ...change }, 'test'));
  for (const change of [
    { spread: [{ from: '0', percent: '0.05' }] },
    { spread: [{ from: '1', percent: '0.5' }] },
    {
      spread: [
        { from: '0', percent: '0.5' },
        { from: '0', percent: '0.4' },
      ],
    },
    { spread: [] },
    { min: '2', max: '1' },
    { to: 'BTC' },
    { to: 'NONE' },
    { slug: 'another' },
    { costs: [{ code: 'Bad Code' }] },
  ]) {
    await assert.rejects(save(change), Problem, JSON.stringify(change));
  }
  await db.tx((tx) => putSetting(tx, 'pricing.min_margin_percent', '0', 'test'));
  await sleep(150);
  await assert.rejects(
    save({ spread: [{ from: '0', percent: '0' }] }).then(() =>
      save({ slug: 'usdt-erc20-btc', from: 'USDT_ERC20', to: 'BTC', spread: [{ from: '0', percent: '0' }] }),
    ),
    (error) => {
      assert.ok(error instanceof Problem);
      const { spread } = error.details.errors as { spread: { code: string } };
      return spread.code === 'table_gains';
    },
  );
  await db.tx((tx) => putSetting(tx, 'pricing.min_margin_percent', '0.10', 'test'));
  await sleep(150);
  await save({
    spread: [
      { from: '0', percent: '0.6' },
      { from: '0.005', percent: '0.4' },
    ],
    min: '0.002',
  });
  await refresh();
  assert.deepEqual(await smallestRetainedShare(db), percent('0.2'));
  assert.equal(wire(ask('BTC', '0.004')).min, '0.00200000');
  assert.equal(wire(ask('BTC', '0.004')).fees[0]?.percent, '0.6');
  assert.equal(wire(ask('BTC', '0.01')).fees[0]?.percent, '0.4');
  const history = await db.rows<{ version: number }>(`select version from direction_history where slug = $1 order by version`, [
    base.slug,
  ]);
  assert.ok(history.length >= 3 && history.at(-1)?.version === directionOf('BTC', 'USDT_ERC20').version);
  const changedAt = (): string => directionsWire({ from: 'BTC' }).directions[0]?.changed_at ?? 'never';
  const before = changedAt();
  await refresh();
  assert.equal(changedAt(), before, 'what is only read anew has not changed');
  await save({});
  await refresh();
  assert.ok(Date.parse(changedAt()) > Date.parse(before));
});

test('the next start switches off exactly the directions that have begun to gain', async () => {
  const { db } = world;
  await db.run(`update direction set spread = '[{"from":"0","percent":"0"}]'`);
  await db.tx((tx) => seedPricing(tx, { currencies: [], directions: [] }));
  const rows = await db.rows<{ slug: string; is_on: boolean; by: string }>('select slug, is_on, by from direction');
  assert.ok(rows.length > 1 && rows.every(({ is_on, by }) => !is_on && by === 'seed'), JSON.stringify(rows));
  await db.run(`update direction set is_on = true, spread = '[{"from":"0","percent":"0.5"}]'`);
  await db.tx((tx) => seedPricing(tx, { currencies: [], directions: [] }));
  assert.equal(await readSwitch(db, 'BTC', 'USDT_ERC20'), true);
  await refresh();
});

test('a direction without reserve states when it is expected back', async () => {
  const { db } = world;
  const [hot, deposit] = (['hot', 'deposit'] as const).map((place) => accounts.custody('USDT_ERC20', place, 'USDT'));
  assert.ok(hot && deposit);
  const move = (from: typeof hot, to: typeof hot) =>
    db.tx((tx) =>
      postAny(tx, [{ id: randomUUID(), kind: 'sweep', cause: randomUUID(), legs: [{ from, to, parts: 1_000_000_000n }] }]),
    );
  await world.payable('USDT_ERC20', 'USDT', '1');
  assert.equal(reason('BTC'), 'reserve');
  for (const said of ['hours', 'day'] as const) {
    await db.tx((tx) => putSetting(tx, 'pricing.refill', said, 'test'));
    await sleep(700);
    await refresh();
    assert.equal(reason('BTC'), `reserve_${said}`);
  }
  // 1000 USDT are at deposit addresses: not yet a reserve, so the reason says that one is arriving.
  await move(deposit, hot);
  await refresh();
  assert.equal(reason('BTC'), 'reserve_arriving');
  await move(hot, deposit);
  await db.tx((tx) => putSetting(tx, 'pricing.refill', 'unsaid', 'test'));
  await sleep(700);
  await world.payable('USDT_ERC20', 'USDT', '2000000');
  assert.equal(reason('BTC'), undefined);
});

test('a direction without a known network cost is closed, and the worker’s estimate opens it', async () => {
  await world.db.run(`update network_cost set at = now() - interval '16 minutes'`);
  await refresh();
  assert.equal(reason('BTC'), 'rail_down');
  assert.equal(refundTerms('BTC'), undefined);
  const worker = runCosts(world.db);
  await worker.stop();
  await refresh();
  assert.equal(reason('BTC'), undefined);
  assert.equal(format(refundTerms('BTC')?.cost ?? zero('BTC')), '0.00001500');
  assert.equal(format(refundTerms('BTC')?.smallest ?? zero('BTC')), '0.00003000');
  await world.cost('USDT_ERC20', 'ETH', '0.0002');
});

test('an asset without any price closes the directions that need it', async () => {
  await world.rates({ ETH: null });
  assert.equal(reason('BTC'), 'rates');
  assert.equal(directionsWire().directions[0]?.terms, undefined);
});

test('returns the share of a reserve that unpaid orders hold', async () => {
  assert.equal((await heldShare(world.db)).numerator, 0n);
  await world.db.run(`insert into hold_total (key, parts) values ('USDT', 100000000000), ('USDT visitors', 100000000000)`);
  // 100 000 of 1 900 000 + 100 000.
  assert.deepEqual(await heldShare(world.db), fraction(1n, 20n));
});
