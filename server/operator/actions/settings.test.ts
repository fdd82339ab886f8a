// Every setting declares which changes take two people and the unit of its figures, and refuses absurd values.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { listSettings, peopleToChange, settingFrom, settingText } from '../../platform/index.ts';

// Rooms declare their settings when they are loaded.
const server = new URL('../../', import.meta.url);
for (const room of await readdir(server)) {
  const index = new URL(`${room}/index.ts`, server);
  if (existsSync(index)) await import(index.href);
}
const settings = listSettings();

/** The refused goods and one more. */
const GOODS_AND_TOBACCO = JSON.stringify([
  ...((settings.find(({ key }) => key === 'gate.goods_refused')?.initial ?? []) as object[]),
  { en: 'tobacco', ru: 'табак' },
]);

/** For each setting a loosening and a tightening change as text; only the latter if nothing loosens it. */
const BY_HAND: Readonly<Record<string, { readonly looser?: string; readonly tighter: string }>> = {
  'compliance.reversible_currencies': { looser: '["PAYPAL_USD"]', tighter: '["PAYPAL_USD","PAYPAL_EUR","VOLET_USD"]' },
  'compliance.levels': {
    looser:
      '[{"per_order":"1000","day":"2000","month":null},{"per_order":"3000","day":"5000","month":"20000"},{"per_order":"20000","day":"50000","month":"250000"},{"per_order":"100000","day":"250000","month":null}]',
    tighter:
      '[{"per_order":"1","day":"2000","month":"5000"},{"per_order":"3000","day":"5000","month":"20000"},{"per_order":"20000","day":"50000","month":"250000"},{"per_order":"100000","day":"250000","month":"9"}]',
  },
  'compliance.hard_labels': {
    looser: '["sanctions"]',
    tighter: '["sanctions","terrorism","child abuse","stolen funds","ransomware","mixer"]',
  },
  'compliance.harmless_labels': {
    looser: '["exchange","wallet","payment processor","miner","merchant","mixer"]',
    tighter: '["exchange"]',
  },
  'compliance.exposure_usd': { looser: '1', tighter: '0' },
  'payments.payouts.enabled': { tighter: 'false' },
  'payments.payouts.off': { tighter: '["evm"]' },
  'payments.rails': { tighter: '{"evm":true}' },
  'payments.stopped': { tighter: '["orders"]' },
  'payments.balance_lag_minutes': { looser: '{"paypal":241}', tighter: '{"paypal":0}' },
  'payments.comparison_minutes': { looser: '{"default":11,"paypal":300}', tighter: '{"default":10,"paypal":299}' },
  'affiliates.levels': {
    looser:
      '[{"customers":0,"percent":30},{"customers":9,"percent":33},{"customers":50,"percent":36},{"customers":200,"percent":40}]',
    tighter:
      '[{"customers":0,"percent":29},{"customers":10,"percent":33},{"customers":50,"percent":36},{"customers":200,"percent":40}]',
  },
  'affiliates.most_percent': { tighter: '49' },
  'affiliates.split_most': { looser: '60', tighter: '40' },
  'coupons.loyalty': {
    looser: '[{"usd":"500","percent":6},{"usd":"5000","percent":10},{"usd":"20000","percent":15},{"usd":"100000","percent":20}]',
    tighter: '[{"usd":"501","percent":5},{"usd":"5000","percent":10},{"usd":"20000","percent":15},{"usd":"100000","percent":20}]',
  },
  'exchange.mails': { tighter: 'false' },
  'pricing.refill': { tighter: 'hours' },
  'content.hero': { tighter: '{"from":"BTC","to":"USDT_ERC20","amount":"1"}' },
  'alarms.mail': { tighter: '["olga@example.org"]' },
  'alarms.webhook': { looser: 'https://elsewhere.example', tighter: '' },
  'alarms.chat': { looser: '-1001234567890', tighter: '' },
  'rates.kraken_url': { looser: 'https://elsewhere.example', tighter: '' },
  'rates.coinbase_url': { looser: 'https://elsewhere.example', tighter: '' },
  'gate.countries_refused': { looser: '["IR","KP","SY"]', tighter: '["CU","IR","KP","SY","BY"]' },
  'gate.goods_refused': { looser: '[{"en":"weapons","ru":"оружие"}]', tighter: GOODS_AND_TOBACCO },
  'earn.on': { tighter: 'true' },
  'earn.table': {
    looser: '[{"prize":"0.02","weight":1000000}]',
    tighter:
      '[{"prize":"0.005","weight":600000},{"prize":"0.01","weight":250000},{"prize":"0.05","weight":100000},{"prize":"0.20","weight":40000},{"prize":"0.50","weight":10000}]',
  },
  'rates.bitstamp_url': { looser: 'https://elsewhere.example', tighter: '' },
};

type Leaf = { readonly path: readonly (string | number)[]; readonly value: unknown };
const leavesOf = (value: unknown, path: (string | number)[] = []): Leaf[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, Array.isArray(value) ? Number(key) : key]))
    : [{ path, value }];
const withLeaf = (value: unknown, path: readonly (string | number)[], leaf: unknown): unknown => {
  const [first, ...rest] = path;
  if (first === undefined) return leaf;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[first] = withLeaf(copy[first], rest, leaf);
  return copy;
};
const isFigure = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && /^[0-9.]+$/.test(value));
const moved = (value: unknown, by: 1 | -1): unknown => {
  if (typeof value === 'number') return value + by;
  const text = String(value);
  return by === 1 ? text.replace(/^[0-9]/, (first) => (first === '9' ? '10' : String(Number(first) + 1))) : '0';
};

