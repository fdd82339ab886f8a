// Bad days of the chains: low fees, replaced payments, reorgs, sends that revert. Blocks come only when a test says so.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Chains, openChains, partsOf } from './chains.ts';
import {
  BUY_BTC,
  type Exchange,
  type Key,
  type Order,
  SELL_BTC,
  type Wish,
  awaits,
  choose,
  freshAddress,
  look,
  offered,
  pay,
  place,
  reaches,
  readPage,
  readsChoices,
} from './customer.ts';
import { deskOf } from './desk.ts';
import { type System, startSystem, until } from './system.ts';

let system: System;
let chains: Chains;
before(async () => {
  system = await startSystem({ env: { SANDBOX_BLOCK_MS: '0' } });
  chains = await openChains(system);
});
after(() => system?.stop());

type Chain = 'bitcoin' | 'evm';

const placed = (wish: Wish): Promise<Exchange> => place(system.client(), wish);
const mine = (chain: Chain, blocks: number): Promise<unknown> => system.client().sandboxMine({ chain, blocks });
const waitFor = (key: Key, words: string, is: (order: Order) => boolean): Promise<Order> =>
  awaits(system.client(), key, words, is);
const paymentIs =
  (...standings: Order['transfers'][number]['status'][]) =>
  ({ transfers }: Order): boolean =>
    standings.every((standing, at) => transfers.filter(({ kind }) => kind === 'payment')[at]?.status === standing);
const isSent = ({ transfers }: Order): boolean => transfers.some(({ kind, status }) => kind !== 'payment' && status === 'sent');

/** The transaction of our payout. */
const ours = ({ transfers }: Order): string | undefined => transfers.find(({ kind }) => kind === 'payout')?.txid;

/** Between two blocks of a chain that is waited for. */
const BLOCK_MS = 150;

/** Waits for something while both chains grow. */
async function mining<T>(wait: Promise<T>): Promise<T> {
  let over = false;
  const end = wait.finally(() => {
    over = true;
  });
  // Whoever asks gets the failure; this only keeps it from being unheard of meanwhile.
  end.catch(() => undefined);
  while (!over) {
    await Promise.all([mine('bitcoin', 1), mine('evm', 6)]);
    await Promise.race([end, pause(BLOCK_MS)]);
  }
  return end;
}

/** Waits until an order is done; its customer has on the chain what the order says, once. */
async function paidOut({ id, token }: Key, receive: string): Promise<bigint> {
  const { get } = await mining(reaches(system.client(), { id, token }, 'done'));
  const sum = partsOf(get?.currency ?? '', get?.amount ?? '');
  assert.equal(await chains.holds(get?.currency ?? '', receive), sum);
  return sum;
}

/** Seconds after which a payment out of sight counts as gone, one that was credited or only seen; and new rates are due. */
const GONE = { credited: 15, seen: 61 };

/** Lets that time pass until an order shows it. The first look at what is missing only begins it. */
function untilMissed(key: Key, skip: number, is: (order: Order) => boolean): Promise<Order> {
  return until(`order ${key.id} to miss a payment`, 60_000, async () => {
    const order = await look(system.client(), key);
    if (is(order)) return order;
    await system.client().sandboxClock({ skip });
    return false;
  });
}

const promised = ({ order: { get } }: Exchange): bigint => partsOf(get?.currency ?? '', get?.amount ?? '');

