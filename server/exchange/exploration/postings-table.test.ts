// Each posting of an order as its legs (from, to, amount): for orders, unallocated payments and wallets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JournalKind, type Leg, assertLegal } from '../../ledger/index.ts';
import { type PayoutHappening, type Returned, payoutLegs } from '../../payments/index.ts';
import { type Exchange, EMPTY, type OrderView, type Payment, type Positions, type Transfer } from '../order/order.ts';
import { begin } from './order-world.testing.ts';
import { TERMS } from './order-terms.testing.ts';
import * as postings from '../machine/postings.ts';
import { KIND_OF, type Posting, applyLegs, asPosted, followPayout, ownAccounts, payoutMoney } from '../machine/postings.ts';

const IDS = { order: '01a20674-57ac-7111-b990-000000000001', other: '01a20674-57ac-7111-b990-000000000002' };
const PAYOUT: Transfer = { intent: 'pay', kind: 'payout', parts: 18n, cost: 0n };
const REFUND: Transfer = { intent: 'ref', kind: 'refund', parts: 19n, cost: 1n };
const EXCHANGE: Exchange = {
  ...{ give: 20n, exchanged: 18n, got: 36n, rate: TERMS.rate, retained: 0n, provision: 1n, version: '1' },
  components: [
    { code: 'fee', words: 'fee', kind: 'fee', account: 'income:spread', payer: 'customer', amount: 3n },
    { code: 'coupon', words: 'discount', kind: 'discount', account: 'spent:discount', payer: 'desk', amount: 2n },
    { code: 'network', words: 'network', kind: 'cost', account: 'income:fee', payer: 'customer', amount: 1n },
  ],
};

const placed = begin(
  { kind: 'order', hasRoute: true, askMe: false },
  { sizes: [], pays: 1, reversals: 0, wins: 0, returns: 0, retries: 0 },
).order;
const order = (positions: Partial<Positions> = {}, more: Partial<OrderView> = {}): OrderView => ({
  ...placed,
  id: IDS.order,
  give: { currency: 'BTC', unit: 'BTC', rail: 'bitcoin', parts: 20n },
  get: { currency: 'USDT_ERC20', unit: 'USDT', rail: 'evm', parts: 36n },
  positions: { ...EMPTY, ...positions },
  ...more,
});
const unallocated = (positions: Partial<Positions> = {}): OrderView => order(positions, { kind: 'unallocated' });
function oneSided(one: OrderView): OrderView {
  const { get: _, ...side } = one;
  return side;
}
const exchanged = (positions: Partial<Positions> = {}): OrderView =>
  order(positions, { facts: { ...placed.facts, exchange: EXCHANGE } });
const throughWallets = (positions: Partial<Positions> = {}): OrderView =>
  order(positions, { pinned: { ...placed.pinned, wallets: { give: 'ann', get: 'bob' } } });
const paid = (place: Payment['place']): Payment => ({ id: 'p', parts: 20n, status: 'final', place }) as Payment;

/** Returns the shortest unique name of an account in these tests. */
const short = (name: string): string =>
  name
    .replace(IDS.order, '*')
    .replace(IDS.other, 'other')
    .replace(/:(BTC|USDT)$/, '');
const written = (legs: readonly Leg[]): string[] =>
  legs.map(({ from, to, parts }) => `${short(from.name)} → ${short(to.name)} ${parts}`);

