// Costs of disputes that the desk booked by hand: the business owes them, in the unit of the payment's settlement.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accounts, balances } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { netOf } from '../settled/settled.ts';
import { bookDisputeCost, disputable } from '../disputes/dispute-cost.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';
import { DAY, debtOf, paidReversibly, permit, released, reserveOf } from './reserve-world.testing.ts';
import { moveByOwner, standing, unitStanding, walletOf } from './settlements.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  await permit(world, {});
});
after(() => world.close());

const TWENTY = 2_000n;
const of = async (ref: ReturnType<typeof accounts.deskFree>): Promise<bigint> => (await balances(world.db, [ref]))[0] ?? 0n;
const atPayeer = (): Promise<bigint> => of(accounts.custody('PAYEER_USD', 'hot', 'PAYEER_USD'));
const charged = (): Promise<bigint> => of(accounts.spent('rail', 'PAYEER_USD'));
const passedOn = (unit = 'USDT'): Promise<bigint> => of(accounts.income('fee', unit));

/** Books a cost of a dispute about the payment of an invoice. */
const book = async ({ view }: StoredInvoice, parts = TWENTY, people: readonly string[] = ['kim', 'lee']): Promise<void> => {
  const about = await disputable(world.db, world.store.businessId ?? '', view.payments[0]?.id ?? '');
  await world.db.tx((tx) => bookDisputeCost(tx, newId(), about ?? assert.fail(), { parts, people, evidence: 'Statement' }));
};
const empty = async (): Promise<void> => {
  const { movable } = await unitStanding(world, 'USDT');
  if (movable > 0n) await moveByOwner(world, 'to_wallet', { unit: 'USDT', parts: movable });
};
/** Settles an invoice of the store by a payment that nobody can take back. */
async function paidForGood(amount: string): Promise<StoredInvoice> {
  const invoice = await world.make({ amount });
  world.pay(await world.choose(invoice, 'USDT_ERC20'));
  await world.mine();
  return world.read(invoice);
}

test('the cost leaves the payment system, and the store’s balance repays it at the middle rate', async () => {
  const invoice = await paidReversibly(world);
  await paidForGood('50.00');
  const [balance, held, spent, fees] = [await world.merchant('USDT'), await atPayeer(), await charged(), await passedOn()];
  await book(invoice);
  const taken = balance - (await world.merchant('USDT'));
  assert.ok(taken >= 19_900_000n && taken <= 20_100_000n, `20 dollars in USDT: ${taken}`);
  assert.deepEqual([held - (await atPayeer()), (await charged()) - spent], [TWENTY, TWENTY]);
  assert.deepEqual([(await passedOn()) - fees, await debtOf(world)], [taken, 0n], 'the desk has it back');
  assert.equal((await standing(world)).stop, undefined);
  assert.deepEqual(await world.prove(), []);
  await empty();
});

test('what the balance lacks is owed: the store’s reserve repays it, then later sales, and never the owner’s wallet', async () => {
  const invoice = await paidReversibly(world);
  await empty();
  const [kept, wallet] = [await reserveOf(world), await walletOf(world, world.store.holderId, 'USDT')];
  await book(invoice, kept / 10_000n + TWENTY);
  const all = await debtOf(world);
  assert.ok(all > kept + 19_000_000n);
  assert.equal((await standing(world)).stop, 'business_owes');
  assert.equal(await reserveOf(world), kept);
  assert.deepEqual(await world.prove(), []);
  await released(world);
  const owed = await debtOf(world);
  assert.deepEqual([await reserveOf(world), owed, await world.merchant('USDT')], [0n, all - kept, 0n]);
  assert.equal(await walletOf(world, world.store.holderId, 'USDT'), wallet);
  assert.equal((await standing(world)).stop, 'business_owes');
  assert.deepEqual(await world.prove(), []);
  const [payment] = (await paidForGood('50.00')).view.payments;
  assert.deepEqual([await debtOf(world), await world.merchant('USDT')], [0n, netOf(payment ?? assert.fail()) - owed]);
  assert.equal((await standing(world)).stop, undefined);
  assert.deepEqual(await world.prove(), []);
  await empty();
});

test('a store that is settled in the payment’s own unit owes the cost itself', async () => {
  await world.change({ settlementCurrency: 'PAYEER_USD' });
  const invoice = await paidReversibly(world);
  await book(invoice);
  assert.equal(await debtOf(world, 'PAYEER_USD'), TWENTY);
  assert.deepEqual(await world.prove(), []);
  await world.pass(180 * DAY);
  await released(world);
  assert.equal(await debtOf(world, 'PAYEER_USD'), 0n, 'what leaves the reserve repays it');
  assert.deepEqual(await world.prove(), []);
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});

test('a cost that the payment system’s balance lacks is an overdraft there', async () => {
  const invoice = await paidReversibly(world);
  const held = await atPayeer();
  const overdraft = (): Promise<bigint> => of(accounts.owedRail('payeer', 'PAYEER_USD'));
  await book(invoice, held + 5n);
  assert.deepEqual([await atPayeer(), await overdraft()], [0n, 5n]);
  assert.deepEqual(await world.prove(), []);
});

test('only two people book it, only for a payment that can be taken back, and not where SQL changed a row', async () => {
  const [invoice, other] = [await paidReversibly(world, '10.00'), await paidForGood('10.00')];
  const { businessId = '' } = world.store;
  assert.equal(await refusal(() => book(invoice, TWENTY, ['kim'])), 'second_person_required');
  assert.equal(await disputable(world.db, businessId, other.view.payments[0]?.id ?? ''), undefined, 'nobody disputes a coin');
  assert.equal(await disputable(world.db, newId(), invoice.view.payments[0]?.id ?? ''), undefined, 'of another business');
  const id = invoice.view.payments[0]?.id;
  await world.owner.run('update settled_payment set usd = usd + 1 where id = $1', [id]);
  assert.equal(await refusal(() => book(invoice)), 'record_altered');
  await world.owner.run('update settled_payment set usd = usd - 1 where id = $1', [id]);
  await book(invoice, 100n);
  await world.owner.run('update store_dispute_cost set parts = 1 where payment_id = $1', [id]);
  assert.ok((await world.prove()).some((words) => /cost of a dispute is not what two people booked/.test(words)));
});
