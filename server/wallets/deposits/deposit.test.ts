// A deposit's steps as pure functions: the accounts of its money after each, and that no step loses or creates money.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayinBody, PayinEvent, PayoutEvent } from '../../payments/index.ts';
import {
  type Deposit,
  type Clearance,
  type Step,
  afterGiveBack as afterWord,
  backsOf,
  arrive,
  beforeFinal,
  clear,
  giveBack,
  release,
  settle,
  sighted,
  takeBack,
} from './deposit.ts';
import { newsOf } from './deposit-letters.ts';
import { type PayoutNews, postedOf } from './given-back.testing.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const LATER = new Date('2027-05-19T12:00:00Z');
const ID = '01a20674-57ac-7111-b990-d8102836606c';
const payin = (more: Partial<PayinBody> = {}): PayinBody => ({
  ...{ payinId: ID, owner: { kind: 'wallet', id: 'place' }, event: 'final', currency: 'PAYPAL_USD', unit: 'PAYPAL_USD' },
  ...{ place: 'hot', parts: '5000', txid: 'tx', from: ['ann'], isFeeOk: true, seenAt: NOW.toISOString() },
  ...{ confirmations: 1, needed: 1 },
  ...more,
});
const seen = (): Deposit => sighted(payin({ event: 'seen' }), undefined, { addressId: 'place', holderId: 'ann' });
const come = (one: Deposit, status = {}, more: Partial<PayinBody> = {}): Step => arrive(one, payin(more), status, NOW, ID);
const go = (one: Deposit, available: bigint, custody: bigint, part?: string): Step =>
  takeBack(one, payin({ event: 'reversed', ...(part && { part }) }), 'paypal', { available, custody }, NOW, ID);
/** Applies payments' event about a refund, together with the posting that payments makes for it. */
function afterGiveBack(one: Deposit, reported: PayoutNews, now: Date, id: string): Step | undefined {
  const step = afterWord(one, reported, now, id);
  const posted = postedOf(one, reported, id);
  return step && posted ? { ...step, journal: { ...posted, legs: [...posted.legs, ...(step.journal?.legs ?? [])] } } : step;
}
/** Returns a step's legs as `from → to parts`, with accounts shortened to one word. */
const legs = ({ journal }: Step): string[] =>
  (journal?.legs ?? []).map(({ from, to, parts }) => `${short(from.name)} → ${short(to.name)} ${parts}`);
const short = (name: string): string =>
  name.endsWith(':uncleared')
    ? 'uncleared'
    : (name.split(':').find((word) => /^(wallet|custody|receivable|owed|income|payout|rail)$/.test(word)) ?? name);

test('an arrival is available or uncleared; its provider’s charge is subtracted once', () => {
  const plain = come(seen(), {}, { retained: '224' });
  assert.deepEqual(legs(plain), ['custody → wallet 5000', 'wallet → income 224']);
  assert.deepEqual([plain.deposit.status, plain.deposit.fee, plain.deposit.uncleared], ['final', 224n, 0n]);
  const held = come(seen(), { freeAt: LATER }, { retained: '224' });
  assert.deepEqual(legs(held), ['custody → uncleared 5000', 'uncleared → income 224']);
  assert.deepEqual([held.deposit.status, held.deposit.uncleared], ['maturing', 4_776n]);
  assert.deepEqual(legs(clear(held.deposit, LATER, ID)), ['uncleared → wallet 4776']);
  const again = come(go(plain.deposit, 10_000n, 10_000n).deposit, {}, { retained: '224', isBack: true });
  assert.deepEqual(legs(again), ['custody → wallet 5000'], 'the fee was taken before');
});

