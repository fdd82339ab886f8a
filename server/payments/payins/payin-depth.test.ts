// Effects of a poll on a payment beside its event: whether it counts, which times it retains, how much was taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObservedPayment } from '../../rails/rail.ts';
import { type Change, type Payin, becameDeep, firstSight, isChanged, check, poll, takenByPeople } from './payin.ts';
import { at, depth, fresh, observedPayment, termsAt } from './payin.testing.ts';

const first = (sighting: ObservedPayment): Change => firstSight({ ...fresh, usd: 90_000n }, sighting, termsAt(at(0)));
const shown = (before: Payin, sighting: ObservedPayment | undefined, minutes: number, polledAt = minutes - 1): Change =>
  poll(before, { sighting, polledAt: at(polledAt) }, termsAt(at(minutes)));
const finalPayin = (): Payin => check(first(observedPayment(2)), depth, at(0)).payin;
/** Returns a payment that a provider shows as taken back, wholly or in part. */
const takenBack = (parts?: bigint): ObservedPayment => ({
  ...observedPayment(0),
  status: { at: 'taken_back', reason: 'chargeback', ...(parts !== undefined && { parts }) },
});
const events = ({ event, reason, part, payin }: Change) => [event, reason, part, payin.status, payin.taken];

test('a payment that is missing or in no block is not credited, whatever its old depth', () => {
  const shallow = { confirmations: 1, isFinalised: false };
  const mined = check(first(observedPayment(1)), depth, at(0)).payin;
  assert.equal(mined.status, 'seen');
  assert.equal(check(shown(mined, observedPayment(1), 5), shallow, at(5)).payin.status, 'final');
  const unseen = check(shown(mined, undefined, 5), shallow, at(5));
  assert.deepEqual([unseen.payin.status, unseen.payin.finalAt], ['seen', null]);
  const waits = check(first(observedPayment(0)), { confirmations: 0, isFinalised: false }, at(0));
  assert.deepEqual([waits.payin.status, waits.event], ['seen', 'seen']);
});

test('publishes progress only if a payment is deeper, or needs another depth', () => {
  const mined = check(first(observedPayment(1)), depth, at(0)).payin;
  const event = (needed: number): string | undefined =>
    check(shown(mined, observedPayment(1), 5), { confirmations: needed, isFinalised: false }, at(5)).event;
  assert.deepEqual([event(mined.needed), event(mined.needed + 1)], [undefined, 'progress']);
});

test('retains the time of the first confirmation, and clears it if the payment waits again', () => {
  const mined = check(first(observedPayment(1)), depth, at(0)).payin;
  const later = shown(mined, observedPayment(1), 60, 50).payin;
  assert.deepEqual([later.firstConfirmedAt, later.seenAt], [mined.firstConfirmedAt, mined.seenAt]);
  const dropped = poll(
    mined,
    { gone: { kind: 'block', height: 10, hash: 'another', tip: 12 }, polledAt: null },
    termsAt(at(70)),
  ).payin;
  const back = shown(dropped, observedPayment(0), 80).payin;
  assert.deepEqual([back.status, back.firstConfirmedAt, back.seenAt], ['seen', null, at(80)]);
  assert.deepEqual([back.isBack, back.isFollowed, back.finalAt], [true, true, null]);
});

test('does not give up a payment by its age if it is in a block or at a provider', () => {
  const years = 3 * 365 * 24 * 60;
  for (const known of [finalPayin(), { ...finalPayin(), height: null, block: null }]) {
    const unseen = shown({ ...known, isFollowed: true }, undefined, years);
    assert.deepEqual([unseen.payin.status, unseen.event, unseen.payin.missingSince], ['final', undefined, at(years)]);
  }
});

