// A deposit's steps as pure functions: where its money stands after each, and that no step loses or makes any.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PayinBody } from '../payments/index.ts';
import {
  type Deposit,
  type Step,
  afterGiveBack,
  arrive,
  clear,
  giveBack,
  release,
  settle,
  sighted,
  takeBack,
} from './deposit.ts';
import { newsOf } from './deposit-letters.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const LATER = new Date('2027-05-19T12:00:00Z');
const ID = '01a20674-57ac-7111-b990-d8102836606c';
const payin = (more: Partial<PayinBody> = {}): PayinBody => ({
  ...{ payinId: ID, owner: { kind: 'wallet', id: 'place' }, event: 'final', currency: 'PAYPAL_USD', unit: 'PAYPAL_USD' },
  ...{ place: 'hot', parts: '5000', txid: 'tx', from: ['ann'], feeOk: true, seenAt: NOW.toISOString() },
  ...{ confirmations: 1, needed: 1 },
  ...more,
});
const seen = (): Deposit => sighted(payin({ event: 'seen' }), undefined, { placeId: 'place', holderId: 'ann' });
const come = (one: Deposit, standing = {}, more: Partial<PayinBody> = {}): Step => arrive(one, payin(more), standing, NOW, ID);
const go = (one: Deposit, available: bigint, custody: bigint, part?: string): Step =>
  takeBack(one, payin({ event: 'reversed', ...(part && { part }) }), 'paypal', { available, custody }, NOW, ID);
/** A step's legs, each as `from → to parts`, by the last word of an account’s name that says what it is. */
const legs = ({ journal }: Step): string[] =>
  (journal?.legs ?? []).map(({ from, to, parts }) => `${short(from.name)} → ${short(to.name)} ${parts}`);
const short = (name: string): string =>
  name.endsWith(':uncleared')
    ? 'uncleared'
    : (name.split(':').find((word) => /^(wallet|custody|receivable|owed|income|payout|rail)$/.test(word)) ?? name);

test('what arrives is available, or uncleared; what its provider kept is taken off once', () => {
  const plain = come(seen(), {}, { kept: '224' });
  assert.deepEqual(legs(plain), ['custody → wallet 5000', 'wallet → income 224']);
  assert.deepEqual([plain.deposit.status, plain.deposit.fee, plain.deposit.uncleared], ['final', 224n, 0n]);
  const held = come(seen(), { freeAt: LATER }, { kept: '224' });
  assert.deepEqual(legs(held), ['custody → uncleared 5000', 'uncleared → income 224']);
  assert.deepEqual([held.deposit.status, held.deposit.uncleared], ['maturing', 4_776n]);
  assert.deepEqual(legs(clear(held.deposit, LATER, ID)), ['uncleared → wallet 4776']);
  const again = come(go(plain.deposit, 10_000n, 10_000n).deposit, {}, { kept: '224', again: true });
  assert.deepEqual(legs(again), ['custody → wallet 5000'], 'the fee was taken before');
});

test('what is taken back leaves its own uncleared money, then the wallet, then is owed; to the rail where custody lacks it', () => {
  const held = come(seen(), { freeAt: LATER }).deposit;
  assert.deepEqual(legs(go(held, 9_000n, 9_000n)), ['uncleared → custody 5000'], 'nothing else is touched');
  const free = clear(held, LATER, ID).deposit;
  const owed = go(free, 3_000n, 4_000n);
  assert.deepEqual(legs(owed), ['wallet → custody 3000', 'receivable → custody 1000', 'receivable → owed 1000']);
  assert.deepEqual([owed.deposit.status, owed.deposit.owed], ['reversed', 2_000n]);
  const back = come(owed.deposit, { freeAt: LATER }, { again: true });
  assert.deepEqual(legs(back), ['custody → receivable 2000', 'custody → uncleared 3000'], 'what was owed is settled first');
});

test('a debt is settled from what is in the wallet, as far as it goes, and once', () => {
  const owing = go(come(seen()).deposit, 3_000n, 9_000n).deposit;
  assert.equal(owing.owed, 2_000n);
  const some = settle(owing, 500n, ID);
  assert.deepEqual([legs(some), some.deposit.owed], [['wallet → receivable 500'], 1_500n]);
  const rest = settle(some.deposit, 9_000n, ID);
  assert.deepEqual([legs(rest), rest.deposit.owed], [['wallet → receivable 1500'], 0n]);
  for (const nothing of [settle(rest.deposit, 9_000n, ID), settle(owing, 0n, ID)]) assert.equal(nothing.journal, undefined);
  assert.deepEqual(legs(come(rest.deposit, {}, { again: true })), ['custody → wallet 5000'], 'it was settled already');
});

test('what comes back in part of a deposit that was given back settles what is owed first; what its rail kept is the desk’s', () => {
  const held = come(seen(), { why: 'a reason' }).deposit;
  const gone = afterGiveBack(giveBack(held, 'back', 'carl', ID).deposit, 'accepted', NOW, ID)?.deposit as Deposit;
  const back = afterGiveBack(gone, 'returned', NOW, ID, { came: 4_900n, lost: 100n }) as Step;
  assert.deepEqual([legs(back), back.deposit.uncleared], [['custody → uncleared 4900', 'rail → uncleared 100'], 5_000n]);
  const receivers = afterGiveBack(gone, 'returned', NOW, ID, { came: 4_900n, lost: 0n }) as Step;
  assert.deepEqual([legs(receivers), receivers.deposit.uncleared], [['custody → uncleared 4900'], 4_900n]);
  const owing = afterGiveBack({ ...gone, owed: 4_950n }, 'returned', NOW, ID, { came: 4_900n, lost: 100n }) as Step;
  assert.deepEqual(legs(owing), ['custody → receivable 4900', 'rail → receivable 50', 'rail → uncleared 50']);
  assert.deepEqual([owing.deposit.owed, owing.deposit.uncleared], [0n, 50n]);
});