/** Changes each figure of a value by one, if the schema accepts that. Returns the number of people for each. */
function people(key: string, value: unknown, by: 1 | -1): number[] {
  return leavesOf(value)
    .filter((leaf) => isFigure(leaf.value) && leaf.value !== '0')
    .flatMap((leaf) => {
      const text = settingText(withLeaf(value, leaf.path, moved(leaf.value, by)));
      try {
        return [peopleToChange(key, value, settingFrom(key, text))];
      } catch {
        return [];
      }
    });
}

test('there are settings of every room that has any', () => {
  assert.ok(settings.length > 90, String(settings.length));
});

for (const { key, initial, unit } of settings)
  test(`${key}: to loosen it takes two people, anything else one`, () => {
    const figures = leavesOf(initial).filter(({ value }) => isFigure(value));
    if (figures.length > 0 && key !== 'content.hero') assert.ok(unit, 'its figures count something');
    const hand = BY_HAND[key];
    if (hand?.looser !== undefined) assert.equal(peopleToChange(key, initial, settingFrom(key, hand.looser)), 2);
    if (hand) return assert.equal(peopleToChange(key, initial, settingFrom(key, hand.tighter)), 1);
    const [up, down] = [people(key, initial, 1), people(key, initial, -1)];
    const all = new Set([...up, ...down]);
    assert.ok(up.length + down.length > 0, 'no change of it could be tried: state some by hand');
    if (all.size === 1) assert.ok(NEITHER.has(key), `each change of it takes ${[...all].join()}`);
    if (key === 'payments.finality') return;
    assert.ok(new Set(up).size <= 1 && new Set(down).size <= 1, 'all its figures are loosened the same way');
  });

/** Settings that no change can loosen. */
const NEITHER = new Set(
  `compliance.screening_seconds exchange.choice_hours exchange.retries exchange.calculation_minutes coupons.button_day late.orders payments.watch
  payments.watch_hours payments.calls_per_second payments.watch_closely_minutes payments.weigh_minutes payments.live_days payments.give_up_days payments.bump_after_minutes
  payments.recall_unclaimed_days payments.recall_goods_days payments.sweep_from_usd wallets.deposit_minutes rates.fetch_seconds
  rates.keep_days rates.keep_hours_days alarms.remind_hours alarms.reserve_usd alarms.disk_percent alarms.certificate_days support.chat_mail_seconds support.most_messages
  gate.cost_most gate.decide_hours gate.forget_days gate.refund_days gate.metadata_kb gate.life gate.life_least gate.life_most gate.tolerance`.split(
    /\s+/,
  ),
);

test('each figure of the required confirmations is compared by name, and another shape counts as looser', () => {
  const { initial } = settings.find(({ key }) => key === 'payments.finality') as (typeof settings)[number];
  const with_ = (rail: string, change: object) => ({
    ...(initial as object),
    [rail]: { ...(initial as Record<string, object>)[rail], ...change },
  });
  const takes = (value: unknown) => peopleToChange('payments.finality', initial, value);
  assert.equal(takes(with_('evm', { tiers: [{ upToUsd: '1000', confirmations: 13 }] })), 1);
  assert.equal(takes(with_('evm', { tiers: [{ upToUsd: '1000', confirmations: 11 }] })), 2);
  assert.equal(takes(with_('evm', { tiers: [{ upToUsd: '1001', confirmations: 12 }] })), 2);
  assert.equal(takes(with_('evm', { tiers: [{ upToUsd: '900', confirmations: 12 }] })), 1);
  assert.equal(takes(with_('evm', { tiers: [] })), 2);
  assert.equal(takes(with_('evm', { above: 500 })), 2, 'a number in place of the chain’s own word');
  assert.equal(takes(with_('bitcoin', { block: { overUsd: '20000', more: 0 } })), 2);
  assert.equal(takes(with_('litecoin', { follow: 1 })), 2, 'a rail more');
});

test('switching payouts on takes two people, off one', () => {
  assert.equal(peopleToChange('payments.payouts.enabled', false, true), 2);
  assert.equal(peopleToChange('payments.payouts.off', ['evm', 'tron'], ['tron']), 2);
  assert.equal(peopleToChange('payments.payouts.off', ['evm'], ['tron']), 2);
});

/** Values that no setting accepts, in place of a figure or of the whole value. */
const ABSURD = ['1e3', '-1', '9'.repeat(31), 'NaN', '0x10', `"${'x'.repeat(30_000)}"`, '{"a":{"b":{}}}', '[[]]', 'null'];

for (const { key, initial } of settings)
  test(`${key} is bounded: ${ABSURD.length} absurd values are refused`, () => {
    for (const text of ABSURD)
      assert.throws(() => settingFrom(key, text), { code: 'validation' }, `${key} took ${text.slice(0, 40)}`);
    for (const { path, value } of leavesOf(initial).filter((leaf) => isFigure(leaf.value))) {
      for (const figure of typeof value === 'number' ? [-1, 1e15, 0.5] : ['9'.repeat(31), '-1', '1e9', '']) {
        const text = settingText(withLeaf(initial, path, figure));
        assert.throws(() => settingFrom(key, text), { code: 'validation' }, `${key} took ${figure} at ${path.join('.')}`);
      }
    }
    assert.deepEqual(settingFrom(key, settingText(initial)), initial, 'what it is goes through text and back');
  });