test('a dropped payment is deep, as it is not exposed', () => {
  const waiting = first(observedPayment(0)).payin;
  const dropped = poll(
    waiting,
    { gone: { kind: 'spent', input: 'c', txid: 'x', height: 9, tip: 9 }, polledAt: null },
    termsAt(at(1)),
  );
  assert.deepEqual([dropped.payin.status, dropped.payin.isDeep, becameDeep(dropped)], ['dropped', true, false]);
});

test('publishes the difference to the amount known as taken back', () => {
  let payin = finalPayin();
  const steps: readonly (readonly [ObservedPayment, readonly unknown[]])[] = [
    [takenBack(30n), ['reversed', 'chargeback', 30n, 'final', 30n]],
    [takenBack(30n), [undefined, undefined, undefined, 'final', 30n]],
    [takenBack(50n), ['reversed', 'chargeback', 20n, 'final', 50n]],
    [takenBack(40n), ['final', undefined, 10n, 'final', 40n]],
    [observedPayment(3), ['final', undefined, 40n, 'final', 0n]],
    [takenBack(99n), ['reversed', 'chargeback', 99n, 'final', 99n]],
    [takenBack(100n), ['reversed', 'chargeback', undefined, 'reversed', 0n]],
    [takenBack(), [undefined, undefined, undefined, 'reversed', 0n]],
    [takenBack(100n), [undefined, undefined, undefined, 'reversed', 0n]],
    [takenBack(40n), ['final', undefined, 60n, 'final', 40n]],
  ];
  for (const [at, [sighting, expected]] of steps.entries()) {
    const change = shown(payin, sighting, at + 1);
    assert.deepEqual(events(change), expected, `step ${at}`);
    ({ payin } = change);
  }
  assert.deepEqual([payin.height, payin.isFinalised, payin.needed, payin.isBack], [0, true, 1, true]);
});

test('before a payment is ours, a part taken back is reported later, and all of it drops the payment', () => {
  const inPart = check(first(takenBack(30n)), depth, at(0));
  assert.deepEqual(events(inPart), ['final', undefined, undefined, 'final', 0n]);
  assert.deepEqual(events(shown(inPart.payin, takenBack(30n), 1)), ['reversed', 'chargeback', 30n, 'final', 30n]);
  const whole = first(takenBack());
  assert.deepEqual([whole.event, whole.payin.status, whole.payin.isFollowed], [undefined, 'dropped', false]);
  const waiting = first(observedPayment(0)).payin;
  assert.deepEqual(events(shown(waiting, takenBack(), 1)), ['dropped', 'chargeback', undefined, 'dropped', 0n]);
  const stillWaiting = shown(waiting, takenBack(30n), 1);
  assert.deepEqual([stillWaiting.payin.status, stillWaiting.payin.taken], ['seen', 0n]);
  assert.equal(check(stillWaiting, depth, at(1)).event, 'final', 'the rest of it is there');
});

test('people take back a part, or the rest', () => {
  const part = takenByPeople(finalPayin(), 30n);
  assert.deepEqual(events(part), ['reversed', 'chargeback', 30n, 'final', 30n]);
  for (const parts of [70n, 71n, undefined])
    assert.deepEqual(events(takenByPeople(part.payin, parts)), ['reversed', 'chargeback', undefined, 'reversed', 0n]);
  assert.deepEqual(events(takenByPeople(part.payin, 69n)), ['reversed', 'chargeback', 69n, 'final', 99n]);
  assert.deepEqual(events(takenByPeople(first(observedPayment(0)).payin)).slice(0, 2), ['dropped', 'chargeback']);
  assert.deepEqual([part.payin.isDecided, takenByPeople(finalPayin()).payin.isDecided], [true, true]);
});

test('a row is changed by another time, but not by another object with the same time', () => {
  const before = finalPayin();
  const again = { ...before, seenAt: new Date(before.seenAt) };
  assert.equal(isChanged({ before, payin: again }), false);
  assert.equal(isChanged({ before, payin: { ...before, seenAt: at(1) } }), true);
  assert.equal(isChanged({ before, payin: { ...before, missingSince: at(1) } }), true);
});
