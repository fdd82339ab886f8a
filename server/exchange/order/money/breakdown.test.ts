// The breakdown of an exchange: its lines, and the providers' deductions from its payments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fraction, money, percent, rate } from '@kurs/money';
import { amountsOf, differ, exchangeOf, promisedOf, shownOf } from './breakdown.ts';
import { lockedPrice } from '../../machine/offers.ts';
import { EMPTY, type OrderView, type Payment } from '../order.ts';
import { begin } from '../../exploration/order-world.testing.ts';
import { TERMS } from '../../exploration/order-terms.testing.ts';

const order = (change: Partial<OrderView> = {}): OrderView => ({
  ...begin({ kind: 'order', hasRoute: true, askMe: false }, { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 })
    .order,
  ...change,
});
const payment = (id: string, parts: bigint, retained?: bigint): Payment => ({
  id,
  parts,
  status: 'final',
  place: 'hot',
  txid: id,
  seenAt: new Date(0),
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
  ...(retained !== undefined && { retained }),
});

test('an exchange stores lines, rate, version and providers’ deductions from its payments', () => {
  const paid = order({ payments: [payment('a', 10n, 1n), payment('b', 30n, 9n)], positions: { ...EMPTY, in: 40n } });
  const price = lockedPrice(paid, 20n);
  assert.ok(price);
  const booked = exchangeOf(paid, price);
  assert.deepEqual(
    booked.components.map(({ code, kind, payer, amount }) => [code, kind, payer, amount]),
    [
      ['fee', 'fee', 'customer', 2n],
      ['coupon', 'discount', 'desk', 1n],
      ['network', 'cost', 'customer', 1n],
    ],
  );
  assert.deepEqual([booked.give, booked.exchanged, booked.got, booked.provision], [20n, 18n, 18n, 0n]);
  assert.deepEqual(
    [booked.rate, booked.version, booked.terms],
    [TERMS.rate, '1', undefined],
    'the pinned terms are not kept twice',
  );
  assert.equal(booked.retained, 4n, '1 of the first, and of the other what its 10 of 30 leave: 9 less 6');
  const other = exchangeOf(paid, { ...price, terms: { ...TERMS }, version: '2' });
  assert.deepEqual([other.terms, other.version], [TERMS, '2']);
});

test('a cost without words is shown among other costs and stays a line of its own', () => {
  const terms = {
    ...TERMS,
    costs: [
      { code: 'insurance', percent: percent('5') },
      { code: 'sweep', fixed: money(TERMS.giveUnit, 1n) },
    ],
  };
  const priced = order({ pinned: { ...order().pinned, terms } });
  const price = lockedPrice(priced, 20n);
  assert.ok(price);
  const costs = exchangeOf(priced, price).components.filter(({ kind }) => kind === 'cost');
  assert.deepEqual(
    costs.map(({ code, words }) => [code, words]),
    [
      ['insurance', 'other'],
      ['sweep', 'sweep'],
    ],
  );
});

test('the shown price is the booked one, else the promised one; an unallocated payment has none', () => {
  const placed = order();
  const promised = promisedOf(placed);
  assert.ok(promised);
  assert.deepEqual(shownOf(placed), promised);
  assert.deepEqual(amountsOf(placed), { give: placed.give, get: placed.get });
  const booked = { ...promised, give: 16n, got: 14n };
  const done = order({ facts: { ...placed.facts, exchange: booked } });
  assert.equal(shownOf(done), booked);
  assert.deepEqual([amountsOf(done).give.parts, amountsOf(done).get?.parts], [16n, 14n]);
  assert.equal(shownOf(order({ kind: 'unallocated' })), undefined);
});

