// Kills each process while a payment to an invoice is seen and not settled. The payment is settled once, without help.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Shop, openShop, sell, untilState } from '../customers/business.ts';
import { BACK_MS, PROCESSES, die } from '../harness/die.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, isReady, until } from '../harness/system.ts';

let system: System;
let shop: Shop;
before(async () => {
  ({ system } = await sharedStage());
  const { directions } = system.client();
  await until('the directions to open', 60_000, async () => (await directions({})).directions.every(isReady));
  shop = await openShop(system, 'USDT_ERC20');
});

describe('a seen payment is settled once when', () => {
  for (const names of [...PROCESSES.map((name) => [name]), PROCESSES])
    test(`${names.join(', ')} is killed`, async () => {
      const { client, store } = shop;
      const id = await until('an invoice to be made', BACK_MS, () => sell(shop, '12.50').catch(() => undefined));
      await until(
        'the payment to be seen',
        BACK_MS,
        async () => (await client.storeInvoice({ store, id })).payments.length > 0,
        20,
      );
      await die(system, names);
      await untilState(shop, id, 'settled');
      const { events, payments } = await client.storeInvoice({ store, id });
      const times = (event: string): number => events.filter((one) => one.event === event).length;
      assert.deepEqual([payments.length, times('payment_final'), times('settled')], [1, 1, 1]);
    });
});

test('the books are right, and the balance is the sum of what was settled', async () => {
  const { client, store } = shop;
  const { data } = await client.invoices({ store, per_page: 100 });
  const invoices = await Promise.all(data.map(({ id }) => client.storeInvoice({ store, id })));
  const cents = (text: string): number => Math.round(Number.parseFloat(text) * 100);
  const sum = invoices.flatMap(({ received }) => received).reduce((total, { amount }) => total + cents(amount), 0);
  const [usdt] = (await client.storeBalance({ store })).balances;
  assert.ok(sum > 0 && Math.abs(cents(usdt?.balance ?? '') - sum) <= invoices.length, `${usdt?.balance} and ${sum} cents`);
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
