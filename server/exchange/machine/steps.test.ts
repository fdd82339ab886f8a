// Results of each step of the order machine: a row per state and event. Each row lists the order's complete positions, but only
// the facts and payments in question.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import type { Context, OrderEvent } from '../order/events/events.ts';
import { ACCOUNT, DAY, EXCHANGED, NOW, START, next, orderIn, payment, withOffer, withoutRefund } from './machine.testing.ts';
import { EMPTY, type Facts, type OrderState, type OrderView, type Payment, type Positions } from '../order/order.ts';
import type { PostingName } from './postings.ts';

/** The order after an event. `posted`: names of the postings; `payments`: each as `<id> <status> <parts>`. */
interface OrderAfter extends Partial<Positions> {
  readonly state: OrderState;
  readonly facts?: { readonly [K in keyof Facts]?: Facts[K] | undefined };
  readonly posted?: readonly PostingName[];
  readonly payments?: readonly string[];
}
type Case = readonly [what: string, order: OrderView, event: OrderEvent, left: OrderAfter, context?: Partial<Context>];

function check([what, order, event, { state, facts = {}, posted, payments, ...holds }, context]: Case): void {
  test(what, () => {
    const { next: now, postings } = next(order, event, context);
    assert.deepEqual([now.state, now.positions], [state, { ...EMPTY, ...holds }]);
    const known = Object.keys(facts) as (keyof typeof facts)[];
    assert.deepEqual(Object.fromEntries(known.map((key) => [key, now.facts[key]])), facts);
    if (posted)
      assert.deepEqual(
        postings.map(({ name }) => name),
        posted,
      );
    if (payments)
      assert.deepEqual(
        now.payments.map(({ id, status, parts }) => `${id} ${status} ${parts}`),
        payments,
      );
  });
}

const exchange = EXCHANGED;
const payout = { intent: 'i', kind: 'payout', parts: 18n, cost: 0n } as const;
const refund = { intent: 'i', kind: 'refund', parts: 19n, cost: 1n } as const;
/** The transfer that the machine requests. */
const request = { ...refund, intent: 'x' };
const byPeople = { ...request, isByPeople: true } as const;
const LOCK_OVER = { now: new Date(900_000) };
const WINDOW_OVER = { now: new Date(3_600_000) };
const one: Context['approvalFor'] = () => ({ people: 1 });
const q = (status: Payment['status'], parts?: bigint): Payment => ({ ...payment(status, parts), id: 'q' });
const fresh = { isLate: false } as const;
const held = { hold: { cause: 'soft', since: START } } as const;
const took = (parts: bigint, isStopped = false): OrderEvent => ({
  type: 'payin_reversed',
  payment: 'p',
  parts,
  ...(isStopped && { isStopped }),
});
const won = (parts: bigint): OrderEvent => ({ type: 'dispute_won', payment: 'p', parts });