test('its holder is told where a person looks at it, lets it go on or gives it back, and of what goes and comes again', () => {
  const held = come(seen(), { why: 'a reason' }).deposit;
  const free = come(seen()).deposit;
  const maturing = release(come(seen(), { why: 'a reason', freeAt: LATER }).deposit, 'carl', NOW, ID).deposit;
  const going = giveBack(held, 'back', 'carl', ID).deposit;
  const gone = afterGiveBack(going, 'accepted', NOW, ID)?.deposit as Deposit;
  const reversed = go(free, 3_000n, 9_000n).deposit;
  const part = go(free, 9_000n, 9_000n, '2000').deposit;
  const told = (before: Deposit, after: Deposit, parts = 0n): string | undefined => newsOf(before, after, parts)?.kind;
  assert.equal(told(seen(), free, 5_000n), undefined, 'as any deposit');
  assert.equal(told(seen(), come(seen(), { freeAt: LATER }).deposit, 5_000n), undefined);
  assert.equal(told(seen(), held, 5_000n), 'held');
  assert.equal(told(held, release(held, 'carl', NOW, ID).deposit), 'released');
  assert.equal(told(held, maturing), 'released');
  assert.equal(told(held, going), undefined, 'not before it has left');
  assert.equal(told(going, gone), 'given_back');
  assert.equal(told(gone, afterGiveBack(gone, 'returned', NOW, ID)?.deposit as Deposit), 'held');
  assert.equal(told(free, reversed, 5_000n), 'reversed');
  assert.equal(told(free, part, 2_000n), 'reversed');
  assert.equal(told(held, go(held, 0n, 9_000n).deposit, 5_000n), 'reversed');
  assert.deepEqual(newsOf(reversed, come(reversed, {}, { again: true }).deposit, 5_000n), { kind: 'back', parts: 5_000n, settled: 2_000n }); // prettier-ignore
  assert.equal(told(part, come(part, {}, { part: '500', again: true }).deposit, 500n), 'back');
  assert.equal(told(free, clear(maturing, LATER, ID).deposit), undefined);
});

test('in part: what is taken, what comes back, and all of the rest add up', () => {
  const held = come(seen(), { freeAt: LATER }).deposit;
  const part = go(held, 0n, 9_000n, '2000').deposit;
  assert.deepEqual([part.status, part.uncleared, part.taken], ['maturing', 3_000n, 2_000n]);
  const some = come(part, {}, { part: '500', again: true });
  assert.deepEqual(legs(some), ['custody → uncleared 500']);
  assert.deepEqual([some.deposit.status, some.deposit.taken], ['maturing', 1_500n]);
  assert.deepEqual(legs(go(some.deposit, 0n, 9_000n)), ['uncleared → custody 3500'], 'all that it hasn’t taken before');
});

test('a person lets it go on at once, or until it can’t be taken back; his word stands when it comes again', () => {
  const flagged = come(seen(), { why: 'a reason' }).deposit;
  assert.equal(flagged.status, 'checking');
  const free = release(flagged, 'carl', NOW, ID);
  assert.deepEqual([legs(free), free.deposit.status], [['uncleared → wallet 5000'], 'final']);
  const both = release(come(seen(), { why: 'a reason', freeAt: LATER }).deposit, 'carl', NOW, ID);
  assert.deepEqual([legs(both), both.deposit.status, both.deposit.uncleared], [[], 'maturing', 5_000n]);
  const again = come(go(free.deposit, 5_000n, 5_000n).deposit, { why: 'a reason' }, { again: true });
  assert.equal(again.deposit.status, 'final');
});

test('giving back: sent once; refused, or come back, it waits again, less what was taken back meanwhile', () => {
  const flagged = come(seen(), { why: 'a reason' }).deposit;
  const going = giveBack(flagged, 'back', 'carl', ID);
  assert.deepEqual([legs(going), going.deposit.status], [['uncleared → payout 5000'], 'returning']);
  const after = (one: Deposit, event: Parameters<typeof afterGiveBack>[1]) => afterGiveBack(one, event, NOW, ID);
  assert.equal(after(going.deposit, 'unknown'), undefined);
  const gone = after(going.deposit, 'accepted') as Step;
  assert.deepEqual([legs(gone), gone.deposit.status], [['payout → custody 5000'], 'returned']);
  assert.equal(after(gone.deposit, 'found'), undefined, 'it left once');
  const back = after(gone.deposit, 'returned') as Step;
  assert.deepEqual([legs(back), back.deposit.status], [['custody → uncleared 5000'], 'checking']);
  const charged = go(going.deposit, 1_000n, 9_000n).deposit;
  assert.deepEqual([charged.status, charged.owed], ['returning', 4_000n]);
  const refused = after(charged, 'refused') as Step;
  assert.deepEqual(legs(refused), ['payout → receivable 4000', 'payout → uncleared 1000']);
  assert.throws(() => giveBack({ ...flagged, uncleared: 0n }, 'back', 'carl', ID), RangeError);
});
