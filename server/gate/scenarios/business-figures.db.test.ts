// The desk watches what businesses settle, and what is taken back of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decidePayin } from '../../payments/index.ts';
import { takeBack } from '../../payments/testing.ts';
import { figuresOfBusinesses, reversingBusinesses } from '../settled/business-figures.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const figures = async () => {
  const id = world.store.businessId ?? '';
  return (await figuresOfBusinesses(world.db, [id])).get(id);
};

async function settled(amount: string): Promise<string> {
  const invoice = await world.make({ amount });
  world.pay(await world.choose(invoice, 'USDT_TRC20'));
  await world.mine();
  return (await world.read(invoice)).view.payments[0]?.id ?? assert.fail('nothing arrived');
}

test('adds up 30 days, and names a business of which more than 1 % was taken back', async () => {
  await settled('1000.00');
  const small = await settled('9.00');
  const other = await settled('40.00');
  assert.deepEqual(await figures(), { settledUsd: 104_900n, reversedUsd: 0n, flagged: 0 });
  await world.db.tx((tx) => decidePayin(tx, takeBack(small)));
  await world.turn();
  assert.deepEqual(await figures(), { settledUsd: 104_900n, reversedUsd: 900n, flagged: 0 });
  assert.deepEqual(await reversingBusinesses(world.db), [], '0.86 %');
  await world.db.tx((tx) => decidePayin(tx, takeBack(other, 500_000n)));
  await world.turn();
  assert.deepEqual(await reversingBusinesses(world.db), [], 'a part counts in proportion');
  await world.db.tx((tx) => decidePayin(tx, takeBack(other)));
  await world.turn();
  const [found] = await reversingBusinesses(world.db);
  assert.deepEqual([found?.id, found?.settledUsd, found?.reversedUsd], [world.store.businessId, 104_900n, 4_900n]);
  assert.deepEqual(await world.prove(), []);
  await world.pass(31 * 24 * 60);
  assert.deepEqual(await figures(), { settledUsd: 0n, reversedUsd: 0n, flagged: 0 });
  assert.deepEqual(await reversingBusinesses(world.db), []);
});