test('a reversal takes its own uncleared money, then the wallet, then becomes a debt; custody’s lack is owed to the rail', () => {
  const held = come(seen(), { freeAt: LATER }).deposit;
  assert.deepEqual(legs(go(held, 9_000n, 9_000n)), ['uncleared → custody 5000'], 'nothing else is touched');
  const free = clear(held, LATER, ID).deposit;
  const owed = go(free, 3_000n, 4_000n);
  assert.deepEqual(legs(owed), ['wallet → custody 3000', 'receivable → custody 1000', 'receivable → owed 1000']);
  assert.deepEqual([owed.deposit.status, owed.deposit.owed], ['reversed', 2_000n]);
  const back = come(owed.deposit, { freeAt: LATER }, { isBack: true });
  assert.deepEqual(legs(back), ['custody → receivable 2000', 'custody → uncleared 3000'], 'what was owed is settled first');
});

test('a debt is settled from the wallet, as far as its money goes, and once', () => {
  const owing = go(come(seen()).deposit, 3_000n, 9_000n).deposit;
  assert.equal(owing.owed, 2_000n);
  const some = settle(owing, 500n, ID);
  assert.deepEqual([legs(some), some.deposit.owed], [['wallet → receivable 500'], 1_500n]);
  const rest = settle(some.deposit, 9_000n, ID);
  assert.deepEqual([legs(rest), rest.deposit.owed], [['wallet → receivable 1500'], 0n]);
  for (const nothing of [settle(rest.deposit, 9_000n, ID), settle(owing, 0n, ID)]) assert.equal(nothing.journal, undefined);
  assert.deepEqual(legs(come(rest.deposit, {}, { isBack: true })), ['custody → wallet 5000'], 'it was settled already');
});

test('a partly returned refund settles the debt first; the desk bears the rail’s charge', () => {
  const held = come(seen(), { why: 'a reason' }).deposit;
  const gone = afterGiveBack(giveBack(held, 'back', 'carl', ID).deposit, 'accepted', NOW, ID)?.deposit as Deposit;
  const back = afterGiveBack(gone, { event: 'returned', back: { came: 4_900n, lost: 100n } }, NOW, ID) as Step;
  assert.deepEqual([legs(back), back.deposit.uncleared], [['custody → uncleared 4900', 'rail → uncleared 100'], 5_000n]);
  const receivers = afterGiveBack(gone, { event: 'returned', back: { came: 4_900n, lost: 0n } }, NOW, ID) as Step;
  assert.deepEqual([legs(receivers), receivers.deposit.uncleared], [['custody → uncleared 4900'], 4_900n]);
  const owing = afterGiveBack(
    { ...gone, owed: 4_950n },
    { event: 'returned', back: { came: 4_900n, lost: 100n } },
    NOW,
    ID,
  ) as Step;
  assert.deepEqual(legs(owing), ['custody → uncleared 4900', 'rail → uncleared 100', 'uncleared → receivable 4950']);
  assert.deepEqual([owing.deposit.owed, owing.deposit.uncleared], [0n, 50n]);
});

test('the holder gets a letter when a person checks, releases or refunds it, and when money is taken back or comes again', () => {
  const held = come(seen(), { why: 'a reason' }).deposit;
  const free = come(seen()).deposit;
  const maturing = release(come(seen(), { why: 'a reason', freeAt: LATER }).deposit, 'carl', NOW, ID).deposit;
  const going = giveBack(held, 'back', 'carl', ID).deposit;
  const gone = afterGiveBack(going, 'accepted', NOW, ID)?.deposit as Deposit;
  const reversed = go(free, 3_000n, 9_000n).deposit;
  const part = go(free, 9_000n, 9_000n, '2000').deposit;
  const reported = (before: Deposit, after: Deposit, parts = 0n): string | undefined => newsOf(before, after, parts)?.kind;
  assert.equal(reported(seen(), free, 5_000n), undefined, 'as any deposit');
  assert.equal(reported(seen(), come(seen(), { freeAt: LATER }).deposit, 5_000n), undefined);
  assert.equal(reported(seen(), held, 5_000n), 'held');
  assert.equal(reported(held, release(held, 'carl', NOW, ID).deposit), 'released');
  assert.equal(reported(held, maturing), 'released');
  assert.equal(reported(held, going), undefined, 'not before it has left');
  assert.equal(reported(going, gone), 'given_back');
  assert.equal(reported(gone, afterGiveBack(gone, 'returned', NOW, ID)?.deposit as Deposit), 'held');
  assert.equal(reported(free, reversed, 5_000n), 'reversed');
  assert.equal(reported(free, part, 2_000n), 'reversed');
  assert.equal(reported(held, go(held, 0n, 9_000n).deposit, 5_000n), 'reversed');
  assert.deepEqual(newsOf(reversed, come(reversed, {}, { isBack: true }).deposit, 5_000n), {
    kind: 'back',
    parts: 5_000n,
    settled: 2_000n,
  });
  assert.equal(reported(part, come(part, {}, { part: '500', isBack: true }).deposit, 500n), 'back');
  assert.equal(reported(free, clear(maturing, LATER, ID).deposit), undefined);
});