const table = (): readonly [what: string, posting: Posting, legs: readonly string[]][] => [
  ['reserve', postings.reserve(order(), 36n), ['desk:free → order:*:reserve 36']],
  ['reserve nothing', postings.reserve(order(), 0n), []],
  ['reserve back', postings.reserveRelease(order({ reserve: 36n })), ['order:*:reserve → desk:free 36']],
  ['no reserve back', postings.reserveRelease(order()), []],
  ['an unallocated payment has no reserve to give back', postings.reserveRelease(oneSided(unallocated())), []],
  ['paid', postings.payin(order(), paid('deposit')), ['custody:BTC:deposit → order:*:in 20']],
  ['an unallocated payment is paid', postings.payin(unallocated(), paid('hot')), ['custody:BTC:hot → unallocated:* 20']],
  ['paid from a wallet', postings.payin(throughWallets(), paid('hot')), ['wallet:ann → order:*:in 20']],
  ['taken back', postings.payinReverse(order({ in: 20n }), 'hot', 20n, 20n), ['order:*:in → custody:BTC:hot 20']],
  [
    'taken back, lacking in each place',
    postings.payinReverse(order({ in: 12n }), 'hot', 20n, 15n),
    ['spent:loss → order:*:in 8', 'order:*:in → custody:BTC:hot 15', 'order:*:in → owed:bitcoin 5'],
  ],
  [
    'taken back of what is frozen',
    postings.payinReverseFrozen(order({ in: 99n, frozen: 12n }), 'deposit', 20n, 0n),
    ['spent:loss → frozen:* 8', 'frozen:* → owed:bitcoin 20'],
  ],
  [
    'taken back too late',
    postings.reversalDebt(order({ in: 1n }), 'hot', 20n, 12n),
    ['receivable:* → custody:BTC:hot 12', 'receivable:* → owed:bitcoin 8'],
  ],
  [
    'exchanged',
    postings.exchange(order(), EXCHANGE),
    [
      'order:*:in → income:spread 3',
      'spent:discount → order:*:in 2',
      'order:*:in → income:fee 1',
      'order:*:in → desk:free 18',
      'income:spread → provision:reversal 1',
      'order:*:reserve → order:*:out 36',
    ],
  ],
  [
    'turned round',
    postings.exchangeReverse(exchanged({ out: 36n }), 100n),
    [
      'order:*:out → desk:free 36',
      'provision:reversal → income:spread 1',
      'income:spread → order:*:in 3',
      'order:*:in → desk:free 2',
      'income:fee → order:*:in 1',
      'desk:free → order:*:in 18',
    ],
  ],
  [
    'turned round where some is gone and the desk has little',
    postings.exchangeReverse(exchanged({ out: 30n }), 5n),
    [
      'order:*:out → desk:free 30',
      'provision:reversal → income:spread 1',
      'income:spread → order:*:in 3',
      'order:*:in → desk:free 2',
      'income:fee → order:*:in 1',
      'desk:free → order:*:in 7',
      'spent:loss → order:*:in 11',
    ],
  ],
  ['nothing to turn round', postings.exchangeReverse(order({ out: 36n }), 100n), []],
  ['bought back', postings.buyBack(order({ out: 36n }), 17n), ['order:*:out → desk:free 36', 'desk:free → order:*:in 17']],
  ['a payout is queued', postings.transferIntent(order(), PAYOUT), ['order:*:out → payout:pay 18']],
  ['a refund is queued', postings.transferIntent(order(), REFUND), ['order:*:in → payout:ref 19', 'order:*:in → income:fee 1']],
  [
    'an unallocated payment’s refund is queued',
    postings.transferIntent(unallocated(), REFUND),
    ['unallocated:* → payout:ref 19', 'unallocated:* → income:fee 1'],
  ],
  ['a payout is stopped', postings.transferIntentReverse(order(), PAYOUT), ['payout:pay → order:*:out 18']],
  [
    'a refund is stopped',
    postings.transferIntentReverse(order(), REFUND),
    ['payout:ref → order:*:in 19', 'income:fee → order:*:in 1'],
  ],
  [
    'unclaimed',
    postings.unclaimed(order({ in: 20n, out: 36n })),
    ['order:*:in → unclaimed:* 20', 'order:*:out → unclaimed:*.out 36'],
  ],
  [
    'an unallocated payment is unclaimed',
    postings.unclaimed(oneSided(unallocated({ in: 20n }))),
    ['unallocated:* → unclaimed:* 20'],
  ],
  [
    'claimed',
    postings.claim(order({ unclaimedIn: 20n, unclaimedOut: 36n })),
    ['unclaimed:* → order:*:in 20', 'unclaimed:*.out → order:*:out 36'],
  ],
  ['frozen', postings.freeze(order({ in: 20n, frozen: 7n })), ['order:*:in → frozen:* 20']],
  ['unfrozen', postings.unfreeze(order({ in: 7n, frozen: 20n })), ['frozen:* → order:*:in 20']],
  ['surrendered', postings.surrender(throughWallets({ frozen: 20n })), ['frozen:* → custody:BTC:hot 20']],
  [
    'split off as it comes',
    postings.unallocated(order(), IDS.other, 5n, 'deposit'),
    ['custody:BTC:deposit → unallocated:other 5'],
  ],
  ['split off of what came', postings.unallocated(order(), IDS.other, 5n, 'order:in'), ['order:*:in → unallocated:other 5']],
  [
    'an unallocated payment is used',
    postings.unallocatedUse(unallocated({ in: 20n }), IDS.other),
    ['unallocated:* → order:other:in 20'],
  ],
  ['settled from what it has', postings.debtSettlement(order({ in: 20n, receivable: 12n })), ['order:*:in → receivable:* 12']],
  ['settled as far as it goes', postings.debtSettlement(order({ in: 5n, receivable: 12n })), ['order:*:in → receivable:* 5']],
  ['settles another’s', postings.otherDebtSettlement(order(), IDS.other, 5n), ['order:*:in → receivable:other 5']],
  [
    'won back',
    postings.disputeWin(order(), 'hot', 12n, 8n),
    ['custody:BTC:hot → receivable:* 12', 'custody:BTC:hot → desk:free 8'],
  ],
  [
    'written off',
    postings.writeOff(exchanged({ receivable: 12n })),
    ['provision:reversal → receivable:* 1', 'spent:loss → receivable:* 11'],
  ],
  ['written off without a provision', postings.writeOff(order({ receivable: 12n })), ['spent:loss → receivable:* 12']],
  ['owed again', postings.writeOffReverse(order({ loss: 12n })), ['receivable:* → desk:free 12']],
];

