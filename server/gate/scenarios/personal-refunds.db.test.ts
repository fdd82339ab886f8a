// Refunds of a personal store: its owner may pay own invoices, so their claims count towards the limits of the owner's level.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newHolder } from '../../auth/testing.ts';
import { readCounted, setLevel } from '../../compliance/index.ts';
import { UnitOfWork } from '../../collecting/index.ts';
import { newId } from '../../platform/index.ts';
import { makeInvoice } from '../actions/make-invoice.ts';
import { decideAsDesk } from '../refunds/actions/decide-claim.ts';
import { makeRefund } from '../refunds/actions/make-refund.ts';
import type { Refund } from '../refunds/machine/refund.ts';
import type { StoredInvoice } from '../rows/stored-invoice.ts';
import { subjectOf } from '../settlements/store-money.ts';
import type { Store } from '../stores/store.ts';
import { addStore } from '../stores/store-rows.ts';
import { type RefundWorld, openRefundWorld } from './refund-world.testing.ts';
import { standing } from './settlements.testing.ts';

let world: RefundWorld;
let store: Store;
before(async () => {
  world = await openRefundWorld();
  const holderId = await newHolder(world.db);
  store = { ...world.store, id: newId(), kind: 'personal', businessId: undefined, holderId };
  await world.db.tx((tx) => addStore(tx, store));
});
after(() => world.close());

const make = (amount: string): Promise<StoredInvoice> =>
  makeInvoice(world.db, { store: store.id, amount, currency: 'USD', lines: [], metadata: {} }, 'en');
const refund = ({ view }: StoredInvoice, amount: string): Promise<Refund> =>
  makeRefund(
    world,
    { store: store.id, amount, invoice: view.id },
    { kind: 'member', id: store.holderId, isProposed: false },
    'en',
  );

/** Returns what counts towards the owner's level in 24 hours, in cents. */
async function used(): Promise<bigint> {
  const { db } = world;
  return (await readCounted(db, await subjectOf(db, store.holderId), await db.now())).used[0];
}

async function byDesk(id: string | undefined, action: 'approve' | 'reject'): Promise<void> {
  await world.db.tx(async (tx) => {
    const unit = new UnitOfWork(tx);
    await decideAsDesk(unit, world.sender, { id: id ?? '', action, reason: 'its buyer asked', by: ['olga'] });
    await unit.commit();
  });
}

test('claims of a personal store’s refunds above its owner’s level wait for the desk, and others count towards it', async () => {
  // Level 1 permits 5 000 USD a day. Unpaid invoices don't count, so the owner can make and pay more of them.
  const invoices: StoredInvoice[] = [];
  for (let at = 0; at < 3; at += 1) invoices.push(await make('2500.00'));
  for (const invoice of invoices) world.pay(await world.choose(invoice, 'USDT_ERC20'));
  await world.mine();
  for (const minutes of [61, 61]) await world.pass(minutes);
  const { leftUsd, units } = await standing({ db: world.db, store });
  assert.equal(leftUsd, 0n);
  const [{ balance } = assert.fail()] = units;
  assert.ok(balance > 2_000_000_000n, 'what is above the level stays in the store');
  const [last = assert.fail()] = invoices;
  const claimed = await world.claim(await refund(last, '300.00'));
  const { claims } = await world.look(claimed);
  assert.deepEqual([claims[0]?.state, claims[0]?.people], ['approving', 1]);
  await byDesk(claims[0]?.id, 'approve');
  await world.send();
  assert.equal((await world.look(claimed)).claims[0]?.state, 'done');
  await world.db.tx((tx) => setLevel(tx, store.holderId, 2, 'test'));
  const before = await used();
  const within = await world.claim(await refund(last, '200.00'));
  assert.equal((await world.look(within)).claims[0]?.state, 'paying');
  assert.equal((await used()) - before, 20_000n);
  await world.send();
  const failing = await world.claim(await refund(last, '100.00'));
  assert.equal((await used()) - before, 30_000n);
  world.rails.USDT_ERC20.world.inject('prepare', { kind: 'refuse' }, 1_000);
  await world.send();
  assert.equal((await world.look(failing)).claims[0]?.state, 'failed');
  assert.equal((await used()) - before, 20_000n, 'a failed claim counts no longer');
  assert.deepEqual(await world.prove(), []);
});