test('partial reversals, returns and the rest add up', () => {
  const held = come(seen(), { freeAt: LATER }).deposit;
  const part = go(held, 0n, 9_000n, '2000').deposit;
  assert.deepEqual([part.status, part.uncleared, part.taken], ['maturing', 3_000n, 2_000n]);
  const some = come(part, {}, { part: '500', isBack: true });
  assert.deepEqual(legs(some), ['custody → uncleared 500']);
  assert.deepEqual([some.deposit.status, some.deposit.taken], ['maturing', 1_500n]);
  assert.deepEqual(legs(go(some.deposit, 0n, 9_000n)), ['uncleared → custody 3500'], 'all that it hasn’t taken before');
});

test('a person releases it at once, or to wait until it can’t be taken back; the decision holds when it comes again', () => {
  const flagged = come(seen(), { why: 'a reason' }).deposit;
  assert.equal(flagged.status, 'checking');
  const free = release(flagged, 'carl', NOW, ID);
  assert.deepEqual([legs(free), free.deposit.status], [['uncleared → wallet 5000'], 'final']);
  const both = release(come(seen(), { why: 'a reason', freeAt: LATER }).deposit, 'carl', NOW, ID);
  assert.deepEqual([legs(both), both.deposit.status, both.deposit.uncleared], [[], 'maturing', 5_000n]);
  const again = come(go(free.deposit, 5_000n, 5_000n).deposit, { why: 'a reason' }, { isBack: true });
  assert.equal(again.deposit.status, 'final');
});

test('a refund is sent once; refused or returned, it waits again, less what was taken back meanwhile', () => {
  const flagged = come(seen(), { why: 'a reason' }).deposit;
  const going = giveBack(flagged, 'back', 'carl', ID);
  assert.deepEqual([legs(going), going.deposit.status], [['uncleared → payout 5000'], 'returning']);
  const after = (one: Deposit, event: PayoutEvent) => afterGiveBack(one, event, NOW, ID);
  assert.equal(after(going.deposit, 'unknown'), undefined);
  const gone = after(going.deposit, 'accepted') as Step;
  assert.deepEqual([legs(gone), gone.deposit.status], [['payout → custody 5000'], 'returned']);
  assert.equal(after(gone.deposit, 'found'), undefined, 'it left once');
  const back = after(gone.deposit, 'returned') as Step;
  assert.deepEqual([legs(back), back.deposit.status], [['custody → uncleared 5000'], 'checking']);
  const charged = go(going.deposit, 1_000n, 9_000n).deposit;
  assert.deepEqual([charged.status, charged.owed], ['returning', 4_000n]);
  const refused = after(charged, 'refused') as Step;
  assert.deepEqual(legs(refused), ['payout → uncleared 5000', 'uncleared → receivable 4000']);
  assert.deepEqual(legs(after(charged, 'kept') as Step), legs(refused), 'what was kept it posts itself');
  assert.throws(() => giveBack({ ...flagged, uncleared: 0n }, 'back', 'carl', ID), RangeError);
});

const SOURCE = { fields: { account: 'A' }, key: 'a' };
const kinds = (...steps: (Step | undefined)[]): (string | undefined)[] => steps.map((step) => step?.journal?.kind);

