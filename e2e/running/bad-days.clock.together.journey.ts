// Tests problems of a customer's payment: too little, too much, twice, too late, after the end of the order, and payouts to
// accounts that can't receive.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { creditedAsArrived } from '../harness/books.ts';
import { type Chains, openChains, partsOf } from '../customers/chains.ts';
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
  payTo,
  place,
  promised,
  reaches,
  readPage,
  readsChoices,
  unallocatedOf,
} from '../customers/customer.ts';
import { inFullRun } from '../../tools/runner/full-run.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

let system: System;
let chains: Chains;
before(async () => {
  ({ system } = await sharedStage());
  chains = await openChains(system);
});

const exchanges: Exchange[] = [];
async function placed(wish: Wish): Promise<Exchange> {
  const exchange = await place(system.client(), wish);
  exchanges.push(exchange);
  return exchange;
}
const requested = (key: Key) => awaits(system.client(), key, 'to ask', ({ choices }) => choices.length > 1);

/** Waits until an order is done, and asserts that the customer's account holds the order's amount. Returns the amount. */
async function paidOut(key: Key, receive: string): Promise<bigint> {
  const { get } = await reaches(system.client(), key, 'done');
  const held = await chains.holds(get?.currency ?? '', receive);
  assert.equal(held, partsOf(get?.currency ?? '', get?.amount ?? ''));
  return held;
}

/** Time in seconds until the address of a recently ended order is queried again. */
const NEXT_LOOK = 121;
/** Longest wait for a query that is due, in ms. */
const LOOKED_MS = 15_000;

/**
 * Pays again to the address of an order, and waits until the payment appears. A query that runs during the payment may end after
 * the clock was moved and postpone the next query, so the clock is moved repeatedly.
 */
async function paysAgain(exchange: Exchange, amount: string, shows: (order: Order) => boolean): Promise<void> {
  const client = system.client();
  const isShown = async (): Promise<boolean> => shows(await look(client, exchange.order));
  await payTo(client, exchange, amount);
  await until(
    `${exchange.order.id} to show a payment that came later`,
    60_000,
    async () => {
      await client.sandboxClock({ skip: NEXT_LOOK });
      return until('a look that is due', LOOKED_MS, isShown).catch(() => false);
    },
    0,
  );
}

/** Pays again to the address of an order that accepts no more, and returns the resulting unallocated payment. */
async function paysUnallocated(exchange: Exchange, amount: string): Promise<Key> {
  await paysAgain(exchange, amount, ({ related }) => related.length > 0);
  return unallocatedOf(system.client(), exchange.order);
}

/** Takes the offered refund, and asserts that exactly its amount arrives. */
async function takesRefund(key: Key, account: string): Promise<void> {
  const client = system.client();
  const { give } = await look(client, key);
  const before = await chains.holds(give.currency, account);
  const sum = offered(await readsChoices(system, key), 'refund');
  await choose(client, key, 'refund');
  await reaches(client, key, 'refunded');
  assert.equal((await chains.holds(give.currency, account)) - before, sum);
}

/** Cent of a dollar in the token's smallest units. */
const CENT = 10_000n;

