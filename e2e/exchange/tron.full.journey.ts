// Exchanges into and out of TRON, pays in the wrong coin, and has a payout refused by the network.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { creditedAsArrived } from '../harness/books.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { type Exchange, type Wish, look, pay, place, reaches, unallocatedOf } from '../customers/customer.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let chains: Chains;
before(async () => {
  system = await startSystem();
  chains = await openChains(system);
});
after(() => system?.stop());

const WISHES: readonly Wish[] = [
  { from: 'USDT_TRC20', to: 'TRX', amount: '300' },
  { from: 'TRX', to: 'USDT_TRC20', amount: '1000' },
  { from: 'BTC', to: 'USDT_TRC20', amount: '0.004' },
  { from: 'USDT_TRC20', to: 'BTC', amount: '300' },
];

const done: Exchange[] = [];

test('orders into and out of TRON complete, and the chain has their amounts to the last sun', async () => {
  const client = system.client();
  const placed = await Promise.all(WISHES.map((wish) => place(client, wish)));
  for (const exchange of placed) {
    await pay(client, exchange.order);
    const { transfers } = await look(client, exchange.order);
    assert.ok(transfers.every(({ kind }) => kind === 'payment'));
  }
  for (const exchange of placed) {
    const { get, transfers } = await reaches(client, exchange.order, 'done', 120_000);
    assert.equal(await chains.holds(get?.currency ?? '', exchange.receive), partsOf(get?.currency ?? '', get?.amount ?? ''));
    const paid = transfers.find(({ kind }) => kind === 'payment');
    const { currency } = exchange.order.pay as { currency: string };
    if (currency !== 'BTC') assert.ok((paid?.confirmations ?? 0) >= 20, 'credited when solid, not before');
    done.push(exchange);
  }
});

test('TRX paid instead of USDT becomes an unallocated payment, and the order still waits for USDT', async () => {
  const client = system.client();
  const exchange = await place(client, { from: 'USDT_TRC20', to: 'TRX', amount: '200' });
  const { address } = exchange.order.pay as { address: string };
  await client.sandboxPay({ currency: 'TRX', to: address, amount: '700' }, { idempotencyKey: address });
  const unallocated = await look(client, await unallocatedOf(client, exchange.order));
  assert.deepEqual(unallocated.give, { amount: '700.00', currency: 'TRX' });
  assert.equal((await look(client, exchange.order)).status, 'waiting');
});

test('a payout to an account that the token blocks fails without a loss', async () => {
  const client = system.client();
  const exchange = await place(client, { from: 'BTC', to: 'USDT_TRC20', amount: '0.003' });
  await chains.trick('tron/block', { account: exchange.receive });
  await pay(client, exchange.order);
  const { choices } = await reaches(client, exchange.order, 'choose', 120_000);
  assert.ok(choices.some(({ choice }) => choice === 'new_account'));
  assert.equal(await chains.holds('USDT_TRC20', exchange.receive), 0n);
});

test('the books are proven, and have each payment as its chain shows it', async () => {
  await creditedAsArrived(system, chains, done);
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