test('before it is final it is seen or dropped; while a part waits for people, its status stays', () => {
  const stood = { ...seen(), endedAt: LATER };
  const table: [Partial<Deposit>, PayinEvent, Deposit['status'], Date | undefined][] = [
    [{ status: 'dropped' }, 'seen', 'seen', undefined],
    [{ status: 'reversed' }, 'seen', 'seen', undefined],
    [{ status: 'seen' }, 'dropped', 'dropped', NOW],
    [{ status: 'seen' }, 'progress', 'seen', LATER],
    [{ status: 'reversed' }, 'progress', 'reversed', LATER],
    [{ status: 'returning' }, 'seen', 'returning', LATER],
    [{ status: 'returning' }, 'dropped', 'returning', LATER],
    [{ status: 'checking', uncleared: 1n }, 'seen', 'checking', LATER],
  ];
  for (const [more, event, status, endedAt] of table) {
    const after = beforeFinal({ ...stood, ...more }, event, NOW);
    assert.deepEqual(after, { ...stood, ...more, status, endedAt }, `${more.status} ${event}`);
  }
});

test('records payments’ data: the first time stays, and the source once it is known', () => {
  assert.deepEqual(seen().seenAt, NOW);
  assert.equal(seen().source, undefined);
  const given = { addressId: 'place', holderId: 'ann' };
  const first = sighted(payin({ source: SOURCE, confirmations: 0 }), undefined, given);
  const again = sighted(payin({ seenAt: LATER.toISOString(), parts: '6000', from: ['bob'], confirmations: 3 }), first, given);
  assert.deepEqual(
    [again.seenAt, again.source, again.parts, again.senders, again.confirmations],
    [NOW, SOURCE, 6_000n, ['bob'], 3],
  );
  const other = { ...SOURCE, key: 'b' };
  assert.deepEqual(sighted(payin({ source: other }), first, given).source, other);
});

test('when a final deposit is available: at once, at its moment, or when a person says so', () => {
  const table: [Clearance, Deposit['status'], bigint, Date | undefined][] = [
    [{}, 'final', 0n, NOW],
    [{ freeAt: NOW }, 'final', 0n, NOW],
    [{ freeAt: new Date(NOW.getTime() + 1) }, 'maturing', 5_000n, undefined],
    [{ why: 'a reason' }, 'checking', 5_000n, undefined],
    [{ why: 'a reason', freeAt: NOW }, 'checking', 5_000n, undefined],
  ];
  for (const [state, status, uncleared, clearedAt] of table) {
    const { deposit } = come({ ...seen(), endedAt: LATER }, state);
    const { why, freeAt } = state;
    const expected = { ...seen(), status, uncleared, clearedAt, why, freeAt, isFlagged: why !== undefined, finalAt: NOW };
    assert.deepEqual(deposit, expected, JSON.stringify(state));
    const [later] = [clear({ ...deposit, status: 'maturing' }, LATER, ID).deposit];
    assert.deepEqual([later.status, later.clearedAt], ['final', clearedAt ?? LATER], 'the first time stays');
  }
  const again = arrive({ ...seen(), finalAt: NOW, clearedAt: NOW }, payin(), {}, LATER, ID).deposit;
  assert.deepEqual([again.finalAt, again.clearedAt], [NOW, NOW]);
  for (const [freeAt, status] of [
    [NOW, 'final'],
    [LATER, 'maturing'],
    [undefined, 'final'],
  ] as const) {
    const released = release({ ...come(seen(), { why: 'a reason' }).deposit, freeAt }, 'carl', NOW, ID).deposit;
    assert.deepEqual([released.status, released.isFlagged, released.decidedBy], [status, false, 'carl']);
  }
});

