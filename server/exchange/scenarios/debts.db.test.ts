// Effects of a customer's debt on their other orders and later payments.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '@kurs/contract';
import { makeCode } from '../../auth/index.ts';
import { addBlock, liftBlock, openBlocks, owedBy, stopsOf } from '../../compliance/index.ts';
import { actOnOrder } from '../actions/desk-actions.ts';
import { choose, withOffer } from '../actions/choose.ts';
import { keysShownBy } from '../apply/debts-of-orders.ts';
import { orderKeys } from '../views/order-keys.ts';
import { placeOrder } from '../actions/place-order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { reasonOf } from '../wire/order-wire.ts';
import { openHolder } from './signed-in.testing.ts';
import { repayDebt } from '../actions/repay-debt.ts';
import { ordersMayLeave, whatStopsPayout } from '../apply/payout-obstacles.ts';
import { type World, openWorld } from './world.testing.ts';

describe('debts', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
    world.holdSends();
  });
  after(() => world.close());

  const now = async (order: StoredOrder): Promise<StoredOrder['view']> => (await world.order(order)).view;
  const reportPayin = async (order: StoredOrder, event: 'reversed' | 'final'): Promise<void> => {
    const [payment] = (await now(order)).payments;
    assert.ok(payment);
    const again = event === 'final' ? { isBack: true as const } : { reason: 'chargeback' as const };
    await world.reportPayin(order, payment.id, event, { parts: payment.parts.toString(), ...again });
  };

  /** Returns a completed order whose payment was taken back afterwards. */
  async function chargedBack(email: string, as?: string): Promise<StoredOrder> {
    const order = await world.place({ email, ...(as !== undefined && { as }) });
    world.pay(order);
    await world.mine(3);
    for (const event of ['send', 'accepted', 'final'] as const) await world.report(order, event);
    await reportPayin(order, 'reversed');
    assert.equal((await now(order)).state, 'charged_back');
    return order;
  }

  test('a debtor places no new order, neither at the review nor with an earlier review', async () => {
    const reviewed = await world.calculate({ email: 'ann@example.org', as: 'ann' });
    const debt = await world.place({ email: 'ann@example.org', as: 'ann' });
    world.pay(debt);
    await world.mine();
    for (const event of ['send', 'accepted', 'final'] as const) await world.report(debt, event);
    await reportPayin(debt, 'reversed');
    const isStopped = (error: Problem) => error.code === 'debt_stops' && error.details.params?.['owed'] === '0.00500000';
    await assert.rejects(placeOrder(world.deps, reviewed), isStopped);
    await assert.rejects(world.calculate({ email: 'other@example.org', as: 'ann' }), isStopped);
    // After a won dispute the customer owes nothing.
    await reportPayin(debt, 'final');
    assert.equal((await now(debt)).state, 'completed');
    await placeOrder(world.deps, reviewed);
    await world.audit();
  });

  test('an order that shares only typed data waits for a person, and says so', async () => {
    await chargedBack('bob@example.org');
    const order = await world.place({ email: 'Bob+1@example.org' });
    world.pay(order);
    await world.mine();
    const view = await now(order);
    assert.deepEqual([view.state, view.facts.approval?.people, reasonOf(view)], ['approving', 1, 'looked_at']);
    await world.audit();
  });

  test('a debtor’s later payment waits for people: neither the debtor nor a timer sends it back', async () => {
    const debt = await chargedBack('cat@example.org');
    world.pay(debt);
    await world.mine();
    await world.mine();
    const [unallocated] = await world.unallocatedPayments(debt);
    assert.ok(unallocated);
    assert.deepEqual([unallocated.view.state, reasonOf(unallocated.view)], ['holding', 'debt']);
    await world.pass(73 * 60);
    assert.equal((await now(unallocated)).state, 'holding');
    await world.audit();
  });

  test('an earlier payment isn’t sent back to a debtor either, by choice or by timer', async () => {
    const order = await world.place({ email: 'dan@example.org', as: 'dan', askMe: true });
    const debt = await world.place({ email: 'dan@example.org', as: 'dan' });
    world.pay(debt);
    world.pay(order, '0.002');
    await world.mine(3);
    for (const event of ['send', 'accepted', 'final'] as const) await world.report(debt, event);
    await world.pass(20);
    assert.equal((await now(order)).state, 'choosing');
    await reportPayin(debt, 'reversed');
    const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
    const known = { id: order.number, token: world.token(order) };
    await assert.rejects(
      choose(world.deps, { ...known, choice: 'refund', otp }),
      (error: Problem) => error.code === 'choice_not_open',
    );
    await world.pass(73 * 60);
    const view = await now(order);
    assert.deepEqual([view.state, reasonOf(view)], ['holding', 'debt']);
    await world.audit();
  });

  const blockCustomerOf = async (order: StoredOrder, who: string): Promise<void> => {
    const keys = await keysShownBy(world.db, await world.order(order));
    await world.db.tx((tx) => addBlock(tx, { who, by: 'clara', reason: 'the police asks', evidence: 'their letter', keys }));
  };
  const isBlocked = (error: Problem) => error.code === 'blocked';

  test('a blocked address or network stops every customer who uses it exactly, until the block ends', async () => {
    const known = await world.place({ email: 'jan@example.org', as: 'jan' });
    const keys = await orderKeys(world.db, await world.order(known));
    const address = keys.find(({ key }) => key.startsWith('account:'))?.key.replace('account:', 'address:') ?? '';
    assert.match(address, /^address:[A-Z0-9_-]+:.+/);
    const until = new Date((await world.db.now()).getTime() + 60_000);
    const said = { by: 'clara', reason: 'the police asks', evidence: 'their letter' };
    const stops = async (subject: object): Promise<unknown> =>
      (await stopsOf(world.db, [{ email: 'kai@example.org', accounts: [], ...subject }]))[0]?.code;
    const there = { accounts: [address.replace('address:', '')] };
    await world.db.tx((tx) => addBlock(tx, { who: 'other', ...said, keys: [`${address}x`] }));
    assert.equal(await stops(there), undefined, 'another address');
    await world.db.tx((tx) => addBlock(tx, { who: 'address', ...said, keys: [address], until }));
    await world.db.tx((tx) => addBlock(tx, { who: 'network', ...said, keys: ['net:203.0.113.0/24'], until }));
    assert.equal(await stops(there), 'blocked');
    assert.equal(await stops({ ip: '203.0.113.9' }), 'blocked');
    assert.equal(await stops({ ip: '203.0.114.9' }), undefined);
    assert.equal((await whatStopsPayout(world.db, await world.order(known), await world.db.now()))?.code, 'blocked');
    await world.pass(2);
    assert.equal(await stops(there), undefined, 'it has ended');
    assert.equal(await stops({ ip: '203.0.113.9' }), undefined);
    assert.equal(await whatStopsPayout(world.db, await world.order(known), await world.db.now()), undefined);
  });

  test('no order is placed with a blocked address or from a blocked device', async () => {
    const rail = world.rails.USDT_ERC20 as { receiver(): Readonly<Record<string, string>> };
    const [receiver, fixed] = [rail.receiver, rail.receiver()];
    rail.receiver = () => fixed;
    const known = await world.place({ email: 'max@example.org', as: 'max' });
    const keys = await orderKeys(world.db, await world.order(known));
    const keyOf = (kind: string): string => keys.find(({ key }) => key.startsWith(`${kind}:`))?.key ?? '';
    const said = { by: 'clara', reason: 'the police asks', evidence: 'their letter' };
    const place = (): Promise<unknown> =>
      world.place({ email: 'max@example.org', as: 'max' }).then(
        () => 'placed',
        (error: Problem) => error.code,
      );
    for (const [who, key] of [
      ['an address', keyOf('account:USDT_ERC20').replace('account:', 'address:')],
      ['a device', keyOf('device')],
    ] as const) {
      assert.match(key, /^(address|device):./, who);
      const until = new Date((await world.db.now()).getTime() + 60_000);
      await world.db.tx((tx) => addBlock(tx, { who, ...said, keys: [key], until }));
      assert.equal(await place(), 'blocked', who);
      await world.pass(2);
      assert.notEqual(await place(), 'blocked', `${who}: its block has ended`);
    }
    rail.receiver = receiver;
  });

  test('a blocked account at a payment system stops each customer who has paid from it', async () => {
    const said = { by: 'clara', reason: 'the police asks', evidence: 'their letter' };
    await world.db.tx((tx) => addBlock(tx, { who: 'a payer', ...said, keys: ['address:PAYPAL_USD:THIEF'] }));
    const subject = { email: 'ned@example.org', accounts: [] };
    const people = new Map(['THIEF', 'OTHER'].map((payer) => [payer, { subject, payers: [`PAYPAL_USD:${payer}`] }]));
    const owed = await owedBy(world.db, people);
    assert.deepEqual([owed.get('THIEF')?.shown.map(({ about }) => about), owed.get('OTHER')], [['block'], undefined]);
  });

  test('the keys of a visitor’s order list the orders that share them', async () => {
    const one = await world.place({ email: 'lea@example.org' });
    const two = await world.place({ email: 'lea@example.org' });
    await world.db.run(
      `insert into order_term (term, order_id, kind) select term, $2, kind from order_term where order_id = $1 and kind = 'account'`,
      [one.view.id, two.view.id],
    );
    const keys = await orderKeys(world.db, await world.order(one));
    const mail = keys.find(({ key }) => key === 'email:lea@example.org');
    assert.deepEqual([mail?.isShown, mail?.orders], [false, [two.number]]);
    const account = keys.find(({ key }) => key.startsWith('account:'));
    assert.ok(account?.orders.includes(two.number), JSON.stringify(keys));
  });

  test('each address among the keys of a holder’s order lists the orders of that address alone', async () => {
    const own = await world.place({ email: 'mia@example.org' });
    const contact = await world.place({ email: 'her-office@example.org' });
    const holder = await openHolder(world.db, 1, 'mia@example.org');
    const order = await world.place({ email: 'her-office@example.org', own: holder });
    const keys = await orderKeys(world.db, await world.order(order));
    const ordersOf = (email: string) => keys.find(({ key }) => key === `email:${email}`)?.orders;
    assert.deepEqual([ordersOf('mia@example.org'), ordersOf('her-office@example.org')], [[own.number], [contact.number]]);
  });

  test('a blocked customer places no new order; somebody who types their e-mail address does, with approval', async () => {
    const known = await world.place({ email: 'ivy@example.org', as: 'ivy' });
    const reviewed = await world.calculate({ email: 'ivy@example.org', as: 'ivy' });
    await blockCustomerOf(known, 'ivy');
    await assert.rejects(placeOrder(world.deps, reviewed), isBlocked);
    await assert.rejects(world.calculate({ email: 'another@example.org', as: 'ivy' }), isBlocked);
    const stranger = await world.place({ email: 'ivy@example.org', as: 'somebody else' });
    assert.equal(stranger.view.state, 'awaiting', 'nobody is shut out by what another has typed');
    const [block] = await openBlocks(world.db, 'ivy');
    await world.db.tx((tx) => liftBlock(tx, block?.id ?? '', 'clara, karl'));
    await placeOrder(world.deps, reviewed);
    await world.audit();
  });

  test('payments of a blocked customer are held: they neither leave nor go back, by choice or by timer', async () => {
    const queued = await world.place({ email: 'kay@example.org', as: 'kay' });
    const asks = await world.place({ email: 'kay@example.org', as: 'kay', askMe: true });
    world.pay(queued);
    world.pay(asks, '0.002');
    await world.mine(3);
    await world.pass(20);
    const { transfer, ...before } = (await now(queued)).facts;
    assert.deepEqual([(await now(queued)).state, (await now(asks)).state, before.isStopped], ['paying', 'choosing', undefined]);
    const unpaid = await world.place({ email: 'kay2@example.org', as: 'kay' });
    await blockCustomerOf(queued, 'kay');
    const leaving = {
      id: transfer?.intent ?? '',
      owner: { kind: 'order', id: queued.view.id },
      purpose: 'payout',
      currency: 'USDT_ERC20',
      unit: 'USDT',
      parts: transfer?.parts ?? 0n,
      to: {},
    } as const;
    const stored = await world.db.tx((tx) => ordersMayLeave(tx, [leaving]));
    assert.equal(stored.get(leaving.id)?.reason, 'blocked');
    world.pay(unpaid);
    await world.mine(3);
    const later = await world.order(unpaid);
    assert.equal(later.view.state, 'approving');
    assert.equal((await whatStopsPayout(world.db, later, await world.db.now()))?.code, 'blocked');
    const otp = await world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: asks.view.id }));
    const chosen = choose(world.deps, { id: asks.number, token: world.token(asks), choice: 'refund', otp });
    await assert.rejects(chosen, (error: Problem) => error.code === 'choice_not_open');
    await world.pass(73 * 60);
    assert.deepEqual([(await now(asks)).state, reasonOf(await now(asks))], ['holding', 'check']);
    await world.audit();
  });

  const codeFor = (order: StoredOrder): Promise<string> =>
    world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
  const reasonToStay = async (order: StoredOrder): Promise<string | undefined> => {
    const stored = await world.order(order);
    const one = leaving(stored);
    return (await world.db.tx((tx) => ordersMayLeave(tx, [one]))).get(one.id)?.reason;
  };

  const known = (order: StoredOrder) => ({ id: order.number, token: world.token(order) });

  /** Returns an underpaid order whose customer has requested a refund. */
  async function refunding(as: string): Promise<StoredOrder> {
    const order = await world.place({ email: `${as}@example.org`, as, askMe: true });
    world.pay(order, '0.002');
    await world.mine(3);
    await world.pass(20);
    await choose(world.deps, { ...known(order), choice: 'refund', otp: await codeFor(order) });
    await world.report(order, 'send');
    return order;
  }

  /** Gives a customer a proven debt, or a block. */
  const STOPS = {
    debt: async (as: string) => void (await chargedBack(`${as}@example.org`, as)),
    block: async (_: string, order: StoredOrder) => blockCustomerOf(order, order.email),
  };
  for (const [kind, begins] of Object.entries(STOPS)) {
    test(`an existing ${kind}: no choice of the customer sends money back`, async () => {
      const as = `hal.${kind}`;
      const undelivered = await world.place({ email: `${as}@example.org`, as });
      world.pay(undelivered);
      await world.mine(3);
      for (const event of ['send', 'refused'] as const) await world.report(undelivered, event);
      const [failed, unclaimed] = [await refunding(as), await refunding(as)];
      for (const order of [failed, unclaimed]) await world.report(order, 'refused');
      await begins(as, undelivered);
      const { facts } = (await withOffer(world.deps, await world.order(undelivered))).view;
      const refuses = async (order: StoredOrder, choice: 'take_back' | 'new_account' | 'claim_give'): Promise<void> => {
        const account = { ...world.rails.BTC.receiver() };
        const request = { ...known(order), choice, otp: await codeFor(order) };
        const more = choice === 'take_back' ? { offer: facts.offer?.number ?? 0 } : { account };
        await assert.rejects(
          choose(world.deps, { ...request, ...more }),
          (error: Problem) => error.code === 'choice_not_open',
          choice,
        );
      };
      await refuses(undelivered, 'take_back');
      await refuses(failed, 'new_account');
      await world.pass(73 * 60);
      assert.equal((await now(unclaimed)).state, 'unclaimed');
      await refuses(unclaimed, 'claim_give');
      await world.audit();
    });

    test(`a refund that failed before its customer had a ${kind} is not sent again automatically; people release it`, async () => {
      const as = `ian.${kind}`;
      const order = await refunding(as);
      assert.equal(await reasonToStay(order), undefined);
      await world.report(order, 'refused', { reason: 'float', isTransient: true });
      await begins(as, order);
      await world.pass(2);
      assert.equal((await now(order)).state, 'refunding', 'tried again');
      assert.equal(await reasonToStay(order), kind === 'debt' ? 'debt_stops' : 'blocked');
      await world.report(order, 'kept', { reason: 'debt_stops' });
      assert.equal((await now(order)).state, 'holding');
      const decided = { number: order.number, action: 'decide_refund', by: 'clara', reason: 'it is theirs' } as const;
      await world.db.tx((tx) => actOnOrder(tx, world.deps.sender, decided));
      assert.equal(await reasonToStay(order), undefined, 'they decided knowing of it');
      await world.audit();
    });
  }

  const settle = (debt: StoredOrder, from: StoredOrder): Promise<bigint> =>
    world.db.tx((tx) =>
      repayDebt(tx, world.deps.sender, { debt: debt.number, from: from.number, by: ['ann', 'bob'], reason: 'they paid it back' }),
    );

  test('people settle a debt with another payment; the excess belongs to the payer', async () => {
    const debt = await chargedBack('fay@example.org');
    const payer = await world.place({ email: 'her.friend@example.org', askMe: true, amount: '0.008' });
    world.pay(payer, '0.006');
    await world.mine(3);
    await world.pass(20);
    assert.equal(await settle(debt, payer), 500_000n);
    const [paid, source] = [await now(debt), await now(payer)];
    assert.deepEqual([paid.state, paid.positions.receivable], ['completed', 0n]);
    assert.deepEqual([source.state, source.positions.in, reasonOf(source)], ['applied', 0n, 'debt_paid']);
    const [rest] = await world.unallocatedPayments(payer);
    assert.deepEqual([rest?.view.state, rest?.view.positions.in], ['choosing', 100_000n]);
    await world.audit();
    await assert.rejects(settle(debt, payer), (error: Problem) => error.code === 'action_not_open');
    // The payment that settled the debt is itself taken back: then that payer owes money.
    await reportPayin(payer, 'reversed');
    assert.deepEqual([(await now(payer)).state, (await now(payer)).positions.receivable], ['charged_back', 500_000n]);
    await world.audit();
    await reportPayin(payer, 'final');
    assert.equal((await now(payer)).state, 'applied');
    await world.audit();
  });

  test('a debtor’s later payment settles the debt, in part', async () => {
    const debt = await chargedBack('gil@example.org');
    world.pay(debt, '0.002');
    await world.mine();
    await world.mine();
    const [unallocated] = await world.unallocatedPayments(debt);
    assert.ok(unallocated);
    assert.equal(await settle(debt, unallocated), 200_000n);
    assert.deepEqual([(await now(debt)).state, (await now(debt)).positions.receivable], ['charged_back', 300_000n]);
    assert.equal((await now(unallocated)).state, 'applied');
    await world.audit();
  });

  test('a queued payout doesn’t leave once its customer owes money, and names that reason', async () => {
    const waiting = await world.place({ email: 'eve@example.org', as: 'eve' });
    world.pay(waiting);
    await world.mine(3);
    assert.equal((await now(waiting)).state, 'paying');
    const [stored] = [await world.order(waiting)];
    assert.equal(await whatStopsPayout(world.db, stored, new Date()), undefined);
    const debt = await world.place({ email: 'eve@example.org', as: 'eve' });
    world.pay(debt);
    await world.mine(3);
    for (const event of ['send', 'accepted', 'final'] as const) await world.report(debt, event);
    await reportPayin(debt, 'reversed');
    const saved = await world.db.tx((tx) => ordersMayLeave(tx, [leaving(stored)]));
    assert.deepEqual([...saved.values()], [{ reason: 'debt_stops' }]);
    assert.equal((await whatStopsPayout(world.db, stored, new Date()))?.code, 'debt_stops');
  });

  test('a payout found late is a debt: its customer places nothing, and nothing leaves, until people settle it', async () => {
    const [waiting, first] = [
      await world.place({ email: 'fay@example.org', as: 'fay' }),
      await world.place({ email: 'fay@example.org', as: 'fay' }),
    ];
    for (const order of [waiting, first]) world.pay(order);
    await world.mine(3);
    const stored = await world.order(waiting);
    const stop = async (): Promise<string | undefined> => (await whatStopsPayout(world.db, stored, new Date()))?.code;
    const isStopped = (error: Problem) => error.code === 'debt_stops';
    for (const end of ['late_back', 'late_settled'] as const) {
      if (end === 'late_back') for (const event of ['send', 'unknown', 'absent'] as const) await world.report(first, event);
      await world.report(first, 'found_late');
      assert.equal(await stop(), 'debt_stops');
      await assert.rejects(world.calculate({ email: 'fay@example.org', as: 'fay' }), isStopped);
      await world.report(first, end);
      assert.equal(await stop(), undefined);
    }
    await world.calculate({ email: 'fay@example.org', as: 'fay' });
  });

  test('with two found late and one settled, that debt ends, and the order still waits for the other', async () => {
    const order = await world.place({ email: 'gus@example.org', as: 'gus' });
    world.pay(order);
    await world.mine(3);
    for (const event of ['send', 'unknown', 'absent', 'found_late'] as const) await world.report(order, event);
    await world.report(order, 'late_settled', { hasOthers: true });
    assert.equal((await now(order)).facts.isFoundLate, true);
    await world.report(order, 'late_settled');
    assert.equal((await now(order)).facts.isFoundLate, undefined);
  });
});

function leaving({ view }: StoredOrder): Parameters<typeof ordersMayLeave>[1][number] {
  const { intent = '', kind = 'payout', parts = 0n } = view.facts.transfer ?? {};
  const { currency = '', unit = '' } = (kind === 'payout' ? view.get : view.give) ?? {};
  return { id: intent, owner: { kind: 'order', id: view.id }, purpose: kind, to: {}, currency, unit, parts };
}