describe('before it is exchanged', () => {
  const lowFee = { ...payment('final', 12n), isFeeOk: false };
  const unallocated = orderIn('choosing', { in: 20n }, {}, [payment('final'), q('reversed', 5n)], 'unallocated');
  const choosing = orderIn('choosing', { in: 20n }, { isAsked: true });
  const silence = { now: new Date(3 * DAY) };
  // prettier-ignore
  const cases: readonly Case[] = [
    ['cancelled', orderIn('awaiting', { reserve: 18n }, fresh, []), { type: 'cancel' }, { state: 'cancelled' }],
    ['not paid', orderIn('awaiting', { reserve: 18n }, fresh, []), { type: 'lock_over' }, { state: 'expired' }, LOCK_OVER],
    ['unconfirmed: it goes on waiting at another rate', orderIn('seen', { reserve: 18n }, fresh, [payment('seen')]), { type: 'window_over' }, { state: 'seen', facts: { isLate: true, lateFor: 'unconfirmed' } }, WINDOW_OVER],
    ['unconfirmed, with other money', orderIn('seen', { in: 12n, reserve: 18n }, fresh, [q('final', 12n), payment('seen')]), { type: 'window_over' }, { state: 'choosing', in: 12n, facts: { isLate: true, lateFor: 'unconfirmed' } }, WINDOW_OVER],
    ['dropped by an order that was late before its lock ended', orderIn('seen', {}, {}, [payment('seen')]), { type: 'payin_dropped', payment: 'p' }, { state: 'expired', payments: [] }],
    ['dropped without having been awaited', orderIn('choosing', { in: 12n }, {}, [q('final', 12n)]), { type: 'payin_dropped', payment: 'p' }, { state: 'choosing', in: 12n, facts: { since: START } }],
    ['seen for a completed order', orderIn('completed', {}, {}, []), { type: 'payin_seen', payment: payment('seen') }, { state: 'completed', payments: ['p seen 20'] }],
    ['dropped for a completed order', orderIn('completed', {}, {}, [payment('seen')]), { type: 'payin_dropped', payment: 'p' }, { state: 'completed', payments: [] }],
    ['final for a completed order', orderIn('completed', {}, {}, [payment('seen')]), { type: 'payin_final', payment: payment('final') }, { state: 'completed', payments: [], posted: ['unallocated'] }],
    ...(['expired', 'cancelled', 'reversed'] as const).map((state): Case => [`paid though ${state}: late, for nothing that its customer did`, orderIn(state, {}, { isLate: false, lateFor: 'low_fee' }, []), { type: 'payin_final', payment: payment('final') }, { state: 'choosing', in: 20n, facts: { isLate: true, lateFor: undefined } }]),
    ['another payment restarts the time to choose', orderIn('choosing', { in: 5n }, { choiceSince: START }, [payment('final', 5n)]), { type: 'payin_final', payment: q('final') }, { state: 'choosing', in: 25n, facts: { choiceSince: NOW } }],
    ['short in time: asked, at the lower rate', orderIn('choosing', { in: 12n, reserve: 18n }, fresh, [payment('final', 12n)]), { type: 'rate_over' }, { state: 'choosing', in: 12n, facts: { isLate: true, hasLowerRate: true, isAsked: true } }, LOCK_OVER],
    ['short with a low fee: at the current rate, and not asked yet', orderIn('choosing', { in: 12n, reserve: 18n }, fresh, [lowFee]), { type: 'rate_over' }, { state: 'choosing', in: 12n, facts: { hasLowerRate: false, isAsked: false, lateFor: 'low_fee' } }, LOCK_OVER],
    ['continued at the offer', withOffer(choosing), { type: 'choose_continue', offer: 1 }, { state: 'paying', transfer: 18n, posted: ['reserve', 'exchange', 'payout_intent'] }],
    ['late at a rate no worse', orderIn('choosing', { in: 20n }), { type: 'go_on_better' }, { state: 'paying', transfer: 18n, posted: ['reserve', 'exchange', 'payout_intent'] }],
    ['an unallocated payment becomes an order, without its reversed part', withOffer(unallocated), { type: 'choose_new_order', offer: 1 }, { state: 'applied', facts: { becameOrder: 'x' }, payments: ['q reversed 5'], posted: ['unallocated_use'] }],
    ['an owner takes an unallocated payment over, without its reversed part', unallocated, { type: 'take_over', to: accounts.invoiceIn('i', unallocated.give.unit) }, { state: 'applied', facts: { isTakenOver: true }, payments: ['q reversed 5'], posted: ['unallocated_back'] }],
    ['a refund is chosen', orderIn('choosing', { in: 20n, reserve: 18n }, fresh), { type: 'choose_refund' }, { state: 'refunding', transfer: 19n, facts: { isLate: true, transfer: request } }],
    ['no choice', choosing, { type: 'deadline' }, { state: 'refunding', transfer: 19n, facts: { transfer: request, isFreeRefund: false } }, silence],
    ['no choice, without a refund account', withoutRefund(orderIn('choosing', { in: 20n, reserve: 18n }, { isAsked: true })), { type: 'deadline' }, { state: 'unclaimed', unclaimedIn: 20n }, silence],
    ['no choice by a debtor', choosing, { type: 'deadline' }, { state: 'holding', in: 20n, facts: { hold: { cause: 'hard', since: silence.now, isDebt: true } } }, { ...silence, owes: 'shown' }],
    ['people refund it, even to a debtor', choosing, { type: 'op_refund', isOurs: false }, { state: 'refunding', transfer: 19n, facts: { transfer: byPeople, isFreeRefund: false } }, { owes: 'shown' }],
    ['people refund it for the desk’s fault', choosing, { type: 'op_refund', isOurs: true }, { state: 'refunding', transfer: 20n, facts: { transfer: { ...byPeople, parts: 20n, cost: 0n }, isFreeRefund: true } }],
  ];
  for (const each of cases) check(each);

  test('an order made of an unallocated payment takes over its money, its offer and its final payments', () => {
    const order = withOffer(unallocated);
    const { effects } = next(order, { type: 'choose_new_order', offer: 1 });
    const { offer } = order.facts;
    assert.deepEqual(effects, [{ do: 'open_order', id: 'x', parts: 20n, offer, payments: [payment('final')] }]);
  });
});

