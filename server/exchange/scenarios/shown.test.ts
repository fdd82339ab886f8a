// An order's page states the booked sums in every state and for every way to a price: give, less fees and costs, plus discounts,
// at the rate, is get.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type PriceTerms,
  convert,
  cutRate,
  fraction,
  money,
  parse,
  parseRate,
  percent,
  rate,
  roundTo,
  breakdownForGive,
} from '@kurs/money';
import fc from 'fast-check';
import { configureCompliance } from '../../compliance/index.ts';
import type { PayoutStatus } from '../../payments/index.ts';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { decide } from '../machine/machine.ts';
import { makeOffer } from '../machine/offers.ts';
import { freshFacts, orderFromUnallocated, unallocatedOf } from '../machine/derived-orders.ts';
import { EMPTY, type OrderView, type Payment } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { orderWire } from '../wire/order-wire.ts';

configureCompliance({ botKey: 'key', passToken: 'sandbox', isLoopbackCounted: true });

const START = new Date(0);
const LOCKED = new Date(900_000);
const AFTER = new Date(7_200_000);
const [G, U] = ['BTC', 'USDT'] as const;
const ACCOUNT = { fields: { account: 'a' }, key: 'a' };
const MUCH = 10n ** 20n;
const REQUESTED = 5_000_000n;

const given = (parts: bigint) => money(G, parts);

/** Returns terms with several costs, one of them the operator's own and one of the amount paid out, and with two discounts. */
function termsAt(price: bigint, { spread = '0.5', cost = 1_500n, cut = '20' } = {}): PriceTerms {
  return {
    giveUnit: G,
    getUnit: U,
    giveDigits: 8,
    getDigits: 2,
    rate: cutRate(rate(G, U, fraction(price, 1_000n)), 'down'),
    mid: rate(G, U, fraction(price + 17n, 1_000n)),
    spread: [{ from: given(0n), percent: percent(spread) }],
    minFee: given(300n),
    costs: [
      { code: 'network', fixed: given(cost) },
      { code: 'insurance', percent: percent('0.03') },
      { code: 'payout', of: 'got', percent: percent('0.25'), fixed: given(11n) },
    ],
    discounts: [
      { code: 'coupon', fixed: given(700n) },
      { code: 'loyalty', percent: percent(cut) },
    ],
    minMargin: { percent: percent('0.05'), min: given(100n), afterRewards: fraction(1n, 1n) },
  };
}

/** Returns terms for the way back: of the unit got, with a spread and a cost. */
function backAt(price: bigint): PriceTerms {
  const got = (parts: bigint) => money(U, parts);
  return {
    ...termsAt(price),
    giveUnit: U,
    getUnit: G,
    giveDigits: 2,
    getDigits: 8,
    spread: [{ from: got(0n), percent: percent('0.5') }],
    minFee: got(100_000n),
    costs: [{ code: 'network', fixed: got(1_230_000n) }],
    discounts: [],
    minMargin: { percent: percent('0'), min: got(0n), afterRewards: fraction(1n, 1n) },
  };
}

function placed(terms: PriceTerms, change: Partial<OrderView> = {}): OrderView {
  return {
    id: '6f2f4a53-0b5c-4b5e-9a53-000000000001',
    kind: 'order',
    state: 'awaiting',
    version: 1,
    give: { currency: 'BTC', unit: G, rail: 'bitcoin', parts: REQUESTED },
    get: { currency: 'USDT_ERC20', unit: U, rail: 'evm', parts: breakdownForGive(given(REQUESTED), terms).get.parts },
    receive: ACCOUNT,
    refund: ACCOUNT,
    pinned: {
      lockUntil: LOCKED,
      terms,
      ratesVersion: '1',
      minimum: 1_000n,
      tolerance: 100_000n,
      refundCost: 1_000n,
      minRefund: 1_001n,
      confirmWithin: 3_600_000,
      outageWithin: 0,
      shortPercent: 80,
      isReversible: true,
    },
    payments: [],
    positions: EMPTY,
    facts: freshFacts(START),
    ...change,
  };
}

