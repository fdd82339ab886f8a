// A business's debt stops all its stores. Two people write a debt off; a payment that comes again after that brings the desk its
// loss back, and the store nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accounts, balances } from '../../ledger/index.ts';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { makeRefund } from '../refunds/actions/make-refund.ts';
import { storeFor } from '../members/stores.testing.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { writeOffDebt } from '../settled/write-off.ts';
import { lockWrittenOff, saveWriteOff } from '../settled/write-off-rows.ts';
import type { Store } from '../stores/store.ts';
import { type RefundWorld, openRefundWorld, usdt } from './refund-world.testing.ts';
import { moveByOwner, unitStanding } from './settlements.testing.ts';

let world: RefundWorld;
let other: Store;
before(async () => {
  world = await openRefundWorld('100.00');
  const { holderId, businessId } = world.store;
  other = await storeFor(world.db, holderId, businessId, { settlementCurrency: 'USDT_ERC20' });
  await world.paid('20.00');
});
after(() => world.close());

const business = (): string => world.store.businessId ?? assert.fail();
const of = async (ref: ReturnType<typeof accounts.deskFree>): Promise<bigint> => (await balances(world.db, [ref]))[0] ?? 0n;
const owed = (): Promise<bigint> => of(accounts.receivable(`business_${business()}`, 'USDT'));
const lost = (): Promise<bigint> => of(accounts.spent('loss', 'USDT'));
const free = (): Promise<bigint> => of(accounts.deskFree('USDT'));

/** Moves all that the store may move to its owner's wallet. */
async function empty(): Promise<void> {
  const { movable } = await unitStanding(world, 'USDT');
  if (movable > 0n) await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: movable });
}

/** An invoice is paid and settled, its money leaves the store, and then its rail takes the payment back. */
async function takenBack(): Promise<StoredInvoice> {
  const invoice = await world.paid('100.00');
  await empty();
  await world.db.tx((tx) => decidePayin(tx, takeBack(invoice.view.payments[0]?.id ?? '')));
  await world.turn();
  assert.ok((await owed()) > usdt('90'));
  return invoice;
}

const writeOff = (people: readonly string[] = ['kim', 'lee']) =>
  world.db.tx((tx) => writeOffDebt(tx, newId(), { businessId: business(), unit: 'USDT', people, evidence: 'It is insolvent.' }));

test('a debt stops moves and refunds of all stores of the business, until two people write it off as a loss', async () => {
  await takenBack();
  const refund = { store: other.id, amount: '0.10' };
  for (const store of [world.store, other])
    assert.equal(
      await refusal(() => moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: 1n, store })),
      'business_owes',
      store.name,
    );
  assert.equal(await refusal(() => makeRefund(world, refund, world.ownerOfStore, 'en')), 'business_owes');
  assert.equal(await refusal(() => writeOff(['kim'])), 'second_person_required');
  const [debt, loss] = [await owed(), await lost()];
  await writeOff();
  assert.deepEqual([await owed(), (await lost()) - loss], [0n, debt]);
  assert.deepEqual(await world.prove(), []);
  assert.equal(await refusal(() => writeOff()), 'action_not_open', 'once');
  assert.equal(await refusal(() => makeRefund(world, refund, world.ownerOfStore, 'en')), 'refund_not_covered');
  await world.paid('30.00');
  assert.ok((await world.merchant('USDT')) > usdt('29'), 'it owes nothing');
  await empty();
  assert.deepEqual(await world.prove(), []);
});

test('a payment that comes again after its debt was written off gives the desk its loss back, and the store nothing', async () => {
  const invoice = await takenBack();
  const debt = await owed();
  await writeOff();
  const [had, before] = [await world.merchant('USDT'), await free()];
  const [payment] = invoice.view.payments;
  await world.db.tx((tx) => decidePayin(tx, { ...takeBack(payment?.id ?? ''), word: 'restore' }));
  for (let at = 0; at < 3; at += 1) await world.mine(3);
  const { view } = await world.read(invoice);
  assert.deepEqual([view.state, view.payments[0]?.stage], ['settled', 'credited']);
  assert.deepEqual([await owed(), (await free()) - before, await world.merchant('USDT')], [0n, debt, had]);
  assert.deepEqual(await world.prove(), []);
  const row = await world.db.row<{ recovered: string }>('select sum(recovered)::text as recovered from store_write_off');
  assert.equal(row?.recovered, debt.toString());
});

test('a recovered sum that the journals don’t confirm is accused, though its row has the right MAC', async () => {
  await takenBack();
  await writeOff();
  const set = (recovered: bigint): Promise<void> =>
    world.db.tx(async (tx) => {
      const [one] = await lockWrittenOff(tx, business(), 'USDT');
      await saveWriteOff(tx, { ...(one ?? assert.fail()), recovered });
    });
  await set(1n);
  const [words, ...others] = await world.prove();
  assert.match(words ?? '', /of its written-off debts are owed again, and their rows say/);
  assert.deepEqual(others, []);
  await set(0n);
  assert.deepEqual(await world.prove(), []);
});

test('a debt, or a written-off one, that SQL changed is left alone and accused', async () => {
  await takenBack();
  const { parts } =
    (await world.owner.row<{ parts: string }>('select parts::text from store_debt where unit = $1', ['USDT'])) ?? {};
  await world.owner.run('update store_debt set parts = 1');
  assert.equal(await refusal(() => writeOff()), 'record_altered');
  await world.owner.run('update store_debt set parts = $1', [parts]);
  await writeOff();
  await world.owner.run(`update store_write_off set recovered = 1 where recovered = 0`);
  assert.ok((await world.prove()).some((words) => /written-off debt is not what two people decided/.test(words)));
});
