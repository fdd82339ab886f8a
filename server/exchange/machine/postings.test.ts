import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Component, fraction, money, percent, rate, totalOf, type PriceTerms } from '@kurs/money';
import { type JournalKind, type Leg, accounts, openMemory } from '../../ledger/index.ts';
import { type PayoutHappening, payoutLegs } from '../../payments/index.ts';
import { exchangeOf } from '../order/money/breakdown.ts';
import { lockedPrice } from './offers.ts';
import { EMPTY, type OrderView, type Payment, type Transfer } from '../order/order.ts';
import * as postings from './postings.ts';
import { applyLegs } from './postings.ts';
import { freshFacts } from './derived-orders.ts';

const NOW = new Date(0);
const G = 'BTC';
const U = 'USDT';

function termsOf(percentText: string, cost: bigint, cut: string): PriceTerms {
  const given = (parts: bigint) => money(G, parts);
  return {
    giveUnit: G,
    getUnit: U,
    giveDigits: 8,
    getDigits: 2,
    rate: rate('BTC', 'USDT', fraction(90_000n, 1n)),
    spread: [{ from: given(0n), percent: percent(percentText) }],
    minFee: given(200n),
    costs: [{ code: 'network', fixed: given(cost) }],
    discounts: [{ code: 'coupon', percent: percent(cut) }],
    minMargin: { percent: percent('0.1'), min: given(100n), afterRewards: fraction(1n, 2n) },
  };
}

function orderOf(give: bigint, terms: PriceTerms): OrderView {
  return {
    id: randomUUID(),
    kind: 'order',
    state: 'awaiting',
    version: 1,
    give: { currency: 'BTC', unit: G, rail: 'bitcoin', parts: give },
    get: { currency: 'USDT_ERC20', unit: U, rail: 'evm', parts: 0n },
    pinned: {
      lockUntil: NOW,
      terms,
      ratesVersion: '1',
      minimum: 0n,
      tolerance: 0n,
      refundCost: 1_000n,
      minRefund: 1n,
      confirmWithin: 1,
      outageWithin: 0,
      shortPercent: 80,
      isReversible: true,
    },
    payments: [],
    positions: EMPTY,
    facts: freshFacts(NOW),
  };
}

/** Opens books with capital, and an order whose positions follow its legs. */
function open(order: OrderView) {
  const books = openMemory();
  const held = { order };
  const post = (legs: readonly Leg[], kind: JournalKind = 'exchange', intent?: Transfer): void => {
    if (legs.length === 0) return;
    const [answer] = books.post([{ id: randomUUID(), kind, cause: order.id, legs }]);
    assert.deepEqual(answer, { status: 'posted' });
    held.order = { ...held.order, positions: applyLegs(held.order, legs, intent) };
  };
  post([{ from: accounts.custody('BTC', 'hot', G), to: accounts.deskFree(G), parts: 10n ** 12n }], 'capital_in');
  post([{ from: accounts.custody('USDT_ERC20', 'hot', U), to: accounts.deskFree(U), parts: 10n ** 15n }], 'capital_in');
  /** Returns the desk's own money in a unit: own less spent. */
  const own = (unit: string): bigint =>
    [...books.accounts()].reduce(
      (sum, { ref, stored }) => (ref.unit === unit && (ref.class === 'own' || ref.class === 'spent') ? sum + stored : sum),
      0n,
    );
  return { books, held, post, own };
}

/** Returns the sum of each kind of line. */
const sumsOf = (components: readonly Component[]) => ({
  fee: totalOf(components, 'fee'),
  discount: totalOf(components, 'discount'),
  cost: totalOf(components, 'cost'),
});

const payment = (parts: bigint): Payment => ({
  id: 'p',
  parts,
  status: 'final',
  place: 'hot',
  txid: 'p',
  seenAt: NOW,
  isFeeOk: true,
  confirmations: 1,
  needed: 1,
});

const sums = fc.bigInt({ min: 50_000n, max: 10n ** 9n });
const spreads = fc.constantFrom('0.3', '0.5', '1.5', '5');
const cuts = fc.constantFrom('0', '5', '20', '50');

/** Places, pays and exchanges an order. */
function exchanged(give: bigint, spread: string, cut: string) {
  const order = orderOf(give, termsOf(spread, 3_000n, cut));
  const world = open(order);
  const price = lockedPrice(order, give);
  assert.ok(price);
  const { breakdown } = price;
  const before = { G: world.own(G), U: world.own(U) };
  world.post(postings.reserve(world.held.order, breakdown.get.parts).legs);
  world.post(postings.payin(world.held.order, payment(give)).legs);
  const booked = exchangeOf(order, price);
  world.post(postings.exchange(world.held.order, booked).legs);
  world.held.order = { ...world.held.order, facts: { ...world.held.order.facts, exchange: booked } };
  world.post(postings.reserveRelease(world.held.order).legs);
  return { ...world, breakdown, booked, before };
}

