// Payments that come too late, too small, too large, twice, or after the end.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { format, money, parse } from '@kurs/money';
import { cancelOrder } from '../actions/cancel-order.ts';
import { choose, withOffer } from '../actions/choose.ts';
import { makeCode } from '../../auth/index.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { showOrder } from '../views/track.ts';
import { type World, openWorld } from './world.testing.ts';

const code = (name: string) => (error: Problem) => error.code === name;

describe('late, short, extra, twice', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const known = (order: StoredOrder) => ({ id: order.number, token: world.token(order) });
  /** Returns a code for a choice, as the mail would contain it. */
  const otp = (order: StoredOrder): Promise<string> =>
    world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
  const state = (order: StoredOrder): Promise<string> => world.state(order);

  const reason = async (order: StoredOrder) => (await showOrder(world.deps, await world.order(order))).reason;

  test('unpaid: expired at the end of the lock, the reserve is free again', async () => {
    const order = await world.place();
    await world.pass(16);
    assert.equal(await state(order), 'expired');
    await world.audit();
  });

  test('seen in time, final after the lock: the locked rate holds', async () => {
    const order = await world.place();
    world.pay(order);
    await world.turn();
    assert.equal(await state(order), 'seen');
    await world.pass(20);
    await world.price('95000');
    await world.mine();
    const { view } = await world.order(order);
    assert.equal(view.facts.exchange?.got, order.view.get?.parts);
    assert.equal(view.facts.isLate, false);
    await world.price('90000');
    await world.audit();
  });

  test('a payment with a fee too low to confirm in time is late at once, and says so', async () => {
    const order = await world.place();
    world.pay(order, undefined, { isFeeOk: false });
    await world.turn();
    await world.turn();
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.facts.isLate, view.positions.reserve], ['seen', true, 0n]);
    assert.equal(await reason(order), 'low_fee');
    await world.price('85000');
    await world.mine();
    assert.deepEqual([await state(order), await reason(order)], ['choosing', 'low_fee'], 'a block makes no other cause of it');
    await world.price('90000');
    await world.audit();
  });

  test('an underpaid order’s address is watched as long as its customer may choose', async () => {
    const order = await world.place({ askMe: true });
    const closeUntil = async (): Promise<number> => {
      const sql = `select close_until as until, clock_now() as now from receiving_address where owner_id = $1`;
      const row = await world.db.row<{ until: Date; now: Date }>(sql, [order.view.id]);
      return row ? (row.until.getTime() - row.now.getTime()) / 3_600_000 : 0;
    };
    world.pay(order, '0.001');
    await world.mine();
    assert.equal(await state(order), 'choosing');
    assert.ok((await closeUntil()) > 71);
    await choose(world.deps, { ...known(order), choice: 'refund', otp: await otp(order) });
    assert.ok((await closeUntil()) <= 0);
    await world.audit();
  });

  test('no first confirmation within the hour: late', async () => {
    const order = await world.place();
    world.pay(order);
    await world.turn();
    await world.pass(59);
    assert.equal((await world.order(order)).view.facts.isLate, false);
    await world.pass(2);
    assert.equal((await world.order(order)).view.facts.isLate, true);
    assert.equal(await reason(order), 'unconfirmed');
    await world.audit();
  });

  test('paid after expiry at a rate no worse: goes on automatically', async () => {
    const order = await world.place();
    await world.pass(16);
    world.pay(order);
    await world.mine();
    await world.mine(70);
    const done = await world.order(order);
    assert.equal(done.view.facts.isLate, true);
    assert.ok(['paying', 'completed'].includes(done.view.state), done.view.state);
    await world.audit();
  });

  test('paid after cancelling at a worse rate: asked, with an offer at the current rate', async () => {
    const order = await world.place();
    assert.equal(await cancelOrder(world.deps, known(order)), 'cancelled');
    assert.equal(await cancelOrder(world.deps, known(order)), 'cancelled');
    await world.price('85000');
    world.pay(order);
    await world.mine();
    await world.turn();
    assert.deepEqual([await state(order), await reason(order)], ['choosing', 'late']);
    assert.ok((await world.letters(order)).includes('needs_you'));
    const offered = await withOffer(world.deps, await world.order(order));
    const { offer } = offered.view.facts;
    assert.ok(offer && offer.parts < (order.view.get?.parts ?? 0n));
    // The offer is valid, and stays the same, for three minutes.
    await world.price('80000');
    assert.equal((await withOffer(world.deps, await world.order(order))).view.facts.offer?.parts, offer.parts);
    const wrong = { ...known(order), choice: 'continue', offer: offer.number + 1 } as const;
    await assert.rejects(choose(world.deps, wrong), code('offer_expired'));
    const taken = await choose(world.deps, { ...known(order), choice: 'continue', offer: offer.number });
    assert.equal(taken.view.facts.exchange?.got, offer.parts);
    await world.price('90000');
    await world.audit();
  });

  test('an expired offer can’t be accepted', async () => {
    const order = await lateOrder('80000');
    const offered = await withOffer(world.deps, await world.order(order));
    const number = offered.view.facts.offer?.number ?? 0;
    await world.pass(4);
    await assert.rejects(choose(world.deps, { ...known(order), choice: 'continue', offer: number }), code('offer_expired'));
    const next = await withOffer(world.deps, await world.order(order));
    assert.equal(next.view.facts.offer?.number, number + 1);
    await world.price('90000');
  });

  test('better by more than 2 %: they are asked', async () => {
    const order = await lateOrder('99000');
    assert.equal(await state(order), 'choosing');
    await world.price('90000');
  });

  test('a refund needs the mailed code, once, and is reduced by the sending cost', async () => {
    const order = await lateOrder('80000');
    const input = { ...known(order), choice: 'refund' } as const;
    await assert.rejects(choose(world.deps, input), code('code_required'));
    const good = await otp(order);
    const bad = good === '000000' ? '000001' : '000000';
    await assert.rejects(choose(world.deps, { ...input, otp: bad }), code('code_wrong'));
    await choose(world.deps, { ...input, otp: good });
    await assert.rejects(choose(world.deps, { ...input, otp: good }), code('order_changed'));
    await world.mine();
    await world.mine(10);
    const done = await world.order(order);
    assert.equal(done.view.state, 'refunded');
    const back = world.rails.BTC.world.received(done.view.refund?.fields['address'] ?? '');
    assert.equal(back, order.view.give.parts - order.view.pinned.refundCost);
    assert.ok((await world.letters(order)).includes('refunded'));
    await world.price('90000');
    await world.audit();
  });

  test('no answer for 72 hours: refunded automatically', async () => {
    const order = await lateOrder('80000');
    await world.pass(72 * 60 + 1);
    assert.match(await state(order), /^r_/);
    await world.price('90000');
    await world.audit();
  });

  test('two payments add up before the exchange; a later one is an unallocated payment', async () => {
    const order = await world.place();
    world.pay(order, '0.003');
    world.pay(order, '0.002');
    await world.mine();
    assert.equal((await world.order(order)).view.facts.exchange?.give, order.view.give.parts);
    world.pay(order, '0.001');
    await world.mine(2);
    const [unallocated] = await world.unallocatedPayments(order);
    assert.equal(unallocated?.view.positions.in, parse('BTC', '0.001').parts);
    assert.equal(unallocated.view.state, 'choosing');
    await world.audit();
    const refunded = await choose(world.deps, { ...known(unallocated), choice: 'refund', otp: await otp(unallocated) });
    assert.equal(refunded.view.state, 'refunding');
    await world.mine();
    await world.mine(10);
    assert.equal(await state(unallocated), 'refunded');
    await world.audit();
  });

  test('overpaid: the order takes slightly more, and the rest is an unallocated payment that becomes a new order', async () => {
    const order = await world.place();
    world.pay(order, '0.008');
    await world.mine(2);
    const { view } = await world.order(order);
    const max = order.view.give.parts + order.view.pinned.tolerance;
    assert.equal(view.facts.exchange?.give, max);
    const [unallocated] = await world.unallocatedPayments(order);
    assert.equal(unallocated?.view.positions.in, parse('BTC', '0.008').parts - max);
    const offered = await withOffer(world.deps, unallocated);
    const { offer } = offered.view.facts;
    assert.equal(offer?.choice, 'new_order');
    await choose(world.deps, { ...known(unallocated), choice: 'new_order', offer: offer.number, otp: await otp(unallocated) });
    assert.equal(await state(unallocated), 'applied');
    const made = (await world.unallocatedPayments(order)).find(({ view: one }) => one.kind === 'order');
    assert.equal(made?.view.state, 'paying');
    assert.equal((await world.order(unallocated)).view.facts.becameOrder, made.view.id);
    await world.audit();
    await world.mine();
    await world.mine(70);
    assert.equal(await state(made), 'completed');
    await world.audit();
  });

  test('short by 10 %: exchanged at the locked rate, scaled, at the end of the lock', async () => {
    const order = await world.place();
    world.pay(order, '0.0045');
    await world.mine();
    assert.equal(await state(order), 'choosing');
    await world.pass(16);
    const { view } = await world.order(order);
    assert.equal(view.facts.exchange?.give, parse('BTC', '0.0045').parts);
    assert.equal(view.facts.isLate, false);
    await world.audit();
  });

  test('short: the rest may be sent until then', async () => {
    const order = await world.place();
    world.pay(order, '0.0045');
    await world.mine();
    world.pay(order, '0.0005');
    await world.mine();
    assert.equal((await world.order(order)).view.facts.exchange?.got, order.view.get?.parts);
    await world.audit();
  });

  test('short by half: asked, at the lower of both rates', async () => {
    const order = await world.place();
    world.pay(order, '0.0025');
    await world.mine();
    await world.price('99000');
    await world.pass(16);
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.facts.hasLowerRate, view.facts.isAsked], ['choosing', true, true]);
    const offered = await withOffer(world.deps, await world.order(order));
    const half = (order.view.get?.parts ?? 0n) / 2n;
    assert.ok((offered.view.facts.offer?.parts ?? 0n) <= half);
    await world.price('90000');
    await world.audit();
  });

  test('short, before the lock ends: nobody picks the better of two rates', async () => {
    for (const [amount, share] of [
      ['0.0025', 5n],
      ['0.0045', 9n],
    ] as const) {
      const order = await world.place();
      const locked = ((order.view.get?.parts ?? 0n) * share) / 10n;
      world.pay(order, amount);
      await world.mine();
      assert.equal((await world.order(order)).view.facts.isLate, false);
      await world.price('99000');
      const above = await withOffer(world.deps, await world.order(order));
      assert.ok((above.view.facts.offer?.parts ?? locked + 1n) <= locked);
      await world.price('80000');
      await world.pass(4);
      const below = await withOffer(world.deps, await world.order(order));
      assert.ok((below.view.facts.offer?.parts ?? locked) < (locked * 9n) / 10n);
      await world.price('90000');
    }
    await world.audit();
  });

  test('a claim is shown with the sum that it brings, and only if it brings something', async () => {
    const order = await lateOrder('80000');
    await world.price('90000');
    await world.db.run(`update customer_order set body = body - 'refund' where id = $1`, [order.view.id]);
    await world.store(order);
    await world.pass(73 * 60);
    const { positions, pinned } = (await world.order(order)).view;
    assert.ok(pinned.refundCost > 0n);
    const shown = async () => (await showOrder(world.deps, await world.order(order))).choices;
    const amount = format(money('BTC', positions.unclaimedIn - pinned.refundCost), 8);
    assert.deepEqual(
      (await shown()).map(({ choice, money: sum }) => [choice, sum?.amount]),
      [['claim_give', amount]],
    );
    const min = `"${positions.unclaimedIn}n"`;
    await world.db.run(`update customer_order set pinned = jsonb_set(pinned, '{pinned,minRefund}', $2) where id = $1`, [
      order.view.id,
      min,
    ]);
    assert.deepEqual(await shown(), []);
    await world.audit();
  });

  test('unclaimed money of the given side is claimed to an account of that side', async () => {
    const order = await lateOrder('80000');
    await world.price('90000');
    await world.db.run(`update customer_order set body = body - 'refund' where id = $1`, [order.view.id]);
    await world.store(order);
    await world.pass(73 * 60);
    assert.equal(await state(order), 'unclaimed');
    const wrong = { ...known(order), choice: 'claim_get', account: { ...world.rails.USDT_ERC20.receiver() } } as const;
    await assert.rejects(choose(world.deps, { ...wrong, otp: await otp(order) }), code('choice_not_open'));
    await world.pass(2);
    const right = { ...known(order), choice: 'claim_give', account: { ...world.rails.BTC.receiver() } } as const;
    const claimed = await choose(world.deps, { ...right, otp: await otp(order) });
    assert.deepEqual([claimed.view.state, claimed.view.refund?.fields], ['refunding', right.account]);
    assert.deepEqual(claimed.view.receive, order.view.receive);
    await world.audit();
  });

  test('an unallocated payment worth more than 300 USD: a changed refund account waits a day', async () => {
    const order = await world.place();
    world.pay(order, '0.05');
    await world.mine(6);
    await world.turn();
    const [unallocated] = await world.unallocatedPayments(order);
    assert.ok(unallocated && unallocated.usd > 30_000n);
    const account = { ...world.rails.BTC.receiver() };
    const waiting = await choose(world.deps, {
      ...known(unallocated),
      choice: 'give_route',
      otp: await otp(unallocated),
      account,
    });
    assert.deepEqual(waiting.view.facts.pending?.account.fields, account);
    assert.deepEqual(waiting.view.refund, unallocated.view.refund);
    await world.pass(24 * 60 + 1);
    assert.deepEqual((await world.order(unallocated)).view.refund?.fields, account);
  });

  test('a payment seen after the lock doesn’t add to payments seen in time', async () => {
    const order = await world.place();
    world.pay(order, '0.0045');
    await world.turn();
    await world.pass(16);
    world.pay(order, '0.0005');
    await world.mine(2);
    await world.turn();
    const { view } = await world.order(order);
    assert.equal(view.facts.exchange?.give, parse('BTC', '0.0045').parts);
    assert.equal((await world.unallocatedPayments(order)).length, 1);
    await world.audit();
  });

  test('"ask me": nothing goes on automatically', async () => {
    const order = await world.place({ askMe: true });
    world.pay(order, '0.0045');
    await world.mine();
    await world.pass(16);
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.facts.isAsked], ['choosing', true]);
    await world.audit();
  });

  test('paid again after completion: an unallocated payment', async () => {
    const order = await world.place();
    world.pay(order);
    await world.mine();
    await world.mine(70);
    assert.equal(await state(order), 'completed');
    world.pay(order, '0.001');
    await world.mine(2);
    assert.equal(await state(order), 'completed');
    assert.equal((await world.unallocatedPayments(order)).length, 1);
    await world.audit();
  });

  test('another currency on the same address: an unallocated payment of that currency, which its owner has sent back', async () => {
    const order = await world.place();
    world.rails.BTC.world.pay(order.payTo ?? '', 5_000_000n, { currency: 'LTC' });
    await world.mine(6);
    assert.equal(await state(order), 'awaiting');
    const [unallocated] = await world.unallocatedPayments(order);
    assert.ok(unallocated);
    assert.deepEqual(
      [unallocated.view.state, unallocated.view.give.currency, unallocated.view.positions.in],
      ['choosing', 'LTC', 5_000_000n],
    );
    await world.audit();
    const account = { ...world.rails.BTC.receiver() };
    await assert.rejects(
      choose(world.deps, { ...known(unallocated), choice: 'refund', otp: await otp(unallocated) }),
      code('choice_not_open'),
    );
    await world.pass(2);
    // One code is valid for one choice, even if two arrive at once.
    const giving = { ...known(unallocated), choice: 'give_route', account, otp: await otp(unallocated) } as const;
    const twice = await Promise.allSettled([choose(world.deps, giving), choose(world.deps, giving)]);
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    await world.pass(2);
    await choose(world.deps, { ...known(unallocated), choice: 'refund', otp: await otp(unallocated) });
    assert.equal(await state(unallocated), 'r_queued');
    await world.audit();
  });

  /** Returns an order that was cancelled and then paid, at another price of a bitcoin. */
  async function lateOrder(price: string): Promise<StoredOrder> {
    const order = await world.place();
    await cancelOrder(world.deps, known(order));
    await world.price(price);
    world.pay(order);
    await world.mine();
    await world.turn();
    return order;
  }
});