test('a part that joins the rest takes its status: checking, maturing or returning', () => {
  const checking = come(seen(), { why: 'a reason', freeAt: LATER }).deposit;
  const going = giveBack(checking, 'back', 'carl', ID).deposit;
  for (const [one, status] of [
    [checking, 'checking'],
    [going, 'returning'],
  ] as const) {
    const short = go(one, 1_000n, 9_000n, '1000').deposit;
    const joined = come(short, {}, { part: '1000', isBack: true });
    assert.deepEqual(legs(joined), ['custody → uncleared 1000'], status);
    const { isFlagged, why, freeAt } = joined.deposit;
    assert.deepEqual([joined.deposit.status, isFlagged, why, freeAt], [status, true, 'a reason', LATER]);
  }
  const whole = come(go(going, 9_000n, 9_000n).deposit, { freeAt: NOW }, { isBack: true });
  assert.deepEqual([legs(whole), whole.deposit.status], [['custody → uncleared 5000'], 'returning']);
  assert.deepEqual([whole.deposit.why, whole.deposit.freeAt], ['a reason', LATER]);
  const due = arrive(come(seen(), { freeAt: LATER }).deposit, payin({ part: '10' }), {}, LATER, ID);
  assert.deepEqual([legs(due), due.deposit.status], [['custody → uncleared 10'], 'maturing'], 'until the rest is cleared');
});

test('the provider’s charge is subtracted from a whole arrival: at most the amount, and never negative', () => {
  assert.deepEqual(legs(come({ ...seen(), fee: 30n }, {}, { retained: '20' })), ['custody → wallet 5000']);
  assert.deepEqual(legs(come({ ...seen(), fee: 30n }, {}, { retained: '50' })), ['custody → wallet 5000', 'wallet → income 20']);
  assert.deepEqual(legs(come(seen(), {}, { retained: '7000' })), ['custody → wallet 5000', 'wallet → income 5000']);
  assert.deepEqual(legs(come({ ...seen(), owed: 4_900n }, {}, { retained: '224' })), [
    'custody → receivable 4900',
    'custody → wallet 100',
    'wallet → income 100',
  ]);
  assert.deepEqual(legs(come({ ...seen(), taken: 900n }, {}, { part: '900', retained: '50' })), ['custody → wallet 900']);
  const owing = come({ ...seen(), owed: 2_000n }, { freeAt: LATER }, { retained: '224' }).deposit;
  assert.deepEqual([owing.owed, owing.fee, owing.uncleared], [0n, 224n, 2_776n]);
});

test('a full reversal takes what is left: after a full reversal and a partial return, only the returned part', () => {
  const gone = go(come(seen()).deposit, 9_000n, 9_000n).deposit;
  assert.deepEqual([gone.status, gone.taken, gone.endedAt], ['reversed', 5_000n, NOW]);
  const some = come(gone, {}, { part: '1500', isBack: true }).deposit;
  assert.deepEqual([some.status, some.taken, some.endedAt], ['final', 3_500n, undefined]);
  assert.deepEqual(legs(go(some, 9_000n, 9_000n)), ['wallet → custody 1500']);
  assert.equal(come(gone, {}, { isBack: true }).deposit.taken, 0n);
  const [lost] = [go(come(seen(), { freeAt: LATER }).deposit, 0n, -1n)];
  assert.deepEqual(legs(lost), ['uncleared → owed 5000'], 'a place below nothing holds nothing');
});

test('a part is no new payment: its return needs no new check, its reversal ends nothing', () => {
  const free = come(seen()).deposit;
  const short = go(free, 9_000n, 9_000n, '2000').deposit;
  assert.deepEqual([short.status, short.taken, short.endedAt], ['final', 2_000n, undefined]);
  const back = come(short, { why: 'a reason', freeAt: LATER }, { part: '2000', isBack: true }).deposit;
  assert.deepEqual([back.status, back.isFlagged, back.freeAt, back.taken], ['final', false, undefined, 0n]);
});

test('a repeated arrival joins the part that people still decide about', () => {
  const going = giveBack(come(seen(), { why: 'a reason' }).deposit, 'back', 'carl', ID).deposit;
  const stayed = afterGiveBack(go(going, 100n, 9_000n, '100').deposit, 'kept', NOW, ID)?.deposit as Deposit;
  const rest = go(stayed, 0n, 9_000n).deposit;
  const again = come(rest, {}, { isBack: true });
  assert.deepEqual(legs(again), ['custody → uncleared 5000']);
  assert.deepEqual([again.deposit.status, again.deposit.isFlagged, again.deposit.uncleared], ['checking', true, 5_100n]);
});