describe('payments of other amounts', { concurrency: 6 }, () => {
  test('an underpayment is refunded; a later payment is unallocated and refunded separately', async () => {
    const exchange = await placed({ ...SELL_BTC, askMe: true });
    await pay(system.client(), exchange.order, { amount: '0.0021' });
    await requested(exchange.order);
    await takesRefund(exchange.order, exchange.refund);
    const unallocated = await paysUnallocated(exchange, '0.004');
    await requested(unallocated);
    await takesRefund(unallocated, exchange.refund);
    assert.equal((await look(system.client(), exchange.order)).status, 'refunded');
  });

  test('a payment after the cancellation is late, and offered the current rate or a refund', async () => {
    const client = system.client();
    const exchange = await placed({ ...SELL_BTC, askMe: true });
    await client.expire({ id: exchange.order.id, token: exchange.order.token });
    assert.equal((await look(client, exchange.order)).status, 'cancelled');
    await payTo(client, exchange, '0.005');
    assert.equal((await requested(exchange.order)).late, true);
    const sum = offered(await readsChoices(system, exchange.order), 'continue');
    await choose(client, exchange.order, 'continue');
    assert.equal(await paidOut(exchange.order, exchange.receive), sum);
  });

  inFullRun('a second payment of a finished order is an unallocated payment with a page and a refund of its own', async () => {
    const client = system.client();
    const exchange = await placed(SELL_BTC);
    await pay(client, exchange.order);
    await paidOut(exchange.order, exchange.receive);
    const unallocated = await paysUnallocated(exchange, '0.003');
    assert.match(await readPage(system, exchange.order), new RegExp(unallocated.id), 'the order’s page leads to it');
    await requested(unallocated);
    await takesRefund(unallocated, exchange.refund);
    assert.equal((await look(client, exchange.order)).status, 'done');
  });

  inFullRun('a little more than asked is exchanged with it, at the locked rate', async () => {
    const exchange = await placed(SELL_BTC);
    await pay(system.client(), exchange.order, { amount: '0.00505' });
    const got = await paidOut(exchange.order, exchange.receive);
    const more = (promised(exchange) * 101n) / 100n;
    // Payouts are rounded down to cents, and the network's fee doesn't grow with the amount.
    assert.ok(got > more - CENT && got < more + 2n * CENT, `${got} for ${more}`);
    assert.deepEqual((await look(system.client(), exchange.order)).related, []);
  });

  test('of a large overpayment 2 % are exchanged with the order, and the rest becomes another order', async () => {
    const client = system.client();
    const exchange = await placed(SELL_BTC);
    await pay(client, exchange.order, { amount: '0.0081' });
    const first = await paidOut(exchange.order, exchange.receive);
    assert.ok(first > promised(exchange));
    const unallocated = await unallocatedOf(client, exchange.order);
    const { arrived } = await requested(unallocated);
    assert.equal(partsOf('BTC', arrived?.amount ?? ''), partsOf('BTC', '0.003'));
    const sum = offered(await readsChoices(system, unallocated), 'new_order');
    await choose(client, unallocated, 'new_order');
    assert.equal((await look(client, unallocated)).status, 'done', 'it has become another order');
    const received = async (): Promise<boolean> => (await chains.holds('USDT_ERC20', exchange.receive)) === first + sum;
    await until('the other order to be paid', 60_000, received);
  });

  inFullRun('two payments of an open order add up', async () => {
    const client = system.client();
    const exchange = await placed(SELL_BTC);
    await pay(client, exchange.order, { amount: '0.003' });
    const { due } = await awaits(client, exchange.order, 'to ask for the rest', ({ due: rest }) => rest !== undefined);
    assert.equal(partsOf('BTC', due?.amount ?? ''), partsOf('BTC', '0.002'));
    await paysAgain(exchange, due?.amount ?? '', ({ due: rest }) => rest === undefined);
    assert.equal(await paidOut(exchange.order, exchange.receive), promised(exchange));
  });
});

/** Rise of bitcoin's price in millionths: more than the widened spread, and less than closes a direction. */
const RISE = 8_000;

describe('after the rate’s lock', { concurrency: 5 }, () => {
  let short: Exchange;
  let tooShort: Exchange;
  let seller: Exchange;
  let buyer: Exchange;

  before(async () => {
    const client = system.client();
    [short, tooShort, seller, buyer] = (await Promise.all([
      placed(SELL_BTC),
      placed(SELL_BTC),
      placed(SELL_BTC),
      placed(BUY_BTC),
    ])) as [Exchange, Exchange, Exchange, Exchange];
    await Promise.all([pay(client, short.order, { amount: '0.0042' }), pay(client, tooShort.order, { amount: '0.003' })]);
    await Promise.all([reaches(client, short.order, 'choose'), reaches(client, tooShort.order, 'choose')]);
    await chains.trick('rates/move', { asset: 'BTC', millionths: RISE });
    await client.sandboxClock({ skip: 15 * 60 + 10 });
    await Promise.all([reaches(client, seller.order, 'expired'), reaches(client, buyer.order, 'expired')]);
    // On a busy machine the desk receives the new rates some seconds later.
    await until('the rise to be in our prices', 30_000, async () => {
      const { get } = await client.calculate({ from: SELL_BTC.from, to: SELL_BTC.to, amount: SELL_BTC.amount, side: 'give' });
      return partsOf(SELL_BTC.to, get.amount) > promised(seller);
    });
    await Promise.all([payTo(client, seller, '0.005'), payTo(client, buyer, '400')]);
  });

  test('80 % and more of the amount is exchanged automatically, at the locked rate', async () => {
    const got = await paidOut(short.order, short.receive);
    const part = (promised(short) * 42n) / 50n;
    assert.ok(got <= part && got > part - 50n * CENT, `${got} for ${part}`);
  });

  test('less is offered to the customer at the lower of the locked and the current rate', async () => {
    await awaits(system.client(), tooShort.order, 'to be late', ({ late }) => late);
    await requested(tooShort.order);
    const sum = offered(await readsChoices(system, tooShort.order), 'continue');
    assert.ok(sum <= (promised(tooShort) * 3n) / 5n, 'what has risen since is not theirs');
    await choose(system.client(), tooShort.order, 'continue');
    assert.equal(await paidOut(tooShort.order, tooShort.receive), sum);
  });

  test('a late payment at a better rate is exchanged automatically', async () => {
    const got = await paidOut(seller.order, seller.receive);
    assert.ok(got > promised(seller) && got * 100n <= promised(seller) * 102n, `${got} for ${promised(seller)}`);
    assert.equal((await look(system.client(), seller.order)).late, true);
  });

  test('a late payment at a worse rate leads to a choice with the current rate, a refund and a deadline', async () => {
    await requested(buyer.order);
    const order = await readsChoices(system, buyer.order);
    assert.equal(order.reason, 'late');
    assert.ok(offered(order, 'refund') > 0n);
    const sum = offered(order, 'continue');
    assert.ok(sum < promised(buyer), `${sum} for ${promised(buyer)}`);
    await choose(system.client(), buyer.order, 'continue');
    assert.equal(await paidOut(buyer.order, buyer.receive), sum);
  });
});

