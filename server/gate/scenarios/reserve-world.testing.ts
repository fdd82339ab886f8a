// A store of a business that takes payments which can be taken back for months, and its reserve, for tests.

import assert from 'node:assert/strict';
import { accounts, balances } from '../../ledger/index.ts';
import { putSetting } from '../../platform/index.ts';
import { lockBusiness } from '../businesses/business-store.ts';
import { setReversible } from '../businesses/decide.ts';
import { NOT_REVERSIBLE, type ReversibleTerms } from '../businesses/reversible.ts';
import { currentOption } from '../invoices/options.ts';
import { dueReleases } from '../reserve/due-releases.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import type { Store } from '../stores/store.ts';
import type { InvoiceWorld } from './invoice-world.testing.ts';

export const DAY = 24 * 60;

/**
 * Sets what two people permitted the business of the store, in place of the usual terms. Payments by Payeer can be taken back for
 * months from then on.
 */
export async function permit(world: InvoiceWorld, terms: Partial<ReversibleTerms>): Promise<void> {
  const { db, store } = world;
  await db.tx(async (tx) => {
    await putSetting(tx, 'compliance.reversible_currencies', ['PAYEER_USD'], 'test');
    await putSetting(tx, 'compliance.exposure_usd', '20000', 'test');
    const business = (await lockBusiness(tx, store.businessId ?? '')) ?? assert.fail();
    await setReversible(tx, business, { ...NOT_REVERSIBLE, isOn: true, ...terms });
  });
  await world.refreshSettings();
}

/** Makes an invoice, and lets its buyer choose Payeer. */
export async function chosen(
  world: InvoiceWorld,
  amount = '100.00',
  { id }: Pick<Store, 'id'> = world.store,
): Promise<StoredInvoice> {
  const invoice = await world.make({ store: id, amount });
  await world.choose(invoice, 'PAYEER_USD');
  return world.read(invoice);
}

/** Makes an invoice that such a payment has settled. `from`: the payer's account. `store`: that of the world by default. */
export async function paidReversibly(
  world: InvoiceWorld,
  amount = '100.00',
  from?: string,
  store: Pick<Store, 'id'> = world.store,
): Promise<StoredInvoice> {
  const invoice = await chosen(world, amount, store);
  const option = currentOption(invoice.view) ?? assert.fail();
  world.pay(option, undefined, { from: [from ?? world.rails.PAYEER_USD.receiver()['address'] ?? ''] });
  await world.mine();
  const settled = await world.read(invoice);
  assert.equal(settled.view.state, 'settled');
  return settled;
}

/** Returns the amount in the store's reserve, in parts. */
export const reserveOf = async ({ db, store }: InvoiceWorld, unit = 'USDT'): Promise<bigint> =>
  (await balances(db, [accounts.merchantReserve(store.id, unit)]))[0] ?? 0n;

/** Returns what the business of the store owes, in parts. */
export const debtOf = async ({ db, store }: InvoiceWorld, unit = 'USDT'): Promise<bigint> =>
  (await balances(db, [accounts.receivable(`business_${store.businessId}`, unit)]))[0] ?? 0n;

/** Runs turns of the release, each after the payments were polled, and returns the number of payments that left the reserve. */
export async function released(world: InvoiceWorld): Promise<number> {
  let count = 0;
  for (let turns = 0; turns < 3; turns += 1) {
    count += await dueReleases(world.db);
    await world.pass(2);
  }
  return count;
}
