// Tests reorgs before and after the credit. The chains make blocks only when a test requests them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { creditedAsArrived } from '../harness/books.ts';
import { type Chains, openChains } from '../customers/chains.ts';
import { signUp } from '../customers/signed.ts';
import {
  BUY_BTC,
  type Exchange,
  type Order,
  SELL_BTC,
  look,
  pay,
  promised,
  reaches,
  isSent,
  mining,
  paymentIs,
} from '../customers/customer.ts';
import { minedDays } from '../customers/mined-days.ts';
import { type System, startSystem, until } from '../harness/system.ts';

let system: System;
let chains: Chains;
before(async () => {
  system = await startSystem({ env: { SANDBOX_BLOCK_MS: '0' } });
  chains = await openChains(system);
});
after(() => system?.stop());

const { exchanges, placed, mine, waitFor, paidOut } = minedDays(() => ({ client: system.client(), chains }));

/** Returns the transaction's id of the order's payout. */
const ours = ({ transfers }: Order): string | undefined => transfers.find(({ kind }) => kind === 'payout')?.txid;

/** Depths of reorgs that the desk must handle, before and after the credit. */
const DEPTHS = [1, 2, 3, 4, 5, 6];

describe('reorgs of bitcoin', () => {
  let pairs: { early: Exchange; credited: Exchange }[];

  before(async () => {
    // `early` requires three confirmations, and `credited` one.
    const both = DEPTHS.map(async () => {
      const { client: as } = await signUp(system);
      const [early, credited] = await Promise.all([placed({ ...SELL_BTC, amount: '0.015', as }), placed(SELL_BTC)]);
      return { early, credited };
    });
    pairs = await Promise.all(both);
  });

  for (const [at, depth] of DEPTHS.entries()) {
    test(`of depth ${depth}: nothing is paid for a removed payment, and the order continues when it returns`, async () => {
      const client = system.client();
      const { early, credited } = pairs[at] as (typeof pairs)[number];
      const min = Math.min(depth, 2);
      await pay(client, credited.order);
      if (depth > min) await mine('bitcoin', depth - min);
      await pay(client, early.order);
      await mine('bitcoin', min);
      await Promise.all([
        waitFor(credited.order, 'to be on its way', isSent),
        waitFor(early.order, 'to be confirmed', ({ transfers }) => transfers[0]?.confirmations === min),
      ]);
      await client.sandboxReorg({ chain: 'bitcoin', depth });
      await Promise.all([
        waitFor(
          early.order,
          'to be only seen again',
          ({ status, transfers }) => status === 'seen' && transfers[0]?.confirmations === 0,
        ),
        waitFor(credited.order, 'to have lost its money', paymentIs('reversed')),
      ]);
      assert.equal(await chains.holds('USDT_ERC20', early.receive), 0n);
      // Mine it in a block that no later reorg of this test reaches.
      await mine('bitcoin', 1);
    });
  }

  test('all orders are paid, once', async () => {
    await mining(
      system.client(),
      Promise.all(
        pairs.flatMap(({ early, credited }) =>
          [early, credited].map(async ({ order, receive }) => {
            const { transfers, related } = await reaches(system.client(), order, 'done');
            assert.deepEqual([transfers[0]?.status, related], ['final', []]);
            assert.equal(await chains.holds('USDT_ERC20', receive), promised({ order, receive, refund: '' }));
          }),
        ),
      ),
    );
  });
});
test('payouts that a reorg removes on both chains are sent again with the same bytes, and paid once', async () => {
  const client = system.client();
  const [sale, purchase] = await Promise.all([placed(SELL_BTC), placed(BUY_BTC)]);
  await Promise.all([pay(client, sale.order), pay(client, purchase.order)]);
  await Promise.all([mine('bitcoin', 1), mine('evm', 11)]);
  const sold = await waitFor(sale.order, 'to be paid', isSent);
  await mine('evm', 1);
  const bought = await waitFor(purchase.order, 'to be paid', isSent);
  await mine('bitcoin', 1);
  assert.equal(await chains.holds('USDT_ERC20', sale.receive), promised(sale));
  assert.equal(await chains.holds('BTC', purchase.receive), promised(purchase));
  // The transactions are removed from the mempools too.
  await client.sandboxReorg({ chain: 'evm', depth: 1, drop: true });
  await client.sandboxReorg({ chain: 'bitcoin', depth: 1, drop: true });
  assert.equal(await chains.holds('USDT_ERC20', sale.receive), 0n);
  assert.equal(await chains.holds('BTC', purchase.receive), 0n);
  for (const [exchange, before] of [[sale, sold] as const, [purchase, bought] as const]) {
    // A small payout is final after one block, so its order may have been done before the reorg. The desk still follows its
    // transaction.
    const isThere = async () => (await chains.holds(before.get?.currency ?? '', exchange.receive)) > 0n;
    await mining(client, until('what was sent to be mined again', 90_000, isThere));
    assert.equal(await paidOut(exchange.order, exchange.receive), promised(exchange));
    assert.equal(ours(await look(client, exchange.order)), ours(before));
  }
});

test('reorgs of Ethereum, before the credit and after it', async () => {
  const client = system.client();
  const { order, receive, refund } = await placed(BUY_BTC);
  await pay(client, order);
  await mine('evm', 6);
  await waitFor(order, 'to be confirmed', ({ transfers }) => transfers[0]?.confirmations === 6);
  await client.sandboxReorg({ chain: 'evm', depth: 6 });
  await mine('evm', 11);
  await waitFor(order, 'to be confirmed anew', ({ transfers }) => transfers[0]?.confirmations === 11);
  await mine('evm', 1);
  await waitFor(order, 'to be on its way', isSent);
  await client.sandboxReorg({ chain: 'evm', depth: 12 });
  await waitFor(order, 'to have lost its money', paymentIs('reversed'));
  await mine('evm', 12);
  await waitFor(order, 'to have its money again', paymentIs('final'));
  assert.equal(await paidOut(order, receive), promised({ order, receive, refund }));
});

test('payments that arrived on the chains were credited once', () => creditedAsArrived(system, chains, exchanges));

test('the books are right after all of it', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