test('each posting has the legs of its row, and is legal in its kind of journal', () => {
  for (const [what, { name, legs }, expected] of table()) {
    assert.deepEqual(written(legs), expected, `${name} ${what}`);
    if (legs.length > 0) assertLegal({ id: IDS.order, kind: KIND_OF[name], cause: IDS.order, legs });
  }
});

const posted = (): readonly [what: string, of: OrderView, Transfer, PayoutHappening, Returned | undefined, string[]][] => [
  ['a payout leaves', order(), PAYOUT, 'sent', undefined, ['payout:pay → custody:USDT_ERC20:hot 18']],
  ['a refund leaves', order(), REFUND, 'sent', undefined, ['payout:ref → custody:BTC:hot 19']],
  ['a payout is refused', order(), PAYOUT, 'notSent', undefined, ['payout:pay → order:*:out 18']],
  ['a refund is refused', order(), REFUND, 'notSent', undefined, ['payout:ref → order:*:in 19', 'income:fee → order:*:in 1']],
  [
    'an unallocated payment’s refund is refused',
    unallocated(),
    REFUND,
    'notSent',
    undefined,
    ['payout:ref → unallocated:* 19', 'income:fee → unallocated:* 1'],
  ],
  ['all came back', order(), PAYOUT, 'returned', undefined, ['custody:USDT_ERC20:hot → order:*:out 18']],
  [
    'less came back, which the desk bears',
    order(),
    REFUND,
    'returned',
    { came: 17n, lost: 2n },
    ['custody:BTC:hot → order:*:in 17', 'spent:rail → order:*:in 2'],
  ],
  [
    'less came back, which the receiver kept',
    order(),
    REFUND,
    'returned',
    { came: 17n, lost: 0n },
    ['custody:BTC:hot → order:*:in 17'],
  ],
];

test('payments posts a transfer to and from the order’s accounts, and the order’s positions follow', () => {
  for (const [what, one, transfer, happening, back, expected] of posted()) {
    const { books, ...money } = payoutMoney(one, transfer);
    const legs = payoutLegs(happening, { ...money, books }, back);
    assert.deepEqual(written(legs), expected, what);
    assertLegal({ id: IDS.order, kind: books.kinds[happening], cause: books.cause, legs });
    const facts = { ...placed.facts, ...(happening === 'returned' ? { sent: transfer } : { transfer }) };
    const before = { ...one, facts, positions: { ...EMPTY, transfer: happening === 'returned' ? 0n : transfer.parts } };
    assert.deepEqual(followPayout(before, happening, back).positions, applyLegs(before, legs, transfer), what);
    assert.throws(() => followPayout(one, happening), /sends nothing/);
  }
});