test('a debt is not settled from a wallet below zero', () => {
  const owing = { ...seen(), owed: 2_000n };
  assert.deepEqual([settle(owing, -1n, ID).journal, settle(owing, -1n, ID).deposit.owed], [undefined, 2_000n]);
});

test('refund: each event of payments, in each state', () => {
  const going = giveBack(come(seen(), { why: 'a reason' }).deposit, 'back', 'carl', ID).deposit;
  assert.deepEqual([going.backId, going.backParts, going.uncleared, going.decidedBy], ['back', 5_000n, 0n, 'carl']);
  const gone: Deposit = { ...going, status: 'returned', endedAt: NOW };
  const waits: Deposit = {
    ...{ ...going, status: 'checking' as const, uncleared: 5_000n, isFlagged: true, endedAt: undefined },
    ...{ backId: undefined, backParts: undefined, decidedBy: undefined },
  };
  const after = (one: Deposit, event: PayoutEvent): Step | undefined => afterGiveBack(one, event, NOW, ID);
  for (const event of ['accepted', 'found'] as const) {
    assert.deepEqual(after(going, event)?.deposit, gone, event);
    assert.deepEqual([after(gone, event), after(waits, event)], [undefined, undefined], event);
  }
  for (const event of ['refused', 'absent', 'kept'] as const) {
    const stayed = after(going, event) as Step;
    assert.deepEqual([stayed.deposit, legs(stayed)], [waits, ['payout → uncleared 5000']], event);
    assert.deepEqual([after(gone, event), after(waits, event)], [undefined, undefined], event);
  }
  assert.deepEqual(after(gone, 'returned')?.deposit, waits);
  assert.deepEqual([after(going, 'returned'), after(waits, 'returned'), after(seen(), 'accepted')], Array(3).fill(undefined));
  assert.equal(after(going, 'final'), undefined, 'it has left before');
  for (const lost of [{ backId: undefined }, { backParts: undefined }])
    assert.equal(after({ ...going, ...lost }, 'accepted'), undefined);
});

test('refund: if a returned refund settles debts completely, nothing is left to decide', () => {
  const going = giveBack(come(seen(), { why: 'a reason' }).deposit, 'back', 'carl', ID).deposit;
  const after = (owed: bigint): Deposit => afterGiveBack({ ...going, owed }, 'refused', NOW, ID)?.deposit as Deposit;
  assert.deepEqual([after(5_000n).status, after(5_000n).endedAt, after(5_000n).owed], ['reversed', NOW, 0n]);
  assert.deepEqual([after(4_999n).status, after(4_999n).endedAt, after(4_999n).uncleared], ['checking', undefined, 1n]);
  assert.deepEqual([after(6_000n).status, after(6_000n).owed], ['reversed', 1_000n]);
});

test('refund: a part that arrives meanwhile waits for people, whether the refund leaves, stays or comes back', () => {
  const going = giveBack(come(seen(), { why: 'a reason' }).deposit, 'back', 'carl', ID).deposit;
  const more = come(go(going, 2_000n, 9_000n, '2000').deposit, {}, { part: '2000', isBack: true }).deposit;
  assert.deepEqual([more.status, more.uncleared], ['returning', 2_000n]);
  const gone = afterGiveBack(more, 'accepted', NOW, ID)?.deposit as Deposit;
  assert.deepEqual([gone.status, gone.uncleared, gone.endedAt, gone.backId], ['checking', 2_000n, undefined, 'back']);
  assert.equal(newsOf(more, gone, 0n)?.kind, 'given_back');
  for (const one of [afterGiveBack(more, 'refused', NOW, ID), afterGiveBack(gone, 'returned', NOW, ID)])
    assert.deepEqual([one?.deposit.status, one?.deposit.uncleared], ['checking', 7_000n]);
});