/** Order below the amount from which a changed account has to wait. */
const SMALL = { ...SELL_BTC, amount: '0.002' } as const;

describe('accounts that can’t be paid, and customers who don’t answer', { concurrency: 4 }, () => {
  let silent: Exchange;
  let owed: Exchange;
  let waiting: Exchange;

  /** Creates an order whose account the token has blocked, so that the payout fails and the money returns to the order. */
  async function refused(wish: Wish): Promise<Exchange> {
    const exchange = await placed(wish);
    await chains.trick('evm/block', { account: exchange.receive });
    await pay(system.client(), exchange.order);
    await awaits(system.client(), exchange.order, 'to be refused', ({ reason }) => reason === 'account_refused');
    return exchange;
  }

  before(async () => {
    const client = system.client();
    const exchanges = [placed({ ...SELL_BTC, askMe: true }), refused(SMALL), refused(SELL_BTC)] as const;
    [silent, owed, waiting] = await Promise.all(exchanges);
    await client.expire({ id: silent.order.id, token: silent.order.token });
    await payTo(client, silent, '0.005');
    await requested(silent.order);
    const account = await freshAddress(client, 'USDT_ERC20');
    await readsChoices(system, waiting.order);
    const { status } = await choose(client, waiting.order, 'new_account', account);
    assert.equal(status, 'choose', 'above 300 USD a changed account waits a day');
    waiting = { ...waiting, receive: account };
    await client.sandboxClock({ skip: 72 * 3_600 + 60 });
  });

  test('a payout goes to another account after a day', async () => {
    assert.equal(await paidOut(waiting.order, waiting.receive), promised(waiting));
  });

  inFullRun('another account of a small order is paid at once', async () => {
    const { order } = await refused(SMALL);
    await readsChoices(system, order);
    const account = await freshAddress(system.client(), 'USDT_ERC20');
    await choose(system.client(), order, 'new_account', account);
    await paidOut(order, account);
  });

  test('an unwanted payout is exchanged back at the current rate, for at most the sent amount', async () => {
    const { order, refund } = await refused(SMALL);
    await awaits(system.client(), order, 'to offer it', ({ choices }) => choices.length === 2);
    const sum = offered(await readsChoices(system, order), 'take_back');
    assert.ok(sum <= partsOf('BTC', SMALL.amount));
    await choose(system.client(), order, 'take_back');
    const { transfers } = await reaches(system.client(), order, 'refunded');
    const sent = partsOf('BTC', transfers.find(({ kind }) => kind === 'refund')?.money.amount ?? '');
    assert.ok(sent <= sum && sent > 0n);
    assert.equal(await chains.holds('BTC', refund), sent);
  });

  test('a late payment without an answer is refunded automatically after three days', async () => {
    const { transfers } = await reaches(system.client(), silent.order, 'refunded');
    const sent = transfers.find(({ kind }) => kind === 'refund')?.money.amount ?? '';
    assert.equal(await chains.holds('BTC', silent.refund), partsOf('BTC', sent));
  });

  test('a refused payout without an answer is unclaimed after three days, owed without end, and claimed', async () => {
    const client = system.client();
    const unclaimed = await awaits(client, owed.order, 'to be unclaimed', ({ reason }) => reason === 'unclaimed');
    assert.equal(unclaimed.choose_by, undefined);
    assert.equal(offered(await readsChoices(system, owed.order), 'claim_get'), promised(owed));
    const account = await freshAddress(client, 'USDT_ERC20');
    await choose(client, owed.order, 'claim_get', account);
    assert.equal(await paidOut(owed.order, account), promised(owed));
  });
});

test('payments that arrived on the chains were credited once', () => creditedAsArrived(system, chains, exchanges));

test('the books are right after all of it', async () => {
  const { code, output } = await system.tool('verify.ts');
  assert.equal(code, 0, output);
});