test('an order with undelivered payout events is seen as payments has posted them', () => {
  const sending = order({ transfer: 19n }, { facts: { ...placed.facts, transfer: REFUND } });
  const seen = (...events: readonly ('send' | 'accepted' | 'refused' | 'final' | 'returned')[]) => {
    const { positions, facts } = asPosted(
      sending,
      events.map((event) => ({ event, intentId: 'ref' })),
    );
    return [positions.transfer, positions.in, facts.transfer?.intent, facts.sent?.intent];
  };
  assert.deepEqual(seen('send'), [19n, 0n, 'ref', undefined]);
  assert.deepEqual(seen('send', 'accepted', 'final'), [0n, 0n, undefined, 'ref']);
  assert.deepEqual(seen('accepted', 'returned'), [0n, 19n, undefined, undefined]);
  assert.deepEqual(seen('refused'), [0n, 20n, undefined, undefined]);
  assert.deepEqual(asPosted(sending, [{ event: 'refused', intentId: 'another' }]), sending);
});

test('a payout into a wallet arrives at once', () => {
  for (const [transfer, holder, expected] of [
    [PAYOUT, 'bob', 'payout:pay → wallet:bob 18'],
    [REFUND, 'ann', 'payout:ref → wallet:ann 19'],
  ] as const) {
    const legs = postings.intoWallet(throughWallets(), transfer, holder);
    assert.deepEqual(written(legs), [expected]);
    assertLegal({ id: IDS.order, kind: 'sent' satisfies JournalKind, cause: IDS.order, legs });
  }
});

test('an order’s positions follow its legs; a debt grows by what leaves its account', () => {
  const after = (one: OrderView, { legs }: Posting, intent?: Transfer): Positions => applyLegs(one, legs, intent);
  assert.deepEqual(after(order(), postings.payin(order(), paid('hot'))), { ...EMPTY, in: 20n });
  assert.deepEqual(after(unallocated(), postings.payin(unallocated(), paid('hot'))), { ...EMPTY, in: 20n });
  assert.deepEqual(after(order({ out: 18n }), postings.transferIntent(order(), PAYOUT), PAYOUT), { ...EMPTY, transfer: 18n });
  assert.deepEqual(after(order({ in: 20n }), postings.transferIntent(order(), REFUND), REFUND), { ...EMPTY, transfer: 19n });
  const sending = order({ transfer: 18n }, { facts: { ...placed.facts, transfer: PAYOUT } });
  assert.deepEqual(followPayout(sending, 'sent').positions, EMPTY);
  assert.deepEqual(after(order(), postings.reversalDebt(order(), 'hot', 20n, 12n)), { ...EMPTY, receivable: 20n });
  const owing = order({ in: 5n, receivable: 12n });
  assert.deepEqual(after(owing, postings.debtSettlement(owing)), { ...EMPTY, receivable: 7n });
  const full = order({ in: 20n, out: 36n });
  assert.deepEqual(after(full, postings.unclaimed(full)), { ...EMPTY, unclaimedIn: 20n, unclaimedOut: 36n });
  assert.deepEqual(after(order({ in: 20n }), postings.freeze(order({ in: 20n }))), { ...EMPTY, frozen: 20n });
});

test('a payout without its side is refused', () => {
  const without = oneSided(order());
  assert.throws(() => postings.payoutMoney(without, PAYOUT), /nothing to pay out/);
  assert.throws(() => postings.reserve(without, 1n), /no got side/);
  assert.deepEqual(
    [ownAccounts(without).out, ownAccounts(without).reserve, ownAccounts(without).transfer],
    [undefined, undefined, undefined],
  );
  assert.equal(ownAccounts(order(), PAYOUT).transfer?.unit, 'USDT');
  assert.equal(ownAccounts(order(), REFUND).transfer?.unit, 'BTC');
});