describe('payments that are no payments yet', () => {
  let low: Exchange;
  let replaced: Exchange;
  let taken: Exchange;
  let second: unknown;

  test('a low fee or one that can be raised is only seen, and late at once', async () => {
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
      assert.match(await readPage(system, order), /after the rate’s time/);
    }
    assert.equal((await waitFor(taken.order, 'to be seen', ({ status }) => status === 'seen')).late, false);
    second = (await chains.trick('bitcoin/replace', { txid: first }))['txid'];
    await waitFor(replaced.order, 'to show the one that replaces it', ({ transfers }) => transfers[1]?.txid === second);
    // Its block holds nothing else.
    await chains.trick('bitcoin/double-spend', { txid: third });
    await untilMissed(taken.order, GONE.seen, ({ status }) => status === 'waiting');
    await waitFor(replaced.order, 'to drop the first', ({ transfers: [only] }) => only?.txid === second);
    for (const { order } of [low, replaced]) assert.equal((await look(client, order)).status, 'seen');
  });

  describe('once there is a block', { concurrency: 3 }, () => {
    test('the low fee counts: a refund', async () => {
      await mining(reaches(system.client(), low.order, 'choose'));
      const sum = offered(await readsChoices(system, low.order), 'refund');
      await choose(system.client(), low.order, 'refund');
      await mining(reaches(system.client(), low.order, 'refunded'));
      assert.equal(await chains.holds('BTC', low.refund), sum);
    });

    test('what replaced another counts, once', async () => {
      const client = system.client();
      const { order, receive } = replaced;
      const { transfers, arrived } = await mining(
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

    test('whose coin was spent elsewhere pays again, at the locked rate', async () => {
      await pay(system.client(), taken.order);
      assert.equal(await paidOut(taken.order, taken.receive), promised(taken));
    });
  });
});

/** Reorgs of the depths that a desk must outlive: before the credit and after it. */
const DEPTHS = [1, 2, 3, 4, 5, 6];

describe('reorgs of bitcoin', () => {
  let exchanges: { early: Exchange; credited: Exchange }[];

  before(async () => {
    // Early needs three confirmations, credited one.
    const both = DEPTHS.map(async () => {
      const [early, credited] = await Promise.all([placed({ ...SELL_BTC, amount: '0.015', level: 1 }), placed(SELL_BTC)]);
      return { early, credited };
    });
    exchanges = await Promise.all(both);
  });

  for (const [at, depth] of DEPTHS.entries()) {
    test(`of depth ${depth}: nothing is paid for what is not there, and all is right when it is back`, async () => {
      const client = system.client();
      const { early, credited } = exchanges[at] as (typeof exchanges)[number];
      const least = Math.min(depth, 2);
      await pay(client, credited.order);
      if (depth > least) await mine('bitcoin', depth - least);
      await pay(client, early.order);
      await mine('bitcoin', least);
      await Promise.all([
        waitFor(credited.order, 'to be on its way', isSent),
        waitFor(early.order, 'to be confirmed', ({ transfers }) => transfers[0]?.confirmations === least),
      ]);
      await client.sandboxReorg({ chain: 'bitcoin', depth });
      await Promise.all([
        waitFor(
          early.order,
          'to be only seen again',
          ({ status, transfers }) => status === 'seen' && transfers[0]?.confirmations === 0,
        ),
        untilMissed(credited.order, GONE.credited, paymentIs('reversed')),
      ]);
      assert.equal(await chains.holds('USDT_ERC20', early.receive), 0n);
      // In a block that no later reorg here reaches.
      await mine('bitcoin', 1);
    });
  }

  test('all of them are paid, once', async () => {
    await mining(
      Promise.all(
        exchanges.flatMap(({ early, credited }) =>
          [early, credited].map(async ({ order, receive }) => {
            const { transfers, strays } = await reaches(system.client(), order, 'done');
            assert.deepEqual([transfers[0]?.status, strays], ['final', []]);
            assert.equal(await chains.holds('USDT_ERC20', receive), promised({ order, receive, refund: '' }));
          }),
        ),
      ),
    );
  });
});
test('a reorg takes what we sent away on both chains: the same bytes again, paid once', async () => {
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
  // Not even the mempools have them any more.
  await client.sandboxReorg({ chain: 'evm', depth: 1, drop: true });
  await client.sandboxReorg({ chain: 'bitcoin', depth: 1, drop: true });
  assert.equal(await chains.holds('USDT_ERC20', sale.receive), 0n);
  assert.equal(await chains.holds('BTC', purchase.receive), 0n);
  for (const [exchange, before] of [[sale, sold] as const, [purchase, bought] as const]) {
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
  await untilMissed(order, GONE.credited, paymentIs('reversed'));
  await mine('evm', 12);
  await waitFor(order, 'to have its money again', paymentIs('final'));
  assert.equal(await paidOut(order, receive), promised({ order, receive, refund }));
});

describe('a payment that never comes back', () => {
  /** Pays, and gives the payment's id once a block has it. */
  async function paid({ order }: Exchange): Promise<string> {
    const txid = await pay(system.client(), order);
    await mine('bitcoin', 1);
    return txid;
  }

  test('before the payout left: nothing leaves', async () => {
    const desk = await deskOf(system, 'olga');
    const exchange = await placed(SELL_BTC);
    await desk.operatorPayouts({ on: false, reason: 'journey' });
    const txid = await paid(exchange);
    await reaches(system.client(), exchange.order, 'paying');
    await chains.trick('bitcoin/reorg-conflict', { txid, depth: 1 });
    await untilMissed(exchange.order, GONE.credited, ({ status }) => status === 'rejected');
    await desk.operatorPayouts({ on: true, reason: 'journey' });
    await until('the directions to open', 20_000, async () =>
      (await system.client().directions({})).directions.every(({ open }) => open),
    );
    // The next order is paid, so this one would have been.
    const next = await placed(SELL_BTC);
    await paid(next);
    await paidOut(next.order, next.receive);
    assert.equal(await chains.holds('USDT_ERC20', exchange.receive), 0n);
  });

  test('after it: the customer owes it, and the books say so', async () => {
    const exchange = await placed(SELL_BTC);
    const txid = await paid(exchange);
    await waitFor(exchange.order, 'to be on its way', isSent);
    await mine('evm', 12);
    await reaches(system.client(), exchange.order, 'done');
    await chains.trick('bitcoin/reorg-conflict', { txid, depth: 1 });
    const { transfers } = await untilMissed(exchange.order, GONE.credited, ({ status }) => status === 'rejected');
    assert.equal(transfers[0]?.status, 'reversed');
  });
});

test('a payout that reverts: asked about only beyond every reorg, then paid to another account', async () => {
  const client = system.client();
  const { order, receive } = await placed({ ...SELL_BTC, amount: '0.002' });
  await pay(client, order);
  await mine('bitcoin', 1);
  const sent = await waitFor(order, 'to be on its way', isSent);
  // The token blocks the account in the very block that mines the payout.
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

test('the books are right after all of it', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