test('an exchange empties the incoming account, fills the outgoing one, and the desk gains exactly the difference', () => {
  fc.assert(
    fc.property(sums, spreads, cuts, (give, spread, cut) => {
      const { held, own, booked, before } = exchanged(give, spread, cut);
      const { positions } = held.order;
      assert.deepEqual(positions, { ...EMPTY, out: booked.got });
      assert.equal(own(G) - before.G, give);
      assert.equal(before.U - own(U), booked.got);
      const { fee, cost, discount } = sumsOf(booked.components);
      assert.equal(fee + cost - discount + booked.exchanged, give);
    }),
  );
});

test('each line of an exchange has its own leg, and the reversal reverses each', () => {
  const order = orderOf(1_000_000n, {
    ...termsOf('5', 3_000n, '20'),
    costs: [
      { code: 'network', fixed: money(G, 3_000n) },
      { code: 'payin', percent: percent('1') },
      { code: 'insurance', fixed: money(G, 70n) },
    ],
    discounts: [
      { code: 'coupon', fixed: money(G, 500n) },
      { code: 'loyalty', percent: percent('10') },
    ],
  });
  const price = lockedPrice(order, 1_000_000n);
  assert.ok(price);
  const booked = exchangeOf(order, price);
  assert.deepEqual(
    booked.components.map(({ code, kind, account, words }) => [code, kind, account, words]),
    [
      ['fee', 'fee', 'income:spread', 'fee'],
      ['coupon', 'discount', 'spent:discount', 'coupon'],
      ['loyalty', 'discount', 'spent:discount', 'loyalty'],
      ['network', 'cost', 'income:fee', 'network'],
      ['payin', 'cost', 'income:fee', 'payin'],
      ['insurance', 'cost', 'income:fee', 'other'],
    ],
  );
  const into = accounts.orderIn(order.id, G).name;
  const lines = booked.components.map(({ kind, account, amount }) => {
    const other = `${account}:${G}`;
    return kind === 'discount' ? `${other} > ${into} ${amount}` : `${into} > ${other} ${amount}`;
  });
  const written = ({ legs }: { legs: readonly Leg[] }) => legs.map(({ from, to, parts }) => `${from.name} > ${to.name} ${parts}`);
  assert.deepEqual(written(postings.exchange(order, booked)).slice(0, lines.length), lines);
  const back = written(postings.exchangeReverse({ ...order, facts: { ...order.facts, exchange: booked } }, 10n ** 12n));
  for (const { kind, account, amount } of booked.components) {
    const leg = kind === 'discount' ? `${into} > desk:free:${G} ${amount}` : `${account}:${G} > ${into} ${amount}`;
    assert.ok(back.includes(leg), leg);
  }
});

test('a reversed exchange leaves nothing behind, even after the nightly close has paid the discounts', () => {
  fc.assert(
    fc.property(sums, spreads, cuts, fc.boolean(), (give, spread, cut, closed) => {
      const { books, held, post, own, booked, before } = exchanged(give, spread, cut);
      const { discount } = sumsOf(booked.components);
      if (closed && discount > 0n) {
        post([{ from: accounts.deskFree(G), to: accounts.spent('discount', G), parts: discount }], 'close');
      }
      post(postings.exchangeReverse(held.order, books.balance(accounts.deskFree(G))).legs, 'unwind');
      assert.deepEqual(held.order.positions, { ...EMPTY, in: give });
      assert.equal(own(G), before.G);
      assert.equal(own(U), before.U);
    }),
  );
});

test('a reversal that the desk can’t afford books a loss, and the customer gets everything', () => {
  const { books, held, post, own, before } = exchanged(1_000_000n, '0.5', '20');
  const free = books.balance(accounts.deskFree(G));
  post([{ from: accounts.deskFree(G), to: accounts.custody('BTC', 'hot', G), parts: free }], 'capital_out');
  post(postings.exchangeReverse(held.order, 0n).legs, 'unwind');
  assert.equal(held.order.positions.in, 1_000_000n);
  assert.ok(books.balance(accounts.spent('loss', G)) > 0n);
  assert.equal(own(G), before.G - free);
});

test('the ledger’s limits alone refuse a second intent for the same order', () => {
  const { books, held, post } = exchanged(1_000_000n, '0.5', '0');
  const transfer: Transfer = { intent: randomUUID(), kind: 'payout', parts: held.order.positions.out, cost: 0n };
  post(postings.transferIntent(held.order, transfer).legs, 'payout_queued', transfer);
  const again = { ...transfer, intent: randomUUID() };
  const [answer] = books.post([
    { id: randomUUID(), kind: 'payout_queued', cause: held.order.id, legs: postings.transferIntent(held.order, again).legs },
  ]);
  assert.equal(answer?.status, 'floor');
});

