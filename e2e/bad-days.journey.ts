import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chains, openChains, partsOf } from './chains.ts';
import { SELL_BTC, awaits, choose, look, pay, payTo, place, reaches } from './customer.ts';
import { type System, startSystem } from './system.ts';

let system: System;
let chains: Chains;
before(async () => {
  system = await startSystem();
  chains = await openChains(system);
});
after(() => system?.stop());

test('too little: the customer is asked, takes a refund, and it arrives on the chain', async () => {
  const client = system.client();
  const { order, refund } = await place(client, { ...SELL_BTC, askMe: true });
  await pay(client, order, { amount: '0.0021' });
  const asked = await awaits(client, order, 'to ask', ({ choices }) => choices.some(({ choice }) => choice === 'refund'));
  const offered = asked.choices.find(({ choice }) => choice === 'refund')?.money?.amount as string;
  await choose(client, order, 'refund');
  await reaches(client, order, 'refunded');
  assert.equal(await chains.holds('BTC', refund), partsOf('BTC', offered), 'what was offered, to the last unit');
});

test('a payment after the cancel is late: the current rate or a refund', async () => {
  const client = system.client();
  const exchange = await place(client, { ...SELL_BTC, askMe: true });
  await client.expire({ id: exchange.order.id, token: exchange.order.token });
  assert.equal((await look(client, exchange.order)).status, 'cancelled');
  await payTo(client, exchange, '0.005');
  const asked = await awaits(client, exchange.order, 'to ask', ({ choices }) =>
    choices.some(({ choice }) => choice === 'continue'),
  );
  assert.equal(asked.late, true);
  await choose(client, exchange.order, 'continue');
  const done = await reaches(client, exchange.order, 'done');
  assert.equal(await chains.holds('USDT_ERC20', exchange.receive), partsOf('USDT_ERC20', done.get?.amount as string));
});

test('a second payment of a finished order is a stray with a page and a refund of its own', async () => {
  const client = system.client();
  const exchange = await place(client, SELL_BTC);
  await pay(client, exchange.order);
  await reaches(client, exchange.order, 'done');
  await payTo(client, exchange, '0.003');
  const { strays } = await awaits(client, exchange.order, 'to name the stray', (order) => order.strays.length === 1);
  const stray = strays[0] as (typeof strays)[0];
  await choose(client, stray, 'refund');
  await reaches(client, stray, 'refunded');
  assert.ok((await chains.holds('BTC', exchange.refund)) > 0n);
  assert.equal((await look(client, exchange.order)).status, 'done');
});

for (const depth of [1, 3, 6]) {
  test(`a reorg of depth ${depth} before the payout is final changes nothing in the end`, async () => {
    const client = system.client();
    const { order, receive } = await place(client, SELL_BTC);
    await pay(client, order);
    await awaits(client, order, 'to be seen', ({ status }) => status !== 'waiting');
    await client.sandboxReorg({ chain: 'bitcoin', depth });
    await reaches(client, order, 'done', 90_000);
    assert.equal(await chains.holds('USDT_ERC20', receive), partsOf('USDT_ERC20', order.get?.amount as string));
  });
}

test('the books are right after all of it', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
