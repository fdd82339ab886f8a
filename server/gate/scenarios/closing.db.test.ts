// A business closes only once its stores have no unfinished invoice and no money, and its stores get none afterwards.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accounts, leg, post } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { cancelInvoice } from '../actions/change-invoice.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { decide } from '../businesses/decide.ts';
import { SENDER } from '../businesses/businesses.testing.ts';
import { haveStoresMoney, requireEmpty } from '../require-empty.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { decisionSteps } from './decisions.testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { moveByOwner, walletOf } from './settlements.testing.ts';

let world: InvoiceWorld;
/** An invoice that was paid late. */
let overdue: StoredInvoice;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  overdue = await late('PAYEER_USD');
});
after(() => world.close());

const { accept, late } = decisionSteps(() => world);
const refused = (): Promise<string> => refusal(() => requireEmpty(world.db, world.store.businessId ?? ''));

test('an open invoice, a balance and a debt each keep a business open', async () => {
  const hasMoney = (): Promise<boolean> => haveStoresMoney(world.db, world.store.holderId);
  assert.deepEqual([await refused(), await hasMoney()], ['done', false]);
  const open = await world.make();
  assert.deepEqual([await refused(), await hasMoney()], ['business_not_empty', true]);
  await cancelInvoice(world.db, { store: world.store.id, id: open.view.id });
  assert.equal(await refused(), 'done');
  const paid = await world.make();
  world.pay(await world.choose(paid, 'USDT_ERC20'));
  await world.mine();
  assert.equal((await world.read(paid)).view.state, 'settled');
  assert.deepEqual([await refused(), await hasMoney()], ['business_not_empty', true]);
  const balance = await world.merchant('USDT');
  const owed = accounts.receivable(`business_${world.store.businessId}`, 'USDT');
  const move = (from: typeof owed, to: typeof owed): Promise<unknown> =>
    world.db.tx((tx) =>
      post(tx, [{ id: newId(), kind: 'invoice_reversed', cause: paid.view.id, legs: [leg(from, to, balance)] }]),
    );
  const set = accounts.invoiceSet(paid.view.id, 'USDT');
  await move(accounts.merchant(world.store.id, 'USDT'), set);
  assert.equal(await refused(), 'done');
  await move(owed, set);
  assert.equal(await refused(), 'business_not_empty');
});

test('an invoice that is made while its business closes is refused', async () => {
  const closing = world.db.tx(async (tx) => {
    const business = (await lockBusiness(tx, world.store.businessId ?? '')) ?? assert.fail();
    const made = refusal(() => world.make());
    await new Promise((resolve) => void setTimeout(resolve, 200));
    await decide(tx, SENDER, business, { action: 'close', note: '' });
    return { made };
  });
  const { made } = await closing;
  assert.equal(await made, 'store_closed');
});

test('a store of a closed business gets no money: no late payment is accepted, and none moves back from the wallet', async () => {
  assert.equal(await refusal(() => accept(overdue)), 'store_closed');
  const { holderId } = world.store;
  const legs = [leg(accounts.custody('USDT_ERC20', 'hot', 'USDT'), accounts.wallet(holderId, 'USDT'), 1_000_000n)];
  await world.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit', cause: newId(), legs }]));
  assert.equal(await refusal(() => moveByOwner(world, 'to_store', { unit: 'USDT', parts: 1_000_000n })), 'store_closed');
  assert.deepEqual([await walletOf(world, holderId, 'USDT'), (await world.read(overdue)).view.state], [1_000_000n, 'expired']);
});