let ids = 0;
const contextAt = (now: Date, terms: PriceTerms, back?: PriceTerms): Context => ({
  now,
  rules: { offer: 180_000, choice: 1e9, hold: 1e9, approval: 1e9, keepRate: 1_800_000, better: 2, retries: 5, writeOff: 1e9 },
  newId: () => `6f2f4a53-0b5c-4b5e-9a53-1${String((ids += 1)).padStart(11, '0')}`,
  free: { get: MUCH, give: MUCH },
  held: MUCH,
  market: { terms, ...(back && { back }), version: '2' },
  allows: () => true,
  approvalFor: () => ({ people: 0 }),
  screening: 'clean',
});

const stored = (view: OrderView): StoredOrder => ({
  view,
  number: 'KX-TEST',
  email: 'a@example.org',
  locale: 'en',
  usd: 0n,
  createdAt: START,
  updatedAt: START,
  tokenVersion: 1,
});

const SPANS = { choice: 1e9, hold: 1e9, approval: 1e9, offer: 180_000 };
const shown = (view: OrderView, now = AFTER, payout?: PayoutStatus) =>
  orderWire(stored(view), {
    now,
    locale: 'en',
    spans: SPANS,
    events: [],
    related: [],
    isPaused: false,
    isShallow: false,
    voucher: 'none',
    payout,
    directions: [],
    confirmations: new Map(),
  });

type ShownPrice = Pick<ReturnType<typeof shown>, 'give' | 'get' | 'rate' | 'fees' | 'discounts'>;
type Sum = { readonly amount: string };

/** Checks that give − fees + discounts, at the rate shown, rounded down to the payment digits, is get. */
function addsUp(
  { give, get, rate: shownRate, fees, discounts = [] }: ShownPrice,
  way: string,
  [from, to]: readonly [string, string] = [G, U],
): void {
  assert.ok(get && shownRate, `${way}: it has a price`);
  const parts = (lines: readonly Sum[]): bigint => lines.reduce((sum, { amount }) => sum + parse(from, amount).parts, 0n);
  const exchanged = money(from, parse(from, give.amount).parts - parts(fees) + parts(discounts));
  const worth = convert(exchanged, from, parseRate(shownRate.base, shownRate.quote, shownRate.value), to, 'down');
  assert.equal(parse(to, get.amount).parts, roundTo(worth, to === 'BTC' ? 8 : 2, 'down').parts, way);
}

function happen(order: OrderView, event: OrderEvent, context: Context) {
  const outcome = decide(order, event, context);
  if (outcome.refused !== undefined) assert.fail(`${event.type} was refused in ${order.state}: ${outcome.refused}`);
  return outcome;
}

const payment = (parts: bigint, seenAt = START, retained?: bigint): Payment => ({
  id: 'p',
  parts,
  status: 'final',
  place: 'hot',
  txid: 'p',
  seenAt,
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
  ...(retained !== undefined && { retained }),
});

const offered = (order: OrderView, context: Context): OrderView => {
  const offer = makeOffer(order, context);
  assert.ok(offer, 'there is an offer');
  return { ...order, facts: { ...order.facts, offer, offers: offer.number } };
};

/** Returns an order paid too late: the customer chooses at the current rate. */
function latePaid(terms: PriceTerms, parts: bigint, context: Context): OrderView {
  return happen(placed(terms, { state: 'expired' }), { type: 'payin_final', payment: payment(parts, AFTER) }, context).next;
}

type Way = (locked: PriceTerms, current: PriceTerms, parts: bigint) => OrderView;

