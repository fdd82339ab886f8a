// The alarms about debts: of customers for a day, of a business until it is repaid.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noteDebt } from '../compliance/index.ts';
import { type InvoiceWorld, bookCostFor, openInvoiceWorld, paidReversibly, permit } from '../gate/testing.ts';
import { newId } from '../platform/index.ts';
import { foundInRooms } from './state.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
  await permit(world, {});
});
after(() => world.close());

const found = async (): Promise<string[]> =>
  (await foundInRooms(world.db)).flatMap(({ kind, words }) => (kind === 'debt' ? [words] : []));

test('a business that owes raises an alarm with its name and the sum until it is repaid', async () => {
  await paidReversibly(world);
  assert.deepEqual(await found(), []);
  await bookCostFor(world.db, world.store, 'PAYEER_USD');
  const [words = '', ...others] = await found();
  assert.match(words, /owes [\d.]+ \w+ since payments were taken back\. Nothing leaves its stores\.$/);
  assert.deepEqual(others, []);
  world.pay(await world.choose(await world.make(), 'USDT_ERC20'));
  await world.mine();
  assert.deepEqual(await found(), [], 'the next sale repays it');
});

test('a customer’s debt raises an alarm for a day', async () => {
  assert.deepEqual(await found(), []);
  const subject = { email: 'ann@example.org', accounts: [] };
  const debt = { id: newId(), about: 'order', unit: 'USDT', parts: 5_000_000n } as const;
  await world.db.tx((tx) => noteDebt(tx, debt, { subject, payers: [] }));
  const [words = '', ...others] = await found();
  assert.match(words, /^1 debts of customers arose in the last day.*`desk debts`\.$/);
  assert.deepEqual(others, []);
  await world.pass(25 * 60);
  assert.deepEqual(await found(), []);
});
