// The preview of a payment says what an invoice then asks for.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { refusal } from '../../platform/testing.ts';
import { previewOf } from '../views/preview.ts';
import { type InvoiceWorld, openInvoiceWorld } from './invoice-world.testing.ts';

let world: InvoiceWorld;
before(async () => {
  world = await openInvoiceWorld();
  await world.change({ settlementCurrency: 'USDT_ERC20' });
});
after(() => world.close());

const preview = (amount: string, currency?: string) =>
  previewOf(world.db, { store: world.store.id, amount, ...(currency !== undefined && { currency }) }, 'en');

for (const costsBearer of ['buyer', 'store'] as const)
  test(`shows what an invoice asks for and what the store receives, if the ${costsBearer} bears the costs`, async () => {
    await world.change({ costsBearer });
    const shown = await preview('100.00');
    assert.deepEqual([shown.amount, shown.currency, shown.costs_bearer], ['100.00', 'USD', costsBearer]);
    for (const method of ['BTC', 'USDT_TRC20', 'PAYEER_USD'] as const) {
      const one = shown.methods.find((listed) => listed.method === method);
      assert.equal(one?.cost === undefined, costsBearer === 'store');
      const invoice = await world.make();
      const option = await world.choose(invoice, method);
      assert.equal(parse(option.unit, one?.amount ?? '0').parts, option.parts);
      const had = await world.merchant('USDT');
      world.pay(option);
      await world.mine();
      assert.equal((await world.merchant('USDT')) - had, parse('USDT', one?.received?.amount ?? '0').parts, method);
    }
  });

test('says which methods are closed, and refuses a sum that no invoice can have', async () => {
  const small = await preview('0.02');
  assert.ok(small.methods.some(({ closed, received }) => closed === 'costs' && received === undefined));
  assert.equal(await refusal(() => preview('1.001')), 'amount_decimals');
  assert.equal(await refusal(() => preview('0')), 'amount_format');
  assert.equal(await refusal(() => preview('1', 'XYZ')), 'currency_without_price');
});
