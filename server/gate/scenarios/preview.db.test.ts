// The preview of a payment says what an invoice then asks for.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from '@kurs/money';
import { refusal } from '../../platform/testing.ts';
import { payWire } from '../views/pay-wire.ts';
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

const openOf = <M extends { readonly closed?: string | undefined }>({ methods }: { readonly methods: readonly M[] }): M[] =>
  methods.filter(({ closed }) => closed === undefined);

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

test('lists methods by their costs, also if the store bears them', async () => {
  await world.change({ costsBearer: 'buyer' });
  const shown = openOf(await preview('100.00'));
  const costs = shown.map(({ cost = assert.fail('it has no cost') }) => Number(cost));
  assert.deepEqual(
    costs,
    costs.toSorted((a, b) => a - b),
  );
  await world.change({ costsBearer: 'store' });
  const hidden = openOf(await preview('100.00'));
  for (const methods of [shown, hidden])
    assert.deepEqual(
      methods.slice(0, 2).map(({ method }) => method),
      ['USDT_TRC20', 'USDT_ERC20'],
      'the others cost a percent',
    );
  assert.ok(hidden.every(({ cost }) => cost === undefined));
});

test('shows the cost of a top-up’s smallest payment, unless the store bears it', async () => {
  for (const costsBearer of ['buyer', 'store'] as const) {
    await world.change({ costsBearer });
    const topUp = await world.make({ amount: undefined });
    const methods = openOf(await payWire({ db: world.db, tokens: world.sender.tokens }, topUp, { locale: 'en' }));
    assert.equal(methods.length, 4);
    for (const { method, amount, least, cost } of methods)
      assert.deepEqual([amount, least !== undefined, cost !== undefined], [undefined, true, costsBearer === 'buyer'], method);
  }
});

test('says which methods are closed, and refuses a sum that no invoice can have', async () => {
  const small = await preview('0.02');
  assert.ok(small.methods.some(({ closed, received }) => closed === 'costs' && received === undefined));
  assert.equal(await refusal(() => preview('1.001')), 'amount_decimals');
  assert.equal(await refusal(() => preview('0')), 'amount_format');
  assert.equal(await refusal(() => preview('1', 'XYZ')), 'currency_without_price');
});