test('two prices differ if any figure that people see differs, and only then', () => {
  const one = promisedOf(order());
  assert.ok(one?.rate);
  const [first, ...others] = one.components;
  assert.ok(first);
  const same = [{ ...one }, { ...one, version: '9' }, { ...one, retained: 5n, provision: 5n }];
  assert.deepEqual(
    same.map((other) => differ(one, other)),
    [false, false, false],
  );
  const changed = [
    { ...one, give: one.give + 1n },
    { ...one, got: one.got + 1n },
    { ...one, exchanged: one.exchanged + 1n },
    { ...one, components: others },
    { ...one, components: [{ ...first, amount: first.amount + 1n }, ...others] },
    { ...one, components: [{ ...first, code: 'x' }, ...others] },
    { ...one, rate: rate('USD', 'USD', fraction(2n, 1n)) },
    { ...one, rate: rate('USD', 'USD', fraction(1n, 2n)) },
    { ...one, rate: { ...one.rate, base: 'EUR' } },
    { ...one, rate: { ...one.rate, quote: 'EUR' } },
  ];
  for (const other of changed) assert.equal(differ(one, other), true, JSON.stringify(other.components.map(({ code }) => code)));
});

test('1 % of a reversible payment is set aside, at most the fee', () => {
  const of = (parts: bigint, isReversible: boolean): bigint | undefined => {
    const one = order({ pinned: { ...order().pinned, isReversible } });
    const price = lockedPrice({ ...one, give: { ...one.give, parts } }, parts);
    return price && exchangeOf(one, price).provision;
  };
  assert.deepEqual([of(10_000n, true), of(10_099n, true), of(10_000n, false)], [100n, 100n, 0n]);
  const flat = { ...TERMS, spread: [{ from: money(TERMS.giveUnit, 0n), percent: percent('0.5') }] };
  const one = order({ pinned: { ...order().pinned, terms: flat, isReversible: true } });
  const price = lockedPrice(one, 10_000n);
  assert.equal(price && exchangeOf(one, price).provision, 50n);
});

test('a bought-back exchange is shown as it was; a seen payment has no deduction yet', () => {
  const placed = order();
  const booked = { ...promisedOf(placed)!, give: 16n, got: 14n };
  const back = order({ facts: { ...placed.facts, boughtBack: { exchange: booked } as never } });
  assert.equal(shownOf(back), booked);
  assert.deepEqual([amountsOf(back).give.parts, amountsOf(back).get?.parts], [16n, 14n]);
  const { get: _, ...oneSided } = back;
  assert.deepEqual(amountsOf(oneSided), { give: placed.give });
  const { terms: __, ...pinned } = placed.pinned;
  assert.equal(promisedOf(order({ pinned })), undefined);
  const seen = { ...payment('a', 20n, 7n), status: 'seen' } as const;
  const paid = order({ payments: [seen, payment('b', 20n, 2n)], positions: { ...EMPTY, in: 20n } });
  const price = lockedPrice(paid, 20n);
  assert.equal(price && exchangeOf(paid, price).retained, 2n);
});

test('the minimum fee has its own words', () => {
  const min = { ...TERMS, minFee: money(TERMS.giveUnit, 5n) };
  const one = order({ pinned: { ...order().pinned, terms: min } });
  const price = lockedPrice(one, 20n);
  assert.deepEqual(price && exchangeOf(one, price).components.map(({ words, percent: share }) => [words, share]), [
    ['fee_least', undefined],
    ['coupon', undefined],
    ['network', undefined],
  ]);
});

test('a zero fee is still a line, other zero lines are not; the fee shows its percentage, and the mid-market rate is stored', () => {
  const of = (terms: typeof TERMS, parts = 20n) => {
    const one = order({ pinned: { ...order().pinned, terms } });
    const price = lockedPrice(one, parts);
    assert.ok(price);
    return exchangeOf(one, price);
  };
  const nothing = money(TERMS.giveUnit, 0n);
  const free = { ...TERMS, spread: [{ from: nothing, percent: percent('0') }], minFee: nothing };
  const lines = of({ ...free, costs: [{ code: 'network', fixed: nothing }] }).components;
  assert.deepEqual(
    lines.map(({ code, amount }) => [code, amount]),
    [['fee', 0n]],
  );
  assert.equal(of(TERMS).components[0]?.percent, '10');
  assert.equal('percent' in of({ ...TERMS, minFee: money(TERMS.giveUnit, 5n) }).components[0]!, false);
  const mid = rate('USD', 'USD', fraction(3n, 2n));
  assert.deepEqual(of({ ...TERMS, mid }).mid, mid);
  assert.equal('mid' in of(TERMS), false);
});