describe('held, approved, frozen', () => {
  const approving = (facts: Partial<Facts>) => orderIn('approving', { out: 18n }, { exchange, ...facts });
  const clears = approving({ approval: { people: 0, clearingUntil: NOW } });
  const hard = { hold: { cause: 'hard', since: START } } as const;
  // prettier-ignore
  const cases: readonly Case[] = [
    ['a hard hold outlives the rate', orderIn('holding', { in: 20n, reserve: 18n }, { ...fresh, ...hard }), { type: 'hold_rate_over' }, { state: 'holding', in: 20n, facts: { isLate: true, lateFor: 'checked' } }, { now: new Date(3 * DAY) }],
    ['another payment is dropped, and the hold goes on', orderIn('holding', { in: 20n, reserve: 18n }, { ...fresh, ...held }, [q('final'), payment('seen')]), { type: 'payin_dropped', payment: 'p' }, { state: 'holding', in: 20n, reserve: 18n, payments: ['q final 20'] }],
    ['released and paid; a later refund isn’t free', orderIn('holding', { in: 20n, reserve: 18n }, { ...fresh, ...held }), { type: 'release' }, { state: 'paying', transfer: 18n, facts: { isFreeRefund: false } }],
    ['released without reserve for its rate: its customer is asked', orderIn('holding', { in: 20n }, held), { type: 'release' }, { state: 'choosing', in: 20n, facts: { isLate: true, hasLowerRate: false, isFreeRefund: true } }],
    ['approved', approving({ approval: { people: 1 } }), { type: 'approve', people: 1 }, { state: 'paying', transfer: 18n, facts: { approved: 1 } }, { approvalFor: one }],
    ['cleared', clears, { type: 'clearing_over' }, { state: 'paying', transfer: 18n }],
    ['cleared, and now in need of approval', clears, { type: 'clearing_over' }, { state: 'approving', out: 18n, facts: { approval: { people: 1 } } }, { approvalFor: one }],
    ['approved by nobody: held at its rate, with a free refund', approving({ ...fresh, approval: { people: 1 } }), { type: 'deadline' }, { state: 'holding', in: 20n, reserve: 18n, facts: { isFreeRefund: true, hold: { cause: 'soft', since: new Date(DAY), isUnapproved: true } } }, { now: new Date(DAY) }],
    ['unclaimed, and frozen', orderIn('unclaimed', { unclaimedIn: 20n }), { type: 'freeze' }, { state: 'frozen', frozen: 20n, posted: ['claim', 'freeze'] }],
  ];
  for (const each of cases) check(each);
});

