// An unallocated payment that can be taken back for months: a visitor can only have it back, on the account that paid it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { parse } from '@kurs/money';
import { makeCode } from '../../auth/index.ts';
import { type Payment, alone } from '../../collecting/index.ts';
import { accounts, leg, post, verify } from '../../ledger/index.ts';
import { withoutCauses } from '../../ledger/testing.ts';
import { payable, paymentsCheck } from '../../payments/index.ts';
import { type SettingsWatch, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { choose } from '../actions/choose.ts';
import { openForOwner } from '../actions/for-other-owners.ts';
import { type StoredOrder, readOrders } from '../order/store/order-store.ts';
import { orderCheck } from '../proof/check-books.ts';
import { showOrder } from '../views/track.ts';
import type { SignedIn } from './signed-in.testing.ts';
import { type World, openWorld } from './world.testing.ts';

const PARTS = parse('PAYPAL_USD', '60').parts;

describe('an unallocated payment that can be taken back', () => {
  let world: World;
  let settings: SettingsWatch;
  before(async () => {
    world = await openWorld({ hasPaypal: true });
    settings = await watchSettings(world.db);
    await world.db.tx(async (tx) => {
      await putSetting(tx, 'compliance.exposure_usd', '20000', 'test');
      await tx.run(`insert into network_cost (currency, fuel, parts, at) values ('PAYPAL_USD', 'PAYPAL_USD', 0, now())`);
    });
    await settings.refresh();
    world.paypal?.world.fund('PAYPAL_USD', 'hot', 100n * PARTS);
    const [hot, free] = [accounts.custody('PAYPAL_USD', 'hot', 'PAYPAL_USD'), accounts.deskFree('PAYPAL_USD')];
    const capital = { id: newId(), kind: 'capital_in', cause: newId(), legs: [leg(hot, free, 90n * PARTS)] } as const;
    await world.db.tx((tx) => post(tx, [capital]));
    // A rail is asked for its balance at most every two seconds.
    for (let tries = 0; tries < 20 && (await payable(world.db, 'PAYPAL_USD')) === 0n; tries += 1) {
      await setTimeout(250);
      await world.pass(1);
    }
  });
  after(async () => {
    await settings.stop();
    await world.close();
  });

  /** Opens an unallocated payment as another room does, and returns it with the account that paid. */
  async function opened(own?: SignedIn): Promise<{ order: StoredOrder; source: { fields: { address: string }; key: string } }> {
    const [hot, suspense] = [accounts.custody('PAYPAL_USD', 'hot', 'PAYPAL_USD'), accounts.suspense('PAYPAL_USD')];
    const found = { id: newId(), kind: 'difference', cause: newId(), legs: [leg(hot, suspense, PARTS)], prices: {} } as const;
    await world.db.tx((tx) => post(tx, [found]));
    const { address = '' } = world.paypal?.receiver() ?? {};
    const source = { fields: { address }, key: address };
    const [id = ''] = await alone(world.db, (unit) => {
      const piece: Payment = {
        ...{ id: newId(), parts: PARTS, status: 'final', place: 'hot', txid: 'CAPTURE', seenAt: unit.tx.now, isFeeOk: true },
        ...{ confirmations: 1, needed: 1, source },
      };
      const customer = { email: own?.email ?? 'ann@example.org', locale: 'en', ...(own && { holderId: own.id }) } as const;
      return openForOwner(unit, world.deps.sender, [
        { currency: 'PAYPAL_USD', piece, from: suspense, customer, paidFor: { number: 'KI-7F3Q-2M8C', why: 'over' } },
      ]);
    });
    const [order] = await readOrders(world.db, [id]);
    return { order: order ?? assert.fail('nothing came of it'), source };
  }

  const known = (order: StoredOrder) => ({ id: order.number, token: world.token(order) });
  const otp = (order: StoredOrder): Promise<string> =>
    world.db.tx((tx) => makeCode(tx, { purpose: 'order', subject: order.view.id }));
  const choicesOf = async (order: StoredOrder): Promise<string[]> =>
    (await showOrder(world.deps, order)).choices.map(({ choice }) => choice);
  const toUsdt = () =>
    ({ choice: 'name_direction', to: 'USDT_ERC20', account: { ...world.rails.USDT_ERC20.receiver() } }) as const;

  test('only goes back to the account that paid, if its payer is a visitor or has too low a level', async () => {
    for (const own of [undefined, await world.holder(1)]) {
      const { order, source } = await opened(own);
      assert.deepEqual(await choicesOf(order), ['refund'], 'the page offers nothing else');
      const by = { ...known(order), otp: await otp(order) };
      assert.equal(await refusal(() => choose(world.deps, { ...by, ...toUsdt() })), 'choice_not_open');
      const account = { ...world.paypal?.receiver() };
      assert.equal(await refusal(() => choose(world.deps, { ...by, choice: 'give_route', account })), 'choice_not_open');
      await choose(world.deps, { ...by, choice: 'refund' });
      for (let at = 0; at < 4; at += 1) await world.mine(70);
      const { view } = await world.order(order);
      assert.deepEqual([view.state, view.facts.sent?.parts, view.refund?.key], ['refunded', PARTS, source.key]);
    }
    assert.deepEqual((await verify(world.db, { checks: [withoutCauses(paymentsCheck), orderCheck] })).faults, []);
  });

  test('may be exchanged by an account holder who may pay orders with it', async () => {
    const { order } = await opened(await world.holder(3));
    assert.deepEqual(await choicesOf(order), ['refund', 'name_direction']);
    await choose(world.deps, { ...known(order), ...toUsdt(), otp: await otp(order) });
    assert.deepEqual(await choicesOf(await world.order(order)), ['new_order', 'refund']);
  });
});
