// Exchanges into and out of both EVM chains, and pays on the wrong one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { creditedAsArrived } from '../harness/books.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import { type Exchange, type Wish, look, pay, place, reaches } from '../customers/customer.ts';
import { type System, startSystem, until } from '../harness/system.ts';

let system: System;
let chains: Chains;
before(async () => {
  system = await startSystem();
  chains = await openChains(system);
});
after(() => system?.stop());

const WISHES: readonly Wish[] = [
  { from: 'BTC', to: 'USDT_BEP20', amount: '0.005' },
  { from: 'USDT_BEP20', to: 'BTC', amount: '300' },
  { from: 'USDT_ERC20', to: 'USDT_BEP20', amount: '250' },
  { from: 'USDT_BEP20', to: 'USDT_ERC20', amount: '250' },
  { from: 'ETH', to: 'BTC', amount: '0.1' },
  { from: 'BTC', to: 'ETH', amount: '0.003' },
  { from: 'BNB', to: 'USDT_BEP20', amount: '0.5' },
  { from: 'BTC', to: 'BNB', amount: '0.003' },
];

const done: Exchange[] = [];

for (const wish of WISHES) {
  test(`${wish.from} → ${wish.to}: the chain has the order’s amounts to the last unit`, async () => {
    const client = system.client();
    const exchange = await place(client, wish);
    await pay(client, exchange.order);
    const { get } = await reaches(client, exchange.order, 'done');
    assert.equal(get?.currency, wish.to);
    assert.equal(await chains.holds(wish.to, exchange.receive), partsOf(wish.to, get?.amount ?? ''));
    done.push(exchange);
  });
}

test('USDT paid on the wrong chain is credited to no order: neither to this one nor to one of that chain', async () => {
  const client = system.client();
  const [here, there] = await Promise.all([
    place(client, { from: 'USDT_ERC20', to: 'BTC', amount: '300' }),
    place(client, { from: 'USDT_BEP20', to: 'BTC', amount: '300' }),
  ]);
  const { address } = here.order.pay as { address: string };
  assert.notEqual(address, (there.order.pay as { address: string }).address);
  const { txid } = await client.sandboxPay({ currency: 'USDT_BEP20', to: address, amount: '300' }, { idempotencyKey: address });
  assert.ok(txid);
  await until('the tokens on the wrong chain', 20_000, async () => (await chains.holds('USDT_BEP20', address)) === 300_000_000n);
  // A later payment on the right chain was detected, so the watchers have also seen the wrong one.
  await pay(client, there.order);
  await reaches(client, there.order, 'done');
  const { status, transfers } = await look(client, here.order);
  assert.deepEqual([status, transfers], ['waiting', []]);
  done.push(there);
});

test('the books are proven, and have each payment as its chain shows it', async () => {
  await creditedAsArrived(system, chains, done);
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
