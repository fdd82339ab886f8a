// An unallocated payment of another owner's payer whose address is unknown: nothing is mailed and nothing can be chosen until its
// page has been given an address.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Problem, routes } from '@kurs/contract';
import { type Payment, alone } from '../../collecting/index.ts';
import { accounts, leg, post, verify } from '../../ledger/index.ts';
import { withoutCauses } from '../../ledger/testing.ts';
import { paymentsCheck } from '../../payments/index.ts';
import { type Context, newId } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import { openForOwner } from '../actions/for-other-owners.ts';
import { queuedLetters } from '../../deliveries/testing.ts';
import { outCustomer } from '../apply/desk-state.ts';
import { keysOfCustomers } from '../apply/debts-of-orders.ts';
import { composeLetter } from '../letters/compose-letter.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';
import { orderCheck } from '../proof/check-books.ts';
import { exchangeRoutes } from '../routes.ts';
import { wordsMissing } from './words-missing.testing.ts';
import { type World, openWorld } from './world.testing.ts';

const PARTS = 5_000_000n;
const code = (name: string) => (error: Problem) => error.code === name;

describe('an unallocated payment without an address', () => {
  let world: World;
  let bound: ReturnType<typeof exchangeRoutes>;
  let context: Context;
  before(async () => {
    world = await openWorld();
    bound = exchangeRoutes({ ...world.deps, sealer: testSealer, factors: testSealer, operators: async () => 2 });
    context = { db: world.db, locale: 'en', ip: '203.0.113.9', deviceKey: 'd', ...freely } as unknown as Context;
  });
  after(() => world.close());

  /** Opens an unallocated payment out of unexplained money, as another room does out of its own accounts. */
  async function opened(cause?: 'soft', isFromDesk = false): Promise<StoredOrder> {
    const [hot, suspense] = [accounts.custody('BTC', 'hot', 'BTC'), accounts.suspense('BTC')];
    const found = { id: newId(), kind: 'difference', cause: newId(), legs: [leg(hot, suspense, PARTS)], prices: {} } as const;
    await world.db.tx((tx) => post(tx, [found]));
    const [id = ''] = await alone(world.db, (unit) => {
      const piece: Payment = {
        ...{ id: newId(), parts: PARTS, status: 'final', place: 'hot', txid: 'found', seenAt: unit.tx.now, isFeeOk: true },
        ...{ confirmations: 1, needed: 1 },
      };
      const customer = { email: '', locale: 'en' } as const;
      return openForOwner(unit, world.deps.sender, [
        {
          currency: 'BTC',
          piece,
          from: isFromDesk ? accounts.deskFree('BTC') : suspense,
          customer,
          paidFor: { number: 'KI-7F3Q-2M8C', why: 'late' },
          ...(cause && { held: { cause, since: unit.tx.now } }),
        },
      ]);
    });
    const [order] = await readOrders(world.db, [id]);
    return order ?? assert.fail('nothing came of it');
  }
  const known = (order: StoredOrder) => ({ id: order.number, token: world.token(order) });
  const subjectsTo = async (to: string): Promise<string[]> =>
    (await queuedLetters(world.db, { to })).map(({ subject }) => subject);
  async function prove(): Promise<void> {
    assert.deepEqual((await verify(world.db, { checks: [withoutCauses(paymentsCheck), orderCheck] })).faults, []);
    await world.audit();
  }

  test('gets no letter and no code, and offers no choice', async () => {
    const order = await opened();
    const shown = await bound.trackOrder(known(order), context);
    assert.ok('choices' in shown);
    assert.deepEqual(routes.trackOrder.output.parse(shown), shown);
    assert.deepEqual([shown.paid_for, shown.reason], ['KI-7F3Q-2M8C', 'invoice_late']);
    assert.deepEqual([shown.email, shown.needs_email, shown.choices, order.view.state], ['', true, [], 'choosing']);
    assert.deepEqual(await world.letters(order), []);
    await assert.rejects(bound.orderGetOtp(known(order), context), code('order_changed'));
    await assert.rejects(bound.orderChoose({ ...known(order), choice: 'refund' }, context), code('choice_not_open'));
    await prove();
  });

  test('is nobody’s: it shares no key, no sum and no search with another such payment', async () => {
    const [one, other] = [await opened(), await opened()];
    assert.notEqual(outCustomer(one), outCustomer(other));
    for (const { shown, typed } of (await keysOfCustomers(world.db, [one, other])).values())
      assert.deepEqual([...shown, ...typed], []);
    await assert.rejects(bound.trackOrder({ id: one.number, email: 'ann@example.org' }, context), code('order_not_found'));
    await assert.rejects(bound.trackOrder({ id: one.number, email: '' }, context), code('order_not_found'));
  });

  test('takes one address, from a caller with its secret; then its usual letter goes there', async () => {
    const order = await opened();
    const email = 'payer@example.org';
    const give = (more: { email?: string; token?: string } = {}) =>
      bound.orderEmail({ ...known(order), email, ...more }, context);
    await assert.rejects(give({ token: 'x'.repeat(43) }), code('order_not_found'));
    assert.equal(routes.orderEmail.input.safeParse({ ...known(order), email: 'no address' }).success, false);
    const shown = await give();
    assert.deepEqual(routes.orderEmail.output.parse(shown), shown);
    assert.deepEqual(
      [shown.email, shown.needs_email, shown.choices.map(({ choice }) => choice)],
      [email, undefined, ['give_route', 'name_direction']],
    );
    assert.equal(shown.timeline.at(-1)?.event, 'email_given');
    assert.deepEqual(await subjectsTo(email), [composeLetter(await world.order(order), 'needs_you').subject]);
    await assert.rejects(give({ email: 'another@example.org' }), code('order_changed'));
    await assert.rejects(give(), code('order_changed'));
    assert.equal((await world.order(order)).isAltered, undefined);
    assert.deepEqual(await wordsMissing(world.db), []);
    await prove();
  });

  test('may be paid by the desk, and the proof agrees', async () => {
    const order = await opened(undefined, true);
    assert.equal(order.view.positions.in, PARTS);
    await prove();
  });

  test('that is checked gets the letter about the check once it has an address', async () => {
    const order = await opened('soft');
    assert.equal(order.view.state, 'holding');
    await bound.orderEmail({ ...known(order), email: 'held@example.org' }, context);
    assert.deepEqual(await subjectsTo('held@example.org'), [composeLetter(await world.order(order), 'checking').subject]);
  });
});
