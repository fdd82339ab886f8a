import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNITS, assetOf, formatRate, percent } from '@kurs/money';
import { cyclesThatGain, edgeOf } from '../../pricing/index.ts';
import { marketRate } from '../../rates/index.ts';
import defaults from './defaults.json' with { type: 'json' };
import { seedDirections, slugOf } from './directions.ts';

const all = seedDirections();

test('every direction is of two known currencies, and no pair, slug or position stands twice', () => {
  const codes = new Set(defaults.currencies.map(({ code }) => code));
  for (const one of all) {
    assert.ok(codes.has(one.from) && codes.has(one.to) && one.from !== one.to, one.slug);
  }
  assert.ok(all.length >= 100, String(all.length));
  for (const field of ['slug', 'position'] as const) assert.equal(new Set(all.map((one) => one[field])).size, all.length, field);
  assert.equal(new Set(all.map(({ from, to }) => `${from} ${to}`)).size, all.length);
  const [first] = defaults.directions;
  assert.equal(seedDirections(defaults.directions).length, all.length - defaults.directions.length);
  assert.equal(slugOf('BTC', 'USDT_ERC20'), first?.slug, 'what stands in the file has the slug of the rule');
});

test('the pages that people know, their reverses and the usual pairs of coins are on', () => {
  const on = all.filter(({ isOn }) => isOn);
  const pair = (slug: string) => all.filter((one) => one.slug === slug).map(({ from, to }) => `${from} ${to}`)[0];
  const named = [
    ...['advcash', 'bitcoin', 'payeer', 'perfectmoney', 'tether', 'webmoney'].map((one) => `${one}-to-paypal-exchange`),
    ...['exchange-usdt-trx', 'moneygo-usdt-exchange', 'usdt-moneygo-exchange'],
  ];
  for (const slug of named) {
    const [from = '', to = ''] = pair(slug)?.split(' ') ?? [];
    for (const one of [slug, slugOf(to, from)])
      assert.ok(
        on.some((other) => other.slug === one),
        one,
      );
  }
  for (const one of on)
    assert.ok(
      on.some(({ from, to }) => from === one.to && to === one.from),
      `${one.slug} has a way back`,
    );
  assert.ok(!all.some(({ to }) => to === 'LTC' || to === 'DOGE'), 'the gateway pays nothing out');
});

test('every direction between two currencies of one asset has the rate 1, however wide its market', () => {
  const wide = { bid: '0.9', ask: '1.1', live: 3, deviation: '0.1' };
  const assets = Object.fromEntries(Object.keys(UNITS).map((unit) => [assetOf(unit), wide]));
  const market = { version: 1n, at: new Date(0), body: { assets, sources: {}, isSeeded: false } };
  const units = new Map(defaults.currencies.map(({ code }) => [code, code.startsWith('USDT') ? 'USDT' : code]));
  const pairs = all.map(({ from, to }) => [from, to].map((code) => assetOf(units.get(code) ?? '')) as [string, string]);
  const same = pairs.filter(([from, to]) => from === to);
  assert.deepEqual(new Set(same.map(([asset]) => asset)), new Set(['USD', 'EUR', 'USDT']));
  for (const [from, to] of same) assert.equal(formatRate(marketRate(market, from, to)), '1', from);
});

test('what can be taken back costs most, and no cycle of all of them gains', () => {
  for (const { from, spread } of all) {
    assert.equal(spread[0]?.percent === '5', from.startsWith('PAYPAL'), from);
    assert.ok(percent(spread[0]?.percent ?? '0').numerator > 0n);
  }
  assert.equal(cyclesThatGain(all.map((one) => edgeOf(one, one.from, one.to, '0.10'))), undefined);
});

test('every unit that is no mere price can be exchanged, each e-money system has its costs, and roubles wait for a price', () => {
  const codes = new Set(defaults.currencies.map(({ code }) => code));
  const known = Object.keys(UNITS);
  const units = known.filter((unit) => unit !== 'USDT' && !known.some((other) => other !== unit && assetOf(other) === unit));
  assert.deepEqual(
    units.filter((unit) => !codes.has(unit)),
    [],
  );
  const priced = new Set(defaults.costs.map(({ currency }) => currency));
  for (const { code, kind } of defaults.currencies) {
    assert.ok(
      all.some(({ from }) => from === code),
      `${code} can be given`,
    );
    if (kind === 'ewallet') assert.ok(priced.has(code), `what a payment of ${code} costs`);
  }
  const roubles = all.filter(({ from, to }) => [from, to].some((code) => code.endsWith('_RUB')));
  assert.deepEqual(
    [...new Set(roubles.flatMap(({ from, to }) => [from, to]).filter((code) => code.endsWith('_RUB')))].toSorted(),
    ['MONEYGO_RUB', 'PAYEER_RUB', 'VOLET_RUB'],
  );
  assert.ok(roubles.every(({ isOn }) => !isOn));
});