describe('what is sent', () => {
  const paying = orderIn('paying', { transfer: 18n }, { exchange, transfer: payout, isTransient: true });
  const failed = (facts: Partial<Facts> = {}) => orderIn('undelivered', { out: 18n }, { exchange, ...facts });
  const stored = (order: OrderView): OrderView => ({
    ...order,
    payments: order.payments.map((each) => ({ ...each, retained: 3n })),
  });
  const again = failed({ isTransient: true, tries: 1 });
  const back = orderIn('undelivered', { in: 20n }, { isTransient: true, tries: 1 });
  const later = { now: new Date(DAY) };
  const give = { ...ACCOUNT, side: 'give' } as const;
  const get = { ...ACCOUNT, side: 'get' } as const;
  const unclaimed = orderIn('unclaimed', { unclaimedOut: 18n }, { exchange, tries: 3 });
  const given = orderIn('unclaimed', { unclaimedIn: 20n }, { tries: 3 });
  const owing = orderIn('undelivered', { out: 18n, receivable: 20n }, { exchange }, [payment('reversed')]);
  // prettier-ignore
  const cases: readonly Case[] = [
    ['taken by its rail', paying, { type: 'transfer_sent', txid: 't' }, { state: 'paying', facts: { sent: { ...payout, txid: 't' }, transfer: undefined, isTransient: false }, posted: [] }],
    ['taken by its rail, without a transaction id', paying, { type: 'transfer_sent' }, { state: 'paying', facts: { sent: payout, isTransient: false } }],
    ['refused: payments posts that', paying, { type: 'transfer_failed', isTransient: false }, { state: 'undelivered', out: 18n, facts: { transfer: undefined }, posted: [] }],
    ['held back: it reverses its intent', paying, { type: 'transfer_failed', isTransient: false, isRetained: true }, { state: 'undelivered', out: 18n, facts: { transfer: undefined }, posted: ['payout_intent_reverse'] }],
    ['a refund came back', stored(orderIn('refunded', {}, { sent: refund, isTransient: true })), { type: 'transfer_returned' }, { state: 'undelivered', in: 19n, facts: { isTransient: false, sent: undefined } }],
    ['a payout came back after a write-off: the debt is restored', orderIn('charged_back', { loss: 20n }, { exchange, sent: payout, ended: 'completed', isTransient: true }), { type: 'transfer_returned' }, { state: 'undelivered', out: 18n, receivable: 20n, facts: { isTransient: false }, posted: ['write_off_reverse'] }],
    ['tried again: a person approves if needed by now', again, { type: 'retry' }, { state: 'approving', out: 18n, facts: { approval: { people: 1 } } }, { ...later, approvalFor: one }],
    ['sent again by a person: that is an approval', again, { type: 'op_retry' }, { state: 'paying', transfer: 18n, facts: { approved: 1 } }, { approvalFor: one }],
    ['refunded again', back, { type: 'retry' }, { state: 'refunding', transfer: 19n, facts: { transfer: request } }, later],
    ['refunded again by a person', back, { type: 'op_retry' }, { state: 'refunding', transfer: 19n, facts: { transfer: byPeople } }],
    ['to another account: tries start again', failed({ tries: 5 }), { type: 'new_account', account: get }, { state: 'paying', transfer: 18n, facts: { tries: 0 } }],
    ['no other account is named', failed(), { type: 'deadline' }, { state: 'unclaimed', unclaimedOut: 18n }, { now: new Date(3 * DAY) }],
    ['a debt of everything', owing, { type: 'settle_reversal' }, { state: 'reversed', posted: ['exchange_reverse', 'debt_settlement'] }],
    ['a debt of a part', { ...owing, positions: { ...owing.positions, receivable: 12n } }, { type: 'settle_reversal' }, { state: 'choosing', in: 8n }],
    ['a debt that includes the sending cost, which is written off', orderIn('undelivered', { in: 19n, receivable: 20n }, {}, [payment('reversed')]), { type: 'settle_reversal' }, { state: 'reversed', posted: ['debt_settlement', 'write_off'] }],
    ['claimed payout', unclaimed, { type: 'claim', account: get }, { state: 'paying', transfer: 18n, facts: { tries: 0 } }],
    ['claimed payout that needs approval', unclaimed, { type: 'claim', account: get }, { state: 'approving', out: 18n }, { approvalFor: one }],
    ['payout claimed by two people', unclaimed, { type: 'op_claim', account: get }, { state: 'paying', transfer: 18n, facts: { approved: 2 } }, { approvalFor: one }],
    ['claimed refund', given, { type: 'claim', account: give }, { state: 'refunding', transfer: 19n, facts: { transfer: request, tries: 0 } }],
    ['refund claimed by two people', given, { type: 'op_claim', account: give }, { state: 'refunding', transfer: 19n, facts: { transfer: byPeople } }],
  ];
  for (const each of cases) check(each);

  test('claimed money goes to the claimed account', () => {
    assert.deepEqual(next(unclaimed, { type: 'claim', account: get }).next.receive, ACCOUNT);
    assert.deepEqual(next(given, { type: 'claim', account: give }).next.refund, ACCOUNT);
  });

  test('a returned refund is not reduced by providers’ deductions again; a returned payout leaves payments unchanged', () => {
    const returned = (state: 'completed' | 'refunded', sent: typeof payout | typeof refund): (bigint | undefined)[] =>
      next(stored(orderIn(state, {}, { exchange, sent })), { type: 'transfer_returned' }).next.payments.map(
        (each) => each.retained,
      );
    assert.deepEqual([returned('refunded', refund), returned('completed', payout)], [[0n], [3n]]);
  });

  test('a buy-back stores the exchange and its price, and clears the rest', () => {
    const order = withOffer(failed({ approved: 1 }));
    const { facts, state } = next(order, { type: 'take_back', offer: 1 }).next;
    const { breakdown, terms, version, parts } = order.facts.offer!;
    assert.deepEqual([state, facts.exchange, facts.approved], ['refunding', undefined, undefined]);
    assert.deepEqual(facts.boughtBack, { exchange, price: { breakdown, terms, version }, parts });
  });
});