test('two refunds: each may come back, the earlier one even while the later is under way', () => {
  const first = giveBack(come(seen(), { why: 'a reason' }).deposit, 'first', 'carl', ID).deposit;
  const more = come(go(first, 2_000n, 9_000n, '2000').deposit, {}, { part: '2000', isBack: true }).deposit;
  const left = afterGiveBack(more, 'accepted', NOW, ID)?.deposit as Deposit;
  const second = giveBack(left, 'second', 'carl', ID).deposit;
  assert.deepEqual([second.backId, second.backParts, second.earlierBacks], ['second', 2_000n, [{ id: 'first', parts: 5_000n }]]);
  const back = (one: Deposit, payout: string): Step => afterGiveBack(one, { event: 'returned', payout }, NOW, ID) as Step;
  const meanwhile = back(second, 'first');
  assert.deepEqual(legs(meanwhile), ['custody → uncleared 5000']);
  assert.deepEqual(
    [meanwhile.deposit.status, meanwhile.deposit.backId, meanwhile.deposit.earlierBacks],
    ['returning', 'second', []],
  );
  const gone = afterGiveBack(meanwhile.deposit, 'accepted', NOW, ID)?.deposit as Deposit;
  assert.deepEqual([gone.status, gone.uncleared], ['checking', 5_000n]);
  const both = back(gone, 'second').deposit;
  assert.deepEqual([both.status, both.uncleared, backsOf(both)], ['checking', 7_000n, []]);
  assert.equal(back(both, 'first'), undefined, 'and only once');
  assert.equal(afterGiveBack(second, { event: 'accepted', payout: 'first' }, NOW, ID), undefined);
});

test('refund: a returned refund settles what was taken back since it left', () => {
  const going = giveBack(come(seen(), { why: 'a reason' }).deposit, 'back', 'carl', ID).deposit;
  const gone = afterGiveBack(going, 'accepted', NOW, ID)?.deposit as Deposit;
  const charged = go(gone, 1_000n, 9_000n).deposit;
  assert.deepEqual([charged.status, charged.owed], ['reversed', 4_000n]);
  const back = afterGiveBack(charged, 'returned', NOW, ID) as Step;
  assert.deepEqual(legs(back), ['custody → uncleared 5000', 'uncleared → receivable 4000']);
  assert.deepEqual([back.deposit.status, back.deposit.owed, back.deposit.uncleared], ['checking', 0n, 1_000n]);
});

test('uncleared money that the wallet paid for remains the holder’s after a full reversal', () => {
  const going = giveBack(come(seen(), { why: 'a reason' }).deposit, 'back', 'carl', ID).deposit;
  const stayed = afterGiveBack(go(going, 100n, 9_000n, '100').deposit, 'kept', NOW, ID)?.deposit as Deposit;
  const over = go(stayed, 0n, 9_000n);
  assert.deepEqual(legs(over), ['uncleared → custody 4900']);
  assert.deepEqual([over.deposit.status, over.deposit.uncleared, over.deposit.taken], ['checking', 100n, 5_000n]);
});

test('each step is a journal of its kind', () => {
  const flagged = come(seen(), { why: 'a reason' });
  const going = giveBack(flagged.deposit, 'back', 'carl', ID);
  const gone = afterGiveBack(going.deposit, 'accepted', NOW, ID);
  const [stayed, back] = [afterGiveBack(going.deposit, 'absent', NOW, ID), afterGiveBack(gone!.deposit, 'returned', NOW, ID)];
  assert.deepEqual(kinds(flagged, going, gone, stayed, back), ['deposit', 'refund_queued', 'sent', 'refused', 'returned']);
  const [reversed, owing] = [go(flagged.deposit, 0n, 0n), { ...flagged.deposit, owed: 1n }];
  const more = kinds(reversed, settle(owing, 1n, ID), clear({ ...flagged.deposit, status: 'maturing' }, NOW, ID));
  assert.deepEqual(more, ['deposit_reversed', 'deposit_reversed', 'deposit_matured']);
});
