// What a look leaves of a payment beside the event that it tells: when it counts, which of its times stay, how much was taken
// back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObservedPayment } from '../../rails/rail.ts';
import { type Change, type Payin, becameDeep, firstSight, isChanged, judge, look, takenByPeople } from './payin.ts';
import { at, depth, fresh, observedPayment, termsAt } from './payin.testing.ts';

const first = (sighting: ObservedPayment): Change => firstSight({ ...fresh, usd: 90_000n }, sighting, termsAt(at(0)));
const shown = (before: Payin, sighting: ObservedPayment | undefined, minutes: number, lookedAt = minutes - 1): Change =>
  look(before, { sighting, lookedAt: at(lookedAt) }, termsAt(at(minutes)));
const finalPayin = (): Payin => judge(first(observedPayment(2)), depth, at(0)).payin;
/** As a provider shows a payment that it took back: so much of it, or all. */
const takenBack = (parts?: bigint): ObservedPayment => ({
  ...observedPayment(0),
  standing: { at: 'taken_back', reason: 'chargeback', ...(parts !== undefined && { parts }) },
});
const told = ({ event, reason, part, payin }: Change) => [event, reason, part, payin.status, payin.taken];

test('what is out of sight just now, or in no block, is not credited by a depth that it would reach', () => {
  const shallow = { confirmations: 1, finalised: false };
  const mined = judge(first(observedPayment(1)), depth, at(0)).payin;
  assert.equal(mined.status, 'seen');
  assert.equal(judge(shown(mined, observedPayment(1), 5), shallow, at(5)).payin.status, 'final');
  const unseen = judge(shown(mined, undefined, 5), shallow, at(5));
  assert.deepEqual([unseen.payin.status, unseen.payin.finalAt], ['seen', null]);
  const waits = judge(first(observedPayment(0)), { confirmations: 0, finalised: false }, at(0));
  assert.deepEqual([waits.payin.status, waits.event], ['seen', 'seen']);
});

test('progress is told when a payment is deeper, or has to be, and not otherwise', () => {
  const mined = judge(first(observedPayment(1)), depth, at(0)).payin;
  const event = (needed: number): string | undefined =>
    judge(shown(mined, observedPayment(1), 5), { confirmations: needed, finalised: false }, at(5)).event;
  assert.deepEqual([event(mined.needed), event(mined.needed + 1)], [undefined, 'progress']);
});

test('its first confirmation stays when it was, and of one that waits anew there is none', () => {
  const mined = judge(first(observedPayment(1)), depth, at(0)).payin;
  const later = shown(mined, observedPayment(1), 60, 50).payin;
  assert.deepEqual([later.firstConfirmedAt, later.seenAt], [mined.firstConfirmedAt, mined.seenAt]);
  const dropped = look(
    mined,
    { gone: { kind: 'block', height: 10, hash: 'another', tip: 12 }, lookedAt: null },
    termsAt(at(70)),
  ).payin;
  const back = shown(dropped, observedPayment(0), 80).payin;
  assert.deepEqual([back.status, back.firstConfirmedAt, back.seenAt], ['seen', null, at(80)]);
  assert.deepEqual([back.back, back.followed, back.finalAt], [true, true, null]);
});

test('one that counts is not given up by its age, whether it is in a block or a provider’s', () => {
  const years = 3 * 365 * 24 * 60;
  for (const known of [finalPayin(), { ...finalPayin(), height: null, block: null }]) {
    const unseen = shown({ ...known, followed: true }, undefined, years);
    assert.deepEqual([unseen.payin.status, unseen.event, unseen.payin.missingSince], ['final', undefined, at(years)]);
  }
});

test('one that was dropped is deep without ever having been exposed', () => {
  const waiting = first(observedPayment(0)).payin;
  const dropped = look(
    waiting,
    { gone: { kind: 'spent', input: 'c', txid: 'x', height: 9, tip: 9 }, lookedAt: null },
    termsAt(at(1)),
  );
  assert.deepEqual([dropped.payin.status, dropped.payin.deep, becameDeep(dropped)], ['dropped', true, false]);
});

test('what a provider took back is told by how much more or less it is than was known', () => {
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
    assert.deepEqual(told(change), expected, `step ${at}`);
    ({ payin } = change);
  }
  assert.deepEqual([payin.height, payin.finalised, payin.needed, payin.back], [0, true, 1, true]);
});

test('of one that was not ours yet a part that was taken back comes later, and all of it drops it', () => {
  const inPart = judge(first(takenBack(30n)), depth, at(0));
  assert.deepEqual(told(inPart), ['final', undefined, undefined, 'final', 0n]);
  assert.deepEqual(told(shown(inPart.payin, takenBack(30n), 1)), ['reversed', 'chargeback', 30n, 'final', 30n]);
  const whole = first(takenBack());
  assert.deepEqual([whole.event, whole.payin.status, whole.payin.followed], [undefined, 'dropped', false]);
  const waiting = first(observedPayment(0)).payin;
  assert.deepEqual(told(shown(waiting, takenBack(), 1)), ['dropped', 'chargeback', undefined, 'dropped', 0n]);
  const stillWaiting = shown(waiting, takenBack(30n), 1);
  assert.deepEqual([stillWaiting.payin.status, stillWaiting.payin.taken], ['seen', 0n]);
  assert.equal(judge(stillWaiting, depth, at(1)).event, 'final', 'the rest of it is there');
});

test('people take back a part, or what is left', () => {
  const part = takenByPeople(finalPayin(), 30n);
  assert.deepEqual(told(part), ['reversed', 'chargeback', 30n, 'final', 30n]);
  for (const parts of [70n, 71n, undefined])
    assert.deepEqual(told(takenByPeople(part.payin, parts)), ['reversed', 'chargeback', undefined, 'reversed', 0n]);
  assert.deepEqual(told(takenByPeople(part.payin, 69n)), ['reversed', 'chargeback', 69n, 'final', 99n]);
  assert.deepEqual(told(takenByPeople(first(observedPayment(0)).payin)).slice(0, 2), ['dropped', 'chargeback']);
  assert.deepEqual([part.payin.decided, takenByPeople(finalPayin()).payin.decided], [true, true]);
});

test('a row is changed where a time is, and not where the same time is another object', () => {
  const before = finalPayin();
  const again = { ...before, seenAt: new Date(before.seenAt) };
  assert.equal(isChanged({ before, payin: again }), false);
  assert.equal(isChanged({ before, payin: { ...before, seenAt: at(1) } }), true);
  assert.equal(isChanged({ before, payin: { ...before, missingSince: at(1) } }), true);
});
