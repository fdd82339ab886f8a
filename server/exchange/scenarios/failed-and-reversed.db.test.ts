// Payouts that are refused, in doubt or come back, and payments that the rail takes back.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { cancelOrder } from '../actions/cancel-order.ts';
import { choose, withOffer } from '../actions/choose.ts';
import { makeCode } from '../../auth/index.ts';
import { PAYOUT_EVENT } from '../../payments/index.ts';
import { newId, outbox } from '../../platform/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { type World, openWorld } from './world.testing.ts';

describe('failed sends and reversed payments', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    // The tests decide the outcome of each send.
    world.holdSends();
  });
  after(() => world.close());

  const known = (order: StoredOrder) => ({ id: order.number, token: world.token(order) });
  const otp = (order: StoredOrder): Promise<string> =>
    world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
  const state = (order: StoredOrder): Promise<string> => world.state(order);
  const receiver = () => ({ ...world.rails.USDT_ERC20.receiver() });

  /** Returns a paid order whose payout is queued. */
  async function queuedOrder(): Promise<StoredOrder> {
    const order = await world.place();
    world.pay(order);
    await world.mine();
    assert.equal(await state(order), 'queued');
    return order;
  }

  async function publishAll(order: StoredOrder, ...events: Parameters<World['report']>[1][]): Promise<void> {
    for (const event of events) await world.report(order, event);
  }

  /** Returns the order's payment, as payments knows it. */
  async function paymentOf(order: StoredOrder): Promise<{ id: string; parts: string }> {
    const { view } = await world.order(order);
    const payment = view.payments[0];
    assert.ok(payment);
    return { id: payment.id, parts: payment.parts.toString() };
  }

  async function reverse(order: StoredOrder): Promise<void> {
    const { id, parts } = await paymentOf(order);
    await world.reportPayin(order, id, 'reversed', { parts, reason: 'reorg' });
  }

  async function mineAgain(order: StoredOrder): Promise<void> {
    const { id, parts } = await paymentOf(order);
    await world.reportPayin(order, id, 'final', { parts, isBack: true });
  }

  test('refused for a transient cause: retried automatically', async () => {
    const order = await queuedOrder();
    await world.report(order, 'send');
    await world.report(order, 'refused', { reason: 'float', isTransient: true });
    assert.equal(await state(order), 'payout_failed');
    await world.audit();
    await world.pass(2);
    assert.equal(await state(order), 'queued');
    await publishAll(order, 'send', 'accepted', 'final');
    assert.equal(await state(order), 'completed');
    await world.audit();
  });

  test('refused for good: another account, by the mailed code', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'refused');
    assert.equal(await state(order), 'payout_failed');
    assert.ok((await world.letters(order)).includes('needs_you'));
    const bad = { ...known(order), choice: 'new_account', account: { address: 'nonsense' }, otp: '000000' } as const;
    await assert.rejects(choose(world.deps, bad), (error: Problem) => error.code === 'validation');
    await choose(world.deps, { ...known(order), choice: 'new_account', account: receiver(), otp: await otp(order) });
    // Above 300 USD a changed account waits a day.
    assert.equal(await state(order), 'payout_failed');
    await world.pass(24 * 60 + 1);
    assert.equal(await state(order), 'queued');
    await publishAll(order, 'send', 'accepted', 'final');
    assert.equal(await state(order), 'completed');
    await world.audit();
  });

  test('undeliverable: bought back at the current rate, never above what was given', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'refused');
    await world.price('80000');
    const { view } = await withOffer(world.deps, await world.order(order));
    const { offer } = view.facts;
    assert.equal(offer?.choice, 'take_back');
    assert.ok(offer.parts <= order.view.give.parts);
    await choose(world.deps, { ...known(order), choice: 'take_back', offer: offer.number, otp: await otp(order) });
    assert.equal(await state(order), 'r_queued');
    await world.price('90000');
    await world.audit();
    await publishAll(order, 'send', 'accepted', 'final');
    assert.equal(await state(order), 'refunded');
    await world.audit();
  });

  test('no answer for 72 hours: unclaimed, owed, reminded of, claimed', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'refused');
    await world.pass(72 * 60 + 1);
    assert.equal(await state(order), 'unclaimed');
    await world.audit();
    await world.pass(24 * 60 + 1);
    const reminders = (await world.letters(order)).filter((kind) => kind === 'needs_you');
    assert.equal(reminders.length, 3);
    await choose(world.deps, { ...known(order), choice: 'claim_get', account: receiver(), otp: await otp(order) });
    await world.pass(24 * 60 + 1);
    assert.equal(await state(order), 'queued');
    await world.audit();
  });

  test('in doubt: nothing is sent again before the look-up’s answer', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'unknown', 'dedupe_over');
    assert.equal(await state(order), 'in_doubt');
    await publishAll(order, 'found', 'vanished', 'final');
    assert.equal(await state(order), 'completed');
    await world.audit();
  });

  test('a transaction may be replaced: page and letter name the final one', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send');
    await world.report(order, 'accepted', { txid: 'at first' });
    await world.report(order, 'progress', { txid: 'with a higher fee' });
    assert.equal((await world.order(order)).view.facts.sent?.txid, 'with a higher fee');
    await world.report(order, 'final', { txid: 'with the highest' });
    assert.equal((await world.order(order)).view.facts.sent?.txid, 'with the highest');
    assert.match((await world.mails(order)).at(-1)?.text ?? '', /with the highest/);
  });

  test('in doubt and proven absent: the money is back, and goes out once', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'unknown', 'resend', 'unknown', 'absent');
    assert.equal(await state(order), 'payout_failed');
    await world.audit();
  });

  test('failed, then found as sent: nothing happens automatically before people settle it', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'unknown', 'absent', 'found_late');
    await world.pass(80 * 60);
    assert.equal(await state(order), 'payout_failed', 'neither tried again nor unclaimed');
    await assert.rejects(
      choose(world.deps, { ...known(order), choice: 'new_account', account: receiver(), otp: await otp(order) }),
    );
    await publishAll(order, 'late_settled');
    await world.pass(2);
    assert.equal(await state(order), 'queued', 'its money goes on');
    // Stopped before it leaves, it waits for people, however long that takes.
    await publishAll(order, 'found_late', 'kept');
    assert.equal(await state(order), 'approving');
    await world.pass(30 * 60);
    assert.equal(await state(order), 'approving', 'and isn’t unwound meanwhile');
    await world.audit();
  });

  test('completed, then returned: booked before anything is sent again', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'accepted', 'final', 'returned');
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.positions.out], ['undelivered', order.view.get?.parts]);
    await world.audit();
  });

  test('events of another intent are ignored', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send');
    const subject = `order:${order.view.id}`;
    const body = { intentId: order.view.id, owner: { kind: 'order', id: order.view.id }, event: 'refused', parts: '1' };
    await world.db.tx((tx) => outbox.publish(tx, [{ id: newId(), kind: PAYOUT_EVENT, subject, body }]));
    await world.turn();
    assert.equal(await state(order), 'sending');
    await publishAll(order, 'accepted', 'final');
    assert.equal(await state(order), 'completed');
    await world.audit();
  });

  test('the payment is taken back before the worker took the payout: nothing leaves', async () => {
    const order = await queuedOrder();
    await reverse(order);
    const { view } = await world.order(order);
    assert.equal(view.state, 'reversed');
    const payouts = await world.db.rows<{ status: string }>('select status from payout where owner_id = $1', [view.id]);
    assert.deepEqual(
      payouts.map(({ status }) => status),
      ['stopped'],
    );
    await world.audit();
    await mineAgain(order);
    assert.equal((await world.order(order)).view.state, 'choosing');
    await world.audit();
  });

  test('reversed in flight: a debt, charged back when the payout is final, settled when mined again', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'accepted');
    await reverse(order);
    assert.equal((await world.order(order)).view.positions.receivable, order.view.give.parts);
    await world.report(order, 'final');
    assert.equal(await state(order), 'charged_back');
    await world.audit();
    await mineAgain(order);
    assert.equal(await state(order), 'completed');
    await world.audit();
  });

  test('reversed in flight, and the send fails: settled from the order itself', async () => {
    const order = await queuedOrder();
    await world.report(order, 'send');
    await reverse(order);
    await world.report(order, 'refused');
    await world.turn();
    assert.equal(await state(order), 'reversed');
    assert.ok((await world.letters(order)).includes('reversed'));
    await world.audit();
  });

  test('reversed after completion: the loss case', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'accepted', 'final');
    await reverse(order);
    assert.equal(await state(order), 'charged_back');
    await world.audit();
  });

  test('a payment dropped before it was final: waiting again', async () => {
    const order = await world.place();
    const txid = world.pay(order);
    await world.turn();
    assert.equal(await state(order), 'seen');
    world.rails.BTC.world.doubleSpend(txid);
    world.rails.BTC.world.mine();
    for (let minute = 0; minute < 12; minute += 1) {
      await world.pass(1);
      if ((await state(order)) === 'awaiting') break;
    }
    assert.equal(await state(order), 'awaiting');
    await world.audit();
  });

  test('a waiting account is dropped when the payout is bought back', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'refused');
    await choose(world.deps, { ...known(order), choice: 'new_account', account: receiver(), otp: await otp(order) });
    assert.equal((await world.order(order)).view.facts.pending?.account.side, 'get');
    await world.pass(2);
    const { view } = await withOffer(world.deps, await world.order(order));
    const offer = view.facts.offer?.number ?? 0;
    await choose(world.deps, { ...known(order), choice: 'take_back', offer, otp: await otp(order) });
    assert.equal((await world.order(order)).view.facts.pending, undefined);
    await publishAll(order, 'send', 'refused');
    assert.equal(await state(order), 'refund_failed');
    await world.pass(24 * 60 + 1);
    assert.deepEqual((await world.order(order)).view.refund, order.view.refund);
    await world.audit();
  });

  /** Returns an order that was cancelled, then paid by two payments at a worse rate. */
  async function lateInTwo(first: string, second: string): Promise<StoredOrder> {
    const order = await world.place();
    await cancelOrder(world.deps, known(order));
    await world.price('80000');
    world.pay(order, first);
    await world.mine();
    world.pay(order, second);
    await world.mine(2);
    await world.price('90000');
    assert.equal(await state(order), 'choosing');
    return order;
  }

  test('an offer ends when a part of its money is reversed', async () => {
    const order = await lateInTwo('0.003', '0.002');
    await world.price('80000');
    const { view } = await withOffer(world.deps, await world.order(order));
    await world.price('90000');
    const taking = { ...known(order), choice: 'continue', offer: view.facts.offer?.number ?? 0 } as const;
    const [payment] = view.payments;
    await world.reportPayin(order, payment?.id ?? '', 'reversed', { parts: String(payment?.parts) });
    assert.equal((await world.order(order)).view.facts.offer, undefined);
    await assert.rejects(choose(world.deps, taking), (error: Problem) => error.code === 'choice_not_open');
    await world.audit();
  });

  test('a failed refund smaller than its cost: unclaimed after 72 hours', async () => {
    const order = await lateInTwo('0.00499', '0.00001');
    await choose(world.deps, { ...known(order), choice: 'refund', otp: await otp(order) });
    await world.report(order, 'send');
    await world.report(order, 'refused', { isTransient: true });
    const { view } = await world.order(order);
    const large = view.payments.find(({ parts }) => parts > 10_000n);
    await world.reportPayin(order, large?.id ?? '', 'reversed', { parts: String(large?.parts) });
    const left = (await world.order(order)).view;
    assert.ok(left.state === 'undelivered' && left.positions.in < left.pinned.refundCost);
    await world.pass(5);
    await world.audit();
    await world.pass(72 * 60);
    assert.equal(await state(order), 'unclaimed');
    await world.audit();
  });

  test('a payment that became two orders’ money is reversed in both', async () => {
    const order = await world.place();
    world.pay(order, '0.008');
    await world.mine(2);
    const [unallocated] = await world.unallocatedPayments(order);
    assert.equal(unallocated?.view.state, 'choosing');
    await world.reportPayin(order, (await paymentOf(order)).id, 'reversed', { parts: '800000' });
    assert.equal(await state(order), 'reversed');
    assert.equal(await state(unallocated), 'reversed');
    await world.audit();
  });

  test('a partial reversal after the payout: that part is owed, restored or written off', async () => {
    const order = await queuedOrder();
    await publishAll(order, 'send', 'accepted', 'final');
    const { id, parts } = await paymentOf(order);
    const whole = BigInt(parts);
    const report = (event: 'reversed' | 'final', part: bigint) =>
      world.reportPayin(order, id, event, { parts, part: String(part), ...(event === 'final' && { isBack: true as const }) });
    const stands = async (): Promise<readonly unknown[]> => {
      await world.audit();
      const { view } = await world.order(order);
      const pieces = view.payments.map(({ status, parts: piece }) => `${status} ${piece}`).toSorted();
      return [view.state, view.positions.receivable, ...pieces];
    };
    await report('reversed', 1_000n);
    assert.deepEqual(await stands(), ['charged_back', 1_000n, `final ${whole - 1_000n}`, 'reversed 1000']);
    await report('reversed', 500n);
    assert.deepEqual(await stands(), ['charged_back', 1_500n, `final ${whole - 1_500n}`, 'reversed 1500']);
    await report('final', 700n);
    assert.deepEqual(await stands(), ['charged_back', 800n, `final ${whole - 800n}`, 'reversed 800']);
    await report('final', 800n);
    assert.deepEqual(await stands(), ['completed', 0n, `final ${whole}`]);
    await report('reversed', 300n);
    await reverse(order);
    assert.deepEqual(await stands(), ['charged_back', whole, `reversed ${whole}`], 'a part, then the rest');
  });

  test('a partial reversal before the payout: nothing leaves, and the customer chooses about the rest', async () => {
    const order = await queuedOrder();
    const { id, parts } = await paymentOf(order);
    await world.reportPayin(order, id, 'reversed', { parts, part: '1000' });
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.positions.in], ['choosing', BigInt(parts) - 1_000n]);
    await world.audit();
    await world.reportPayin(order, id, 'final', { parts, part: '1000', isBack: true });
    const back = (await world.order(order)).view;
    assert.deepEqual([back.state, back.positions.in, back.payments.length], ['choosing', BigInt(parts), 1]);
    await world.audit();
  });

  test('a partial reversal first takes the excess, which is still here', async () => {
    const order = await world.place();
    world.pay(order, '0.008');
    await world.mine(2);
    const [unallocated] = await world.unallocatedPayments(order);
    const excess = unallocated?.view.positions.in ?? 0n;
    assert.ok(unallocated && excess > 1_000n);
    const before = await state(order);
    const { id } = await paymentOf(order);
    await world.reportPayin(order, id, 'reversed', { parts: '800000', part: '1000' });
    assert.deepEqual([await state(order), (await world.order(unallocated)).view.positions.in], [before, excess - 1_000n]);
    await world.reportPayin(order, id, 'reversed', { parts: '800000', part: String(excess) });
    const [left, gone] = [(await world.order(order)).view, (await world.order(unallocated)).view];
    assert.deepEqual([gone.state, gone.positions.in], ['reversed', 0n]);
    const lost = left.payments.find(({ status }) => status === 'reversed');
    assert.equal(lost?.parts, 1_000n);
    await world.audit();
  });

  test('a restored part returns to its unallocated payment, although the rest has become an order', async () => {
    const order = await lateInTwo('0.003', '0.004');
    world.pay(order, '0.002');
    await world.mine(2);
    // The price is good again, so the last payment lets the order go on; the excess becomes an unallocated payment.
    const [, shared] = (await world.order(order)).view.payments;
    assert.ok(shared);
    const [unallocated] = await world.unallocatedPayments(order);
    const piece = unallocated?.view.payments.find(({ id }) => id === shared.id)?.parts ?? 0n;
    assert.ok(unallocated && piece > 0n && unallocated.view.positions.in === piece + 200_000n);

    await world.reportPayin(order, shared.id, 'reversed', { parts: '400000' });
    const rest = await withOffer(world.deps, await world.order(unallocated));
    const offer = rest.view.facts.offer?.number ?? 0;
    await choose(world.deps, { ...known(unallocated), choice: 'new_order', offer, otp: await otp(unallocated) });
    assert.equal(await state(unallocated), 'applied');
    await world.reportPayin(order, shared.id, 'final', { parts: '400000', isBack: true });
    const back = (await world.unallocatedPayments(order)).filter(
      ({ view }) => view.kind === 'unallocated' && view.payments[0]?.id === shared.id,
    );
    assert.deepEqual(
      back.map(({ view }) => [view.state, view.positions.in]),
      [['choosing', piece]],
    );
    await world.audit();
  });
});
