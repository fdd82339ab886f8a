// The overview of a holder of stores, after invoices were made and paid.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { grantRole } from '../../auth/index.ts';
import { newHolder } from '../../auth/testing.ts';
import { seedStoreRoles } from '../stores/roles.ts';
import { asResource } from '../stores/store.ts';
import { storesOverview } from '../overview/overview.ts';
import { paidReversibly, permit } from './reserve-world.testing.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  await world.db.tx(seedStoreRoles);
});
after(() => world.close());

const of = (holder: string) => storesOverview(world.db, holder);

test('shows balances by unit, waiting invoices by store, and sales by day, to members who may read them', async () => {
  const paid = await world.make();
  world.pay(await world.choose(paid, 'BTC'));
  await world.mine();
  assert.equal((await world.read(paid)).view.state, 'settled');
  await world.make();
  const reader = await newHolder(world.db);
  await world.db.tx((tx) => grantRole(tx, { holderId: reader, on: asResource(world.store), role: 'accountant', by: 'test' }));
  const { balances, waiting, sales } = await of(reader);
  assert.deepEqual(
    balances.map(({ currency }) => currency),
    ['USDT'],
  );
  assert.match(balances[0]?.amount ?? '', /^9\d\.\d\d$/);
  assert.deepEqual(waiting, [{ store: world.store.id, state: 'open', count: 1 }]);
  assert.deepEqual([sales.invoices, sales.days.length], [1, 30]);
  assert.equal(sales.sum.currency, 'USD');
  assert.match(sales.sum.amount, /^100\.\d\d$/);
  assert.deepEqual(sales.days.at(-1), { ...sales.days.at(-1), sum: sales.sum, invoices: 1 });
  assert.ok(sales.days.slice(0, -1).every(({ invoices, sum }) => invoices === 0 && sum.amount === '0.00'));
});

test('shows what stands in the reserve beside the balance', async () => {
  await permit(world, {});
  const before = (await of(world.store.holderId)).balances;
  await paidReversibly(world, '50.00');
  const { balances, reserves } = await of(world.store.holderId);
  assert.deepEqual(balances, before);
  assert.deepEqual(
    reserves.map(({ currency }) => currency),
    ['USDT'],
  );
  assert.match(reserves[0]?.amount ?? '', /^4\d\.\d\d$/);
});

test('shows nothing to somebody without a store', async () => {
  const { balances, reserves, waiting, sales } = await of(await newHolder(world.db));
  assert.deepEqual([...balances, ...reserves], []);
  assert.deepEqual([waiting, sales.invoices, sales.sum.amount], [[], 0, '0.00']);
});