describe('reversals by the rail', () => {
  const approving = orderIn('approving', { out: 18n }, { ...fresh, exchange });
  const paying = orderIn('paying', { transfer: 18n }, { ...fresh, exchange, transfer: payout });
  const failed = (positions: Partial<Positions>, facts: Partial<Facts> = { exchange }) =>
    orderIn('undelivered', positions, facts);
  // prettier-ignore
  const cases: readonly Case[] = [
    ['of an order that waits for approval', approving, took(20n), { state: 'reversed', facts: { lateFor: 'undone' }, posted: ['exchange_reverse', 'payin_reverse'], payments: ['p reversed 20'] }],
    ['of a part', approving, took(5n), { state: 'choosing', in: 15n, facts: { exchange: undefined }, payments: ['p final 15', 'p reversed 5'] }],
    ['of an order whose payout could be stopped', paying, took(20n, true), { state: 'reversed', posted: ['payout_intent_reverse', 'exchange_reverse', 'payin_reverse'] }],
    ['of an order whose payout could not be stopped', paying, took(20n), { state: 'paying', transfer: 18n, receivable: 20n, facts: { owedSince: NOW } }],
    ['of an order that was paid out', orderIn('completed', {}, { exchange }), took(20n), { state: 'charged_back', receivable: 20n, facts: { owedSince: NOW } }],
    ['of an order whose refund failed', failed({ in: 20n }, {}), took(20n), { state: 'reversed' }],
    ['of a part, of an order whose refund failed', failed({ in: 20n }, {}), took(5n), { state: 'undelivered', in: 15n }],
    ['of an order whose payout failed', failed({ out: 18n }), took(20n), { state: 'reversed', posted: ['exchange_reverse', 'payin_reverse'] }],
    ['of a part, of an order whose payout failed', failed({ out: 18n }), took(5n), { state: 'choosing', in: 15n }],
    ['of an order with a failed payout and a debt', failed({ out: 18n, receivable: 3n }), took(20n), { state: 'undelivered', out: 18n, receivable: 23n, posted: ['reversal_debt'] }],
    ['of held money', orderIn('holding', { in: 20n }, held), took(5n), { state: 'holding', in: 15n }],
    ['of all held money, while another payment is seen', orderIn('holding', { in: 20n }, held, [payment('final'), q('seen')]), took(20n), { state: 'reversed' }],
    ['of unclaimed money', orderIn('unclaimed', { unclaimedIn: 20n }), took(20n), { state: 'reversed' }],
    ['of a part of unclaimed money', orderIn('unclaimed', { unclaimedIn: 20n }), took(5n), { state: 'unclaimed', unclaimedIn: 15n }],
    ['of an unclaimed payout', orderIn('unclaimed', { unclaimedOut: 18n }, { exchange }), took(5n), { state: 'unclaimed', unclaimedIn: 15n, facts: { exchange: undefined } }],
    ['of frozen money', orderIn('frozen', { frozen: 20n }, fresh), took(20n), { state: 'reversed', facts: { isLate: true } }],
    ['of a part of frozen money', orderIn('frozen', { frozen: 20n }, fresh), took(5n), { state: 'frozen', frozen: 15n, facts: { isLate: false } }],
  ];
  for (const each of cases) check(each);
});