/** Every way to an order's price; the payouts of the last two fail. */
const WAYS: Readonly<Record<string, Way>> = {
  'not paid yet': (locked) => placed(locked),
  'paid in full, at the locked rate': (locked, current) =>
    happen(placed(locked), { type: 'payin_final', payment: payment(REQUESTED) }, contextAt(START, current)).next,
  'a little more, at the locked rate': (locked, current, parts) =>
    happen(placed(locked), { type: 'payin_final', payment: payment(REQUESTED + (parts % 90_000n)) }, contextAt(START, current))
      .next,
  'overpaid, the rest separate': (locked, current, parts) =>
    happen(
      placed(locked),
      { type: 'payin_final', payment: payment(REQUESTED * 3n + parts, START, 999n) },
      contextAt(START, current),
    ).next,
  'short, scaled': (locked, current, parts) => {
    const some = REQUESTED - (parts % (REQUESTED / 5n));
    const waits = happen(placed(locked), { type: 'payin_final', payment: payment(some) }, contextAt(START, current)).next;
    return waits.state === 'choosing' ? happen(waits, { type: 'take_short' }, contextAt(AFTER, current)).next : waits;
  },
  'late and whole, by choice': (locked, current) => {
    const context = contextAt(AFTER, current);
    const choosing = offered(latePaid(locked, REQUESTED, context), context);
    return happen(choosing, { type: 'choose_continue', offer: 1 }, context).next;
  },
  'late and another sum, by choice': (locked, current, parts) => {
    const context = contextAt(AFTER, current);
    const choosing = offered(latePaid(locked, REQUESTED + parts, context), context);
    return happen(choosing, { type: 'choose_continue', offer: 1 }, context).next;
  },
  'late and better, automatically': (locked, current) => {
    const context = contextAt(AFTER, current);
    const choosing = latePaid(locked, REQUESTED, context);
    const outcome = decide(choosing, { type: 'go_on_better' }, context);
    return outcome.refused === undefined ? outcome.next : choosing;
  },
  'far too short: the lower of two rates, by choice': (locked, current, parts) => {
    const context = contextAt(AFTER, current);
    const some = REQUESTED / 2n + (parts % (REQUESTED / 5n));
    const waits = happen(placed(locked), { type: 'payin_final', payment: payment(some) }, contextAt(START, current)).next;
    const request = happen(waits, { type: 'rate_over' }, context).next;
    return happen(offered(request, context), { type: 'choose_continue', offer: 1 }, context).next;
  },
  'an unallocated payment that became an order': (locked, current, parts) => {
    const context = contextAt(AFTER, current);
    const parent = stored(placed(locked, { state: 'completed' }));
    const unallocated = unallocatedOf(parent, { id: context.newId(), pieces: [payment(REQUESTED + parts, AFTER)] }, '', AFTER);
    const { effects } = happen(offered(unallocated.view, context), { type: 'choose_new_order', offer: 1 }, context);
    const [opened] = effects;
    assert.ok(opened?.do === 'open_order');
    const order = orderFromUnallocated(stored({ ...unallocated.view, state: 'applied' }), opened, '', AFTER).view;
    return happen(order, { type: 'choose_continue', offer: 1 }, context).next;
  },
  undeliverable: (locked, current) => {
    const context = contextAt(START, current);
    let order = happen(placed(locked), { type: 'payin_final', payment: payment(REQUESTED) }, context).next;
    order = happen(order, { type: 'transfer_failed', isTransient: false }, context).next;
    return order;
  },
  'reversed, because it is held after all': (locked, current) => {
    const context = { ...contextAt(START, current), approvalFor: () => ({ people: 1 }) as const };
    const order = happen(placed(locked), { type: 'payin_final', payment: payment(REQUESTED) }, context).next;
    return happen(order, { type: 'op_hold' }, context).next;
  },
};

const prices = fc.bigInt(20_000_000n, 400_000_000n);
const sums = fc.bigInt(0n, 3n * REQUESTED);
const lines = fc.record({
  spread: fc.constantFrom('0.3', '0.5', '1.37', '5'),
  cost: fc.bigInt(0n, 40_000n),
  cut: fc.constantFrom('0', '7', '20', '50'),
});
const moved = fc.integer({ min: -400, max: 400 });

