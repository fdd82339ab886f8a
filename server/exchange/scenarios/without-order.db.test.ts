// An unallocated payment without an order: its customer is asked, and it goes where they choose.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { makeCode } from '../../auth/index.ts';
import { type Payment, UnitOfWork } from '../../collecting/index.ts';
import { type Fault, accounts, leg, post, verify } from '../../ledger/index.ts';
import { withoutCauses } from '../../ledger/testing.ts';
import { paymentsCheck } from '../../payments/index.ts';
import { newId } from '../../platform/index.ts';
import { choose } from '../actions/choose.ts';
import { Batch, newNumber } from '../apply/batch.ts';
import { DeskState } from '../apply/desk-state.ts';
import { unallocatedPayment, withoutOrder } from '../machine/derived-orders.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';
import { orderCheck } from '../proof/check-books.ts';
import { showOrder } from '../views/track.ts';
import { type World, openWorld } from './world.testing.ts';

const PARTS = 5_000_000n;

describe('an unallocated payment without an order', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());

  const known = (order: StoredOrder) => ({ id: order.number, token: world.token(order) });
  const otp = (order: StoredOrder): Promise<string> =>
    world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
  const validationOf = (field: string) => (error: unknown) =>
    error instanceof Problem && error.code === 'validation' && field in (error.details.errors ?? {});
  const faults = async (): Promise<readonly Fault[]> =>
    (await verify(world.db, { checks: [withoutCauses(paymentsCheck), orderCheck] })).faults;

  /** Assigns unexplained money to a customer who has no order. */
  async function opened(parts = PARTS): Promise<StoredOrder> {
    const [hot, suspense] = [accounts.custody('BTC', 'hot', 'BTC'), accounts.suspense('BTC')];
    const found = { id: newId(), kind: 'difference', cause: newId(), legs: [leg(hot, suspense, parts)], prices: {} } as const;
    await world.db.tx((tx) => post(tx, [found]));
    const id = newId();
    await world.db.tx(async (tx) => {
      const payment: Payment = {
        ...{ id: newId(), parts, status: 'final', place: 'hot', txid: 'found', seenAt: tx.now, isFeeOk: true },
        ...{ confirmations: 1, needed: 1 },
      };
      const side = { currency: 'BTC', unit: 'BTC', rail: 'bitcoin', parts: 0n };
      const customer = { email: 'ann@example.org', locale: 'en' } as const;
      const origin = withoutOrder(customer, side, { now: tx.now, isReversible: false, isReceiveOnly: false });
      const batch = new Batch(new UnitOfWork(tx), new DeskState(tx.now), world.deps.sender, []);
      const unallocated = unallocatedPayment(origin, { id, pieces: [payment] }, newNumber(), tx.now);
      batch.openUnallocated(unallocated, [leg(suspense, accounts.unallocated(id, 'BTC'), parts)]);
      await batch.commit();
    });
    const [order] = await readOrders(world.db, [id]);
    return order ?? assert.fail('nothing came of it');
  }

  test('asks its customer by letter, and is sent back to their account', async () => {
    const order = await opened();
    assert.deepEqual([order.view.kind, order.view.state, order.unallocatedOf], ['unallocated', 'choosing', undefined]);
    assert.deepEqual(await world.letters(order), ['needs_you']);
    await world.audit();
    assert.deepEqual(await faults(), []);
    const account = { ...world.rails.BTC.receiver() };
    await choose(world.deps, { ...known(order), choice: 'give_route', account, otp: await otp(order) });
    await world.pass(2);
    await choose(world.deps, { ...known(order), choice: 'refund', otp: await otp(order) });
    await world.mine(10);
    await world.mine(10);
    const { view } = await world.order(order);
    assert.deepEqual([view.state, view.facts.sent?.parts], ['refunded', PARTS]);
    await world.audit();
    assert.deepEqual(await faults(), []);
  });

  test('is exchanged for the currency that its customer names, at the rate that they are shown', async () => {
    const order = await opened(500_000n);
    const shown = await showOrder(world.deps, order);
    const direction = shown.choices.find(({ choice }) => choice === 'name_direction');
    assert.deepEqual(direction?.currencies, ['USDT_ERC20']);
    const account = { ...world.rails.USDT_ERC20.receiver() };
    const named = { ...known(order), choice: 'name_direction', to: 'USDT_ERC20', account } as const;
    await assert.rejects(choose(world.deps, { ...named, to: 'LTC' }), validationOf('to'));
    await assert.rejects(choose(world.deps, { ...named, account: { address: 'nowhere' } }), validationOf('account.address'));
    await assert.rejects(choose(world.deps, named), { code: 'code_required' });
    await choose(world.deps, { ...named, otp: await otp(order) });
    await assert.rejects(choose(world.deps, named), { code: 'choice_not_open' });
    const { view, isAltered } = await world.order(order);
    assert.deepEqual([view.state, view.get?.currency, isAltered], ['choosing', 'USDT_ERC20', undefined]);
    await world.audit();
    await world.pass(2);
    const { offer } = view.facts;
    assert.ok(offer);
    await choose(world.deps, { ...known(order), choice: 'new_order', offer: offer.number, otp: await otp(order) });
    await world.mine(10);
    await world.mine(70);
    const all = await world.db.rows<{ id: string }>('select id from customer_order where unallocated_of = $1', [order.view.id]);
    const [made] = await readOrders(
      world.db,
      all.map(({ id }) => id),
    );
    assert.deepEqual([made?.view.state, made?.view.facts.sent?.parts], ['completed', offer.parts]);
    await world.audit();
    assert.deepEqual(await faults(), []);
  });

  test('has no currency to name if the desk has too little of all', async () => {
    const { choices } = await showOrder(world.deps, await opened(60n * 10n ** 8n));
    assert.deepEqual(
      choices.map(({ choice }) => choice),
      ['give_route'],
    );
  });
});
