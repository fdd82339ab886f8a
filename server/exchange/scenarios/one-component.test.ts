// A component is added in one place: an entry beside those of pricing. From there it reaches the quote, the calculator's terms,
// the order's page, the letter, the file of orders, the journal of the exchange and its reversal.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DISCOUNT_KINDS, type Component, format, money, parse, percent, breakdownForGive } from '@kurs/money';
import { accounts } from '../../ledger/index.ts';
import { useRails } from '../../payments/index.ts';
import { quoteWire } from '../../pricing/index.ts';
import { COMPONENTS, type ComponentSource, SELL, knownDesk, makePrice, termsWire } from '../../pricing/testing.ts';
import type { Rail } from '../../rails/rail.ts';
import { composeLetter } from '../letters/compose-letter.ts';
import { orderPriceWire } from '../wire/price-wire.ts';
import { freshFacts } from '../machine/derived-orders.ts';
import * as postings from '../machine/postings.ts';
import { exchangeOf } from '../order/money/breakdown.ts';
import { EMPTY, type OrderView } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { orderRow } from '../views/order-export.ts';
import { lockedPrice } from '../machine/offers.ts';

const GIVE = parse('BTC', '0.01');

before(() => {
  const rail = (id: string, code: string, unit: string, payDigits: number): [string, Rail] => [
    id,
    { id, kind: 'chain', currencies: [{ code, unit, network: code, payDigits, railScale: 8, fields: [] }] } as unknown as Rail,
  ];
  useRails(new Map([rail('bitcoin', 'BTC', 'BTC', 8), rail('evm', 'USDT_ERC20', 'USDT', 2)]));
});

const ADDED: Readonly<Record<string, { source: ComponentSource; label: string; account: string }>> = {
  insurance: {
    source: { kind: 'cost', lines: ({ give }) => [{ code: 'insurance', percent: percent('1'), fixed: money(give.unit, 70n) }] },
    label: 'Other costs (insurance)',
    account: 'income:fee:BTC',
  },
  jubilee: {
    source: { kind: 'discount', lines: () => [{ code: 'jubilee', percent: percent('20') }] },
    label: 'Discount',
    account: 'spent:discount:BTC',
  },
  service: {
    source: {
      kind: 'cost',
      lines: () => [{ code: 'service', fixed: parse('BTC', '0.00000300'), words: 'costs', account: 'income:spread' }],
    },
    label: 'Costs',
    account: 'income:spread:BTC',
  },
};

function pricedWith(components: readonly ComponentSource[]) {
  const made = makePrice(knownDesk(), SELL, {}, components);
  assert.ok('terms' in made);
  return { ...made, breakdown: breakdownForGive(GIVE, made.terms), at: new Date(0), expiresAt: new Date(30_000) };
}

/** Returns an order at such a price, placed and exchanged. */
function ordersAt({ terms, breakdown }: ReturnType<typeof pricedWith>): { placed: OrderView; exchanged: OrderView } {
  const placed: OrderView = {
    id: '6f2f4a53-0b5c-4b5e-9a53-000000000001',
    kind: 'order',
    state: 'paying',
    version: 1,
    give: { currency: 'BTC', unit: 'BTC', rail: 'bitcoin', parts: breakdown.give.parts },
    get: { currency: 'USDT_ERC20', unit: 'USDT', rail: 'evm', parts: breakdown.get.parts },
    pinned: {
      ...{ lockUntil: new Date(900_000), terms, ratesVersion: '1', minimum: 1n, tolerance: 1n, refundCost: 1n, minRefund: 1n },
      ...{ confirmWithin: 1, outageWithin: 0, shortPercent: 80, isReversible: false },
    },
    payments: [],
    positions: EMPTY,
    facts: freshFacts(new Date(0)),
  };
  const exchange = exchangeOf(placed, lockedPrice(placed, breakdown.give.parts) ?? assert.fail('no price'));
  return { placed, exchanged: { ...placed, facts: { ...placed.facts, exchange } } };
}

const stored = (view: OrderView): StoredOrder => ({
  view,
  number: 'KX-1',
  email: 'a@example.org',
  locale: 'en',
  usd: 0n,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  tokenVersion: 1,
});
const legsOf = ({ legs }: postings.Posting): string[] => legs.map(({ from, to, parts }) => `${from.name} > ${to.name} ${parts}`);
const amountOf = (cells: ReturnType<typeof orderRow>, at: number): string => {
  const cell = cells.at(at);
  return typeof cell === 'object' && 'amount' in cell ? cell.amount : assert.fail('no sum');
};

for (const [code, { source, label, account }] of Object.entries(ADDED)) {
  describe(`${code}, added in one place`, () => {
    const [without, after] = [pricedWith(COMPONENTS), pricedWith([...COMPONENTS, source])];
    const line: Component = after.breakdown.components.find((one) => one.code === code) ?? assert.fail('it is no component');
    const sum = format(money('BTC', line.amount), 8);
    const isDiscount = source.kind === 'discount';
    const { placed, exchanged } = ordersAt(after);

    test('the quote and the calculator have it', () => {
      const [quoted, terms] = [quoteWire(after), termsWire(after.terms)];
      assert.equal(without.breakdown.components.length + 1, after.breakdown.components.length);
      if (isDiscount) {
        assert.deepEqual(quoted.discount, { amount: sum, currency: 'BTC' });
        assert.deepEqual(
          terms.discounts?.map((one) => one.code),
          [code],
        );
      } else {
        const fee = { code, amount: sum, currency: 'BTC' };
        assert.deepEqual(
          quoted.fees.find((one) => one.code === code),
          fee,
        );
        assert.ok(terms.costs.some((one) => one.code === code));
      }
    });

    test('the order’s page shows it, as promised and as booked', () => {
      for (const view of [placed, exchanged]) {
        const { fees, discounts = [] } = orderPriceWire(view);
        assert.deepEqual(
          (isDiscount ? discounts : fees).find((one) => one.code === code),
          { code, amount: sum, currency: 'BTC' },
        );
      }
    });

    test('the letter names it, and the file of orders counts it', () => {
      const { facts } = composeLetter(stored(exchanged), 'received');
      const [, written] = facts.find(([name]) => name === label) ?? assert.fail(JSON.stringify(facts));
      assert.ok(written.startsWith(isDiscount ? '+' : '\u2212'), written);
      // The rate, its pair and the kinds of discounts come after it.
      const column = (isDiscount ? -3 : -4) - DISCOUNT_KINDS.length;
      const [was, is] = [ordersAt(without).exchanged, exchanged].map(
        (view) => parse('BTC', amountOf(orderRow(stored(view)), column)).parts,
      );
      assert.equal(is! - was!, line.amount);
    });

    test('the exchange has a leg for it, and its reversal reverses that', () => {
      const booked = exchanged.facts.exchange ?? assert.fail('not exchanged');
      assert.ok(booked.components.some((one) => one.code === code));
      const into = accounts.orderIn(placed.id, 'BTC').name;
      const there = isDiscount ? `${account} > ${into} ${line.amount}` : `${into} > ${account} ${line.amount}`;
      const back = isDiscount ? `${into} > desk:free:BTC ${line.amount}` : `${account} > ${into} ${line.amount}`;
      assert.ok(legsOf(postings.exchange(exchanged, booked)).includes(there), there);
      assert.ok(legsOf(postings.exchangeReverse(exchanged, 10n ** 12n)).includes(back), back);
    });
  });
}