test('the money is always in one place: sent, refused, stopped, returned', () => {
  const { held, post } = exchanged(1_000_000n, '0.5', '20');
  const got = held.order.positions.out;
  const transfer: Transfer = { intent: randomUUID(), kind: 'payout', parts: got, cost: 0n };
  const withTransfer = (): OrderView => ({ ...held.order, facts: { ...held.order.facts, transfer } });
  const legs = (happening: PayoutHappening) => payoutLegs(happening, postings.payoutMoney(held.order, transfer));
  for (const back of [() => postings.transferIntentReverse(withTransfer(), transfer).legs, () => legs('notSent')]) {
    post(postings.transferIntent(held.order, transfer).legs, 'payout_queued', transfer);
    assert.deepEqual([held.order.positions.out, held.order.positions.transfer], [0n, got]);
    post(back(), 'payout_stopped', transfer);
    assert.deepEqual([held.order.positions.out, held.order.positions.transfer], [got, 0n]);
  }
  post(postings.transferIntent(held.order, transfer).legs, 'payout_queued', transfer);
  post(legs('sent'), 'sent', transfer);
  assert.deepEqual([held.order.positions.out, held.order.positions.transfer], [0n, 0n]);
  post(legs('returned'), 'returned', transfer);
  assert.equal(held.order.positions.out, got);
  post(postings.unclaimed(held.order).legs, 'unclaimed');
  assert.equal(held.order.positions.unclaimedOut, got);
  post(postings.claim(held.order).legs, 'claimed');
  post(postings.buyBack(held.order, 900_000n).legs, 'buy_back');
  assert.deepEqual(held.order.positions, { ...EMPTY, in: 900_000n });
});

test('a refund’s sending cost is income, and comes back with a returned refund', () => {
  const order = orderOf(100_000n, termsOf('0.5', 0n, '0'));
  const { books, held, post } = open(order);
  post(postings.payin(held.order, payment(100_000n)).legs);
  const transfer: Transfer = { intent: randomUUID(), kind: 'refund', parts: 99_000n, cost: 1_000n };
  post(postings.transferIntent(held.order, transfer).legs, 'refund_queued', transfer);
  assert.equal(books.balance(accounts.income('fee', G)), 1_000n);
  post(payoutLegs('notSent', postings.payoutMoney(held.order, transfer)), 'refused', transfer);
  assert.equal(books.balance(accounts.income('fee', G)), 0n);
  assert.equal(held.order.positions.in, 100_000n);
});

test('a reversed payment leaves the incoming account; what its place lacks is owed to the rail, what the order lacks is a loss', () => {
  const order = orderOf(100_000n, termsOf('0.5', 0n, '0'));
  const { books, held, post } = open(order);
  post(postings.payin(held.order, payment(100_000n)).legs);
  post(
    postings.payinReverse({ ...held.order, positions: { ...held.order.positions, in: 100_000n } }, 'hot', 100_000n, 60_000n).legs,
    'payin_reversed',
  );
  assert.equal(held.order.positions.in, 0n);
  assert.equal(books.balance(accounts.owedRail('bitcoin', G)), 40_000n);
  post(postings.payinReverse(held.order, 'hot', 500n, 10n ** 9n).legs, 'payin_reversed');
  assert.equal(books.balance(accounts.spent('loss', G)), 500n);
});

test('a debt after sending is written off from the provision first, and can be won back', () => {
  const { books, held, post } = exchanged(1_000_000n, '5', '0');
  const provision = held.order.facts.exchange?.provision ?? 0n;
  assert.equal(provision, 10_000n);
  post(postings.reversalDebt(held.order, 'hot', 1_000_000n, 10n ** 12n).legs, 'reversal');
  assert.equal(held.order.positions.receivable, 1_000_000n);
  post(postings.writeOff(held.order).legs, 'write_off');
  assert.equal(held.order.positions.receivable, 0n);
  assert.equal(books.balance(accounts.spent('loss', G)), 990_000n);
  assert.equal(books.balance(accounts.provisionReversal(G)), 0n);
  post(postings.disputeWin(held.order, 'hot', 0n, 1_000_000n).legs, 'dispute_won');
  assert.equal(held.order.positions.receivable, 0n);
});

test('surrendered money leaves custody, even if a wallet paid it: its holder gets nothing back', () => {
  const order = { ...orderOf(1_000n, termsOf('0.5', 0n, '0')), positions: { ...EMPTY, frozen: 1_000n } };
  const byWallet = { ...order, pinned: { ...order.pinned, wallets: { give: randomUUID() } } };
  for (const one of [order, byWallet])
    assert.deepEqual(
      postings.surrender(one).legs.map(({ from, to, parts }) => [from.name, to.name, parts]),
      [[accounts.frozen(one.id, G).name, accounts.custody('BTC', 'hot', G).name, 1_000n]],
    );
});
