// Tests problems of the chains: low fees, replaced payments, payments that disappear, and transactions that revert. The chains
// make blocks only when a test requests them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { creditedAsArrived } from '../harness/books.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
import {
  type Exchange,
  SELL_BTC,
  choose,
  freshAddress,
  look,
  offered,
  pay,
  promised,
  reaches,
  readsChoices,
  isSent,
  mining,
  paymentIs,
} from '../customers/customer.ts';
import { deskOf } from '../harness/desk.ts';
import { minedDays } from '../customers/mined-days.ts';
import { type System, startSystem, until, isReady } from '../harness/system.ts';

let system: System;
let chains: Chains;
before(async () => {
  system = await startSystem({ env: { SANDBOX_BLOCK_MS: '0' } });
  chains = await openChains(system);
});
after(() => system?.stop());

const { exchanges, placed, mine, waitFor, paidOut } = minedDays(() => ({ client: system.client(), chains }));

const isTx =
  (id: unknown) =>
  ({ txid }: { readonly txid?: string | undefined }): boolean =>
    txid === id;

describe('unconfirmed payments', () => {
  let low: Exchange;
  let replaced: Exchange;
  let taken: Exchange;
  let second: unknown;

  test('payments with a low or replaceable fee are only seen, and late immediately', async () => {
    const client = system.client();
    const wishes = [{ ...SELL_BTC, askMe: true }, { ...SELL_BTC, askMe: true }, SELL_BTC];
    [low, replaced, taken] = (await Promise.all(wishes.map(placed))) as [Exchange, Exchange, Exchange];
    const [, first, third] = await Promise.all([
      pay(client, low.order, { fee: 'low' }),
      pay(client, replaced.order, { replaceable: true }),
      pay(client, taken.order),
    ]);
    for (const { order } of [low, replaced]) {
      const seen = await waitFor(order, 'to be seen, late', ({ status, late }) => status === 'seen' && late);
      assert.ok(paymentIs('seen')(seen));
      assert.deepEqual(seen.choices, [], 'nothing can be chosen about what is not here');
      assert.equal(seen.reason, 'low_fee');
    }
    assert.equal((await waitFor(taken.order, 'to be seen', ({ status }) => status === 'seen')).late, false);
    second = (await chains.trick('bitcoin/replace', { txid: first }))['txid'];
    await waitFor(replaced.order, 'to show the one that replaces it', ({ transfers }) => transfers.some(isTx(second)));
    // The block of the double spend contains no other transaction.
    await chains.trick('bitcoin/double-spend', { txid: third });
    await waitFor(taken.order, 'to wait for a payment again', ({ status }) => status === 'waiting');
    for (const { order } of [low, replaced]) assert.equal((await look(client, order)).status, 'seen');
    const { transfers } = await look(client, replaced.order);
    assert.deepEqual(
      [first, second].map((txid) => transfers.find(isTx(txid))?.status),
      ['seen', 'seen'],
      'until a block has the other, nothing proves that the first is gone',
    );
  });

  describe('after a block', { concurrency: 3 }, () => {
    test('a payment with a low fee counts, and is refunded', async () => {
      await mining(system.client(), reaches(system.client(), low.order, 'choose'));
      const sum = offered(await readsChoices(system, low.order), 'refund');
      await choose(system.client(), low.order, 'refund');
      await mining(system.client(), reaches(system.client(), low.order, 'refunded'));
      assert.equal(await chains.holds('BTC', low.refund), sum);
    });

    test('a replacement counts, once', async () => {
      const client = system.client();
      const { order, receive } = replaced;
      const { transfers, arrived } = await mining(
        system.client(),
        waitFor(order, 'to ask', ({ choices }) => choices.some(({ choice }) => choice === 'continue')),
      );
      assert.deepEqual(
        transfers.map(({ txid, status }) => [txid, status]),
        [[second, 'final']],
      );
      assert.equal(partsOf('BTC', arrived?.amount ?? ''), partsOf('BTC', transfers[0]?.money.amount ?? ''));
      const sum = offered(await readsChoices(system, order), 'continue');
      await choose(client, order, 'continue');
      assert.equal(await paidOut(order, receive), sum);
    });

    test('a customer whose payment was double-spent pays again, at the locked rate', async () => {
      await pay(system.client(), taken.order);
      assert.equal(await paidOut(taken.order, taken.receive), promised(taken));
    });
  });
});

describe('a payment that a reorg removes for good', () => {
  /** Pays, and returns the payment's id once it is in a block. */
  async function paid({ order }: Exchange): Promise<string> {
    const txid = await pay(system.client(), order);
    await mine('bitcoin', 1);
    return txid;
  }

  test('before the payout: nothing is sent', async () => {
    const desk = await deskOf(system, 'olga');
    const exchange = await placed(SELL_BTC);
    await desk.operatorPayouts({ on: false, reason: 'journey' });
    const txid = await paid(exchange);
    await reaches(system.client(), exchange.order, 'paying');
    await chains.trick('bitcoin/reorg-conflict', { txid, depth: 1 });
    await reaches(system.client(), exchange.order, 'rejected');
    await desk.operatorPayouts({ on: true, reason: 'journey' });
    await (await deskOf(system, 'oleg')).operatorPayouts({ on: true, reason: 'journey' });
    await until('the directions to open', 20_000, async () => (await system.client().directions({})).directions.every(isReady));
    // The next order is paid out, so this one would have been too.
    const next = await placed(SELL_BTC);
    await paid(next);
    await paidOut(next.order, next.receive);
    assert.equal(await chains.holds('USDT_ERC20', exchange.receive), 0n);
  });

  test('after the payout: the customer owes it, and the books show it', async () => {
    const exchange = await placed(SELL_BTC);
    const txid = await paid(exchange);
    await waitFor(exchange.order, 'to be on its way', isSent);
    await mine('evm', 12);
    await reaches(system.client(), exchange.order, 'done');
    await chains.trick('bitcoin/reorg-conflict', { txid, depth: 1 });
    const { transfers } = await reaches(system.client(), exchange.order, 'rejected');
    assert.equal(transfers[0]?.status, 'reversed');
  });
});

test('a reverted payout leads to a choice only beyond every reorg, and is then paid to another account', async () => {
  const client = system.client();
  const { order, receive } = await placed({ ...SELL_BTC, amount: '0.002' });
  await pay(client, order);
  await mine('bitcoin', 1);
  const sent = await waitFor(order, 'to be on its way', isSent);
  // The token blocks the account in the same block that contains the payout.
  await chains.trick('evm/block', { account: receive });
  await mine('evm', 20);
  assert.equal((await look(client, order)).status, 'paying', 'in another block it could succeed');
  await mine('evm', 60);
  await waitFor(order, 'to be refused', ({ reason }) => reason === 'account_refused');
  assert.equal(offered(await readsChoices(system, order), 'new_account'), partsOf('USDT_ERC20', sent.get?.amount ?? ''));
  const account = await freshAddress(client, 'USDT_ERC20');
  await choose(client, order, 'new_account', account);
  await paidOut(order, account);
  assert.equal(await chains.holds('USDT_ERC20', receive), 0n);
});

test('payments that arrived on the chains were credited once', () => creditedAsArrived(system, chains, exchanges));

test('the books are right after all of it', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