describe('recovered, repaid and written-off money', () => {
  const gone = [payment('reversed')];
  const owes = (positions: Partial<Positions>, facts: Partial<Facts> = {}) =>
    orderIn('charged_back', positions, { exchange, ended: 'completed', ...facts }, gone);
  const undelivered = orderIn('undelivered', { out: 18n, receivable: 20n }, { exchange, ended: 'completed' }, gone);
  // prettier-ignore
  const cases: readonly Case[] = [
    ['the whole debt', owes({ receivable: 20n }), won(20n), { state: 'completed', payments: ['p final 20'] }],
    ['less than the debt', owes({ receivable: 15n }), won(10n), { state: 'charged_back', receivable: 5n, payments: ['p reversed 10', 'p final 10'] }],
    ['debt and write-off', owes({ receivable: 5n, loss: 5n }), won(10n), { state: 'completed', posted: ['dispute_win'] }],
    ['a part of the write-off', owes({ receivable: 5n, loss: 10n }), won(10n), { state: 'charged_back', loss: 5n }],
    ['more than debt and write-off', owes({ receivable: 5n, loss: 5n }), won(12n), { state: 'completed', posted: ['dispute_win', 'unallocated'], payments: ['p reversed 8', 'p final 10'] }],
    ['while its payout is on its way', orderIn('paying', { transfer: 18n, receivable: 20n }, { exchange, transfer: payout }, gone), won(20n), { state: 'paying', transfer: 18n }],
    ['after its payout came back', undelivered, won(20n), { state: 'undelivered', out: 18n }],
    ['before any debt: at another rate', orderIn('choosing', { in: 12n, reserve: 18n }, fresh, [q('final', 12n), payment('reversed', 8n)]), won(8n), { state: 'choosing', in: 20n, facts: { isLate: true, lateFor: 'undone' }, payments: ['q final 12', 'p final 8'] }],
    ['the payment settles another’s debt', orderIn('choosing', { in: 20n, reserve: 18n }, fresh), { type: 'settle_debt', debt: 'other', parts: 12n }, { state: 'applied', facts: { ended: 'applied' }, posted: ['reserve_release', 'unallocated', 'other_debt_settlement'], payments: ['p final 12'] }],
    ['settled by another payment', owes({ receivable: 15n }), { type: 'repaid', parts: 15n }, { state: 'completed', facts: { settled: 15n } }],
    ['settled in part', owes({ receivable: 15n }), { type: 'repaid', parts: 10n }, { state: 'charged_back', receivable: 5n, facts: { settled: 10n } }],
    ['settled, with a write-off', owes({ receivable: 10n, loss: 5n }), { type: 'repaid', parts: 10n }, { state: 'charged_back', loss: 5n }],
    ['settled after its payout came back', undelivered, { type: 'repaid', parts: 20n }, { state: 'undelivered', out: 18n }],
    ...([[20n, 8n], [12n, 0n], [5n, 0n]] as const).map(([provision, left]): Case => [`given up with ${provision} set aside`, owes({ receivable: 12n }, { exchange: { ...exchange, provision } }), { type: 'write_off', evidence: 'bankrupt' }, { state: 'charged_back', loss: 12n, facts: { exchange: { ...exchange, provision: left } }, posted: ['write_off'] }]),
  ];
  for (const each of cases) check(each);
});