describe('the shown figures of an order add up', () => {
  for (const [way, run] of Object.entries(WAYS)) {
    test(way, () => {
      fc.assert(
        fc.property(prices, moved, lines, lines, sums, (price, by, locked, current, parts) => {
          const now = termsAt((price * BigInt(10_000 + by)) / 10_000n, current);
          const order = run(termsAt(price, locked), now, parts);
          addsUp(shown(order), way);
          for (const choice of shown(offeredOr(order, contextAt(AFTER, now))).choices) {
            if (choice.choice === 'continue')
              addsUp({ ...choice, give: choice.give!, get: choice.money!, fees: choice.fees! }, `${way}, offer`);
          }
        }),
        { numRuns: 40 },
      );
    });
  }

  test('bought back: the original exchange, and the way back for at most the amount given', () => {
    fc.assert(
      fc.property(prices, moved, lines, (price, by, locked) => {
        const back = backAt((price * BigInt(10_000 + by)) / 10_000n);
        const context = contextAt(AFTER, termsAt(price), back);
        const failed = WAYS['undeliverable']!(termsAt(price, locked), termsAt(price), 0n);
        const choosing = offered(failed, context);
        const offer = shown(choosing).choices.find(({ choice }) => choice === 'take_back');
        assert.ok(
          offer?.fees?.every(({ currency }) => currency === 'USDT_ERC20'),
          'its lines are of what is given back',
        );
        const order = happen(choosing, { type: 'take_back', offer: 1 }, context).next;
        const wire = shown(order);
        assert.deepEqual(
          [wire.give, wire.get, wire.fees, wire.rate],
          [shown(failed).give, shown(failed).get, shown(failed).fees, shown(failed).rate],
        );
        addsUp(wire, 'the way there');
        const { bought_back: way } = wire;
        assert.ok(way?.get);
        if (!way.is_max) return addsUp(way, 'the way back', [U, G]);
        assert.equal(parse(G, way.get.amount).parts, REQUESTED);
      }),
      { numRuns: 60 },
    );
  });

  test('a buy-back of a reversed payment is hidden once another payment is exchanged', () => {
    const terms = termsAt(60_000_000n);
    const context = { ...contextAt(AFTER, terms, backAt(60_000_000n)), approvalFor: () => ({ people: 1 }) as const };
    const failed = offered(WAYS['undeliverable']!(terms, terms, 0n), context);
    const { boughtBack } = happen(failed, { type: 'take_back', offer: 1 }, context).next.facts;
    const late = offered(latePaid(terms, REQUESTED / 2n, context), context);
    const choosing = { ...late, facts: { ...late.facts, boughtBack: boughtBack! } };
    const again = happen(choosing, { type: 'choose_continue', offer: 1 }, context).next;
    const held = happen(again, { type: 'op_hold' }, context).next;
    assert.ok(boughtBack);
    assert.deepEqual([shown(again).bought_back, shown(held).bought_back], [undefined, undefined]);
  });
});

test('a payout is shown as sent together with its transaction, never before it', () => {
  const terms = termsAt(60_000_000n);
  const context = contextAt(START, terms);
  const order = happen(placed(terms), { type: 'payin_final', payment: payment(REQUESTED) }, context).next;
  const ours = (view: OrderView) => {
    const own = shown(view, AFTER, 'sent').transfers.find(({ kind }) => kind === 'payout');
    return [own?.status, own?.txid];
  };
  assert.deepEqual(ours(order), ['sending', undefined], 'payments knows, and the order was not told yet');
  assert.deepEqual(ours(happen(order, { type: 'transfer_sent', txid: 'ours' }, context).next), ['sent', 'ours']);
});

const offeredOr = (order: OrderView, context: Context): OrderView => {
  const offer = makeOffer(order, context);
  return offer ? { ...order, facts: { ...order.facts, offer, offers: offer.number } } : order;
};
