import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { CallError, type Client } from '@kurs/contract/client';
import { partsOf } from './chains.ts';
import { patiently } from './patience.ts';
import { type System, until } from '../harness/system.ts';

type Placed = Awaited<ReturnType<Client['processOrder']>>;
export type Order = Exclude<Awaited<ReturnType<Client['trackOrder']>>, { link_mailed: true }>;
type Status = Order['status'];

/** Id and secret token by which a customer opens an order. */
export interface Key {
  readonly id: string;
  readonly token: string;
}

/** Exchange that a customer wants. */
export interface Wish {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly email?: string;
  /** Value of the option "Ask me before exchanging at other terms". */
  readonly askMe?: boolean;
  /** Client of the signed-in account holder who orders. Undefined for a visitor. */
  readonly as?: Client;
  /** Referral code of the link that brought the customer. */
  readonly ref?: string;
  /** Coupon code. */
  readonly coupon?: string;
}

/** Order with the addresses of its customer. */
export interface Exchange {
  readonly order: Placed;
  readonly receive: string;
  readonly refund: string;
}

/** Exchanges in both directions, with amounts that are credited after one confirmation of Bitcoin or twelve of Ethereum. */
export const SELL_BTC = { from: 'BTC', to: 'USDT_ERC20', amount: '0.005' } as const satisfies Wish;
export const BUY_BTC = { from: 'USDT_ERC20', to: 'BTC', amount: '400' } as const satisfies Wish;

/** Returns an e-mail address that is used nowhere else. */
export function freshEmail(): string {
  return `journey-${randomUUID()}@example.org`;
}

/** Creates an address of the sandbox's customer. */
export async function freshAddress(client: Client, currency: string): Promise<string> {
  return (await client.sandboxAddress({ currency })).address;
}

/** Does steps 1 and 2 over the API. Returns the key of the calculation and the customer's addresses. */
export async function fill(client: Client, wish: Wish) {
  const { from, to, amount, coupon, email = freshEmail(), ref, as = client } = wish;
  const [receive, refund] = await Promise.all([freshAddress(client, to), freshAddress(client, from)]);
  const draft = await patiently(() => as.step1({ from, to, amount, ref, coupon }));
  const key = { id: draft.id, token: draft.token as string };
  const accounts = { receive: { address: receive }, refund: { address: refund } };
  await patiently(() => as.step2({ ...key, ...accounts, email, terms_accepted: true, ask_me: wish.askMe ?? false }));
  return { key, receive, refund };
}

/** Does steps 1 to 3 over the API, up to the review. */
export async function review(client: Client, wish: Wish) {
  const filled = await fill(client, wish);
  return { ...filled, reviewed: await patiently(() => (wish.as ?? client).step3({ ...filled.key, bot_token: 'sandbox' })) };
}

/** Places an order over the API. */
export async function place(client: Client, wish: Wish): Promise<Exchange> {
  const { key, receive, refund } = await review(client, wish);
  const { as = client } = wish;
  return { order: await patiently(() => as.processOrder(key, { idempotencyKey: key.id })), receive, refund };
}

/** Pays the amount due of an order, or another amount. Returns the transaction's id. */
export async function pay(
  client: Client,
  key: Key,
  more: { amount?: string; fee?: 'low'; replaceable?: true } = {},
): Promise<string> {
  const idempotencyKey = randomUUID();
  const { txid } = await patiently(() => client.sandboxPay({ order_id: key.id, token: key.token, ...more }, { idempotencyKey }));
  return txid;
}

/** Pays to the address of an order, even if the order expects no payment. Returns the transaction's id. */
export async function payTo(client: Client, { order }: Exchange, amount: string): Promise<string> {
  const { address: to, currency } = order.pay as { address: string; currency: string };
  return (await client.sandboxPay({ currency, to, amount }, { idempotencyKey: randomUUID() })).txid;
}

/** Returns the order as its page would show it. Retries like the page if the desk doesn't answer. */
export async function look(client: Client, { id, token }: Key): Promise<Order> {
  return (await patiently(() => client.trackOrder({ id, token }))) as Order;
}

/** Waits until an order satisfies a condition, and returns it. */
export async function awaits(
  client: Client,
  key: Key,
  words: string,
  is: (order: Order) => boolean,
  ms = 60_000,
): Promise<Order> {
  let last: Order | undefined;
  return until(`order ${key.id} ${words}`, ms, async () => {
    last = await look(client, key);
    return is(last) && last;
  }).catch((error: unknown) => {
    const events = last?.timeline.map(({ event, status }) => `${event}: ${status}`).join(', ');
    throw new Error(`${String(error)}; it is ${last?.status} (${last?.reason ?? '–'}): ${events}`, { cause: error });
  });
}

/** Waits until an order has one of these statuses, and returns it. */
export function reaches(client: Client, key: Key, statuses: Status | readonly Status[], ms?: number): Promise<Order> {
  return awaits(client, key, `to become ${String(statuses)}`, ({ status }) => [statuses].flat().includes(status), ms);
}

/**
 * Requests a code for an order and reads it from the mail, as the customer would. Returns it with the handle that it belongs to.
 */
export async function mailedCode(client: Client, { id, token }: Key): Promise<{ otp: string; handle: string }> {
  const { email } = await look(client, { id, token });
  let handle = '';
  const otp = await codeFrom(client, email, async () => {
    ({ handle } = await client.orderGetOtp({ id, token }));
  });
  return { otp, handle };
}

/** Requests a code by `request`, and reads it from the mail to an address. */
export async function codeFrom(client: Client, email: string, request: () => Promise<void>): Promise<string> {
  const before = (await client.sandboxMail({ to: email })).length;
  await request();
  return until('the mail with the code', 20_000, async () => {
    const mails = await client.sandboxMail({ to: email });
    return mails
      .slice(0, mails.length - before)
      .map(({ text }) => /^\d{6}$/m.exec(text)?.[0])
      .find(Boolean);
  });
}

/**
 * Takes a choice of an order with its newest offer, and with a mailed code if one is required. A journey that runs at the same
 * time may move the clock past the offer's end. Then the next offer is taken, at most three times.
 */
export async function choose(
  client: Client,
  key: Key,
  name: Order['choices'][number]['choice'],
  account?: string | Readonly<Record<string, string>>,
): Promise<Order> {
  for (let tries = 1; ; tries += 1) {
    const found = (await awaits(client, key, `to offer ${name}`, ({ choices }) => choices.some(({ choice }) => choice === name)))
      .choices;
    const { choice, offer, needs_code: needsCode } = found.find((one) => one.choice === name) as Order['choices'][number];
    try {
      return await client.orderChoose({
        id: key.id,
        token: key.token,
        choice,
        ...(offer !== undefined && { offer }),
        ...(needsCode && (await mailedCode(client, key))),
        ...(account !== undefined && { account: typeof account === 'string' ? { address: account } : account }),
      });
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'offer_expired') || tries === 3) throw error;
    }
  }
}

/** Waits for the unallocated payment that a further payment to an order becomes, and returns its key. */
export async function unallocatedOf(client: Client, key: Key): Promise<Key> {
  const { related } = await awaits(client, key, 'to name an unallocated payment', (order) => order.related.length > 0);
  const { id, token } = related[0] as Key;
  return { id, token };
}

/** Returns the text of an order's page, as a browser without JavaScript shows it. */
export async function readPage(system: System, { id, token }: Key, prefix: 'En' | 'Ru' = 'En'): Promise<string> {
  const response = await fetch(`${system.url}/${prefix}/order?${new URLSearchParams({ id, token })}`);
  assert.equal(response.status, 200);
  const body = (await response.text()).replace(/^[\s\S]*<body[^>]*>|<(script|style)[\s\S]*?<\/\1>/g, '');
  const words = body
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'");
  return words.replace(/\s+/g, ' ');
}

const REASONS = JSON.parse(readFileSync(new URL('../../contract/words/en-US.json', import.meta.url), 'utf8')) as {
  reasons: Record<string, string>;
};

/**
 * Asserts that the order's page says what the API offers: the reason for the choice, each choice with its amount, and the
 * deadline. Returns the order.
 */
export async function readsChoices(system: System, key: Key): Promise<Order> {
  const { order, words } = await until(`order ${key.id} to stand still`, 20_000, async () => {
    const seen = await look(system.client(), key);
    const page = await readPage(system, key);
    const { seq } = await look(system.client(), key);
    return seq === seen.seq && { order: seen, words: page };
  });
  assert.ok(order.reason !== undefined && words.includes(REASONS.reasons[order.reason] ?? '?'), `${order.reason}: ${words}`);
  const shown = [...words.matchAll(/(\d[\d,]*(?:\.\d+)?) (BTC|USDT|ETH|BNB)\b/g)].map(
    ([, amount = '', unit = '']) => `${partsOf(unit, amount.replaceAll(',', ''))} ${unit}`,
  );
  for (const { choice, money } of order.choices) {
    const wanted = money && `${partsOf(money.currency, money.amount)} ${money.currency.split('_')[0]}`;
    assert.ok(wanted !== undefined && shown.includes(wanted), `${choice} of ${wanted} is not among ${shown.join(', ')}`);
  }
  if (order.choose_by !== undefined) {
    const [, deadline = ''] = /[Cc]hoose (?:below )?by (\w+ \d+, \d+, \d+:\d+) UTC\./.exec(words) ?? [];
    assert.equal(new Date(`${deadline} UTC`).toISOString(), `${order.choose_by.slice(0, 16)}:00.000Z`);
  }
  return order;
}

/** Returns the amount that a choice offers, in the currency's smallest units. */
export function offered({ choices }: Order, name: Order['choices'][number]['choice']): bigint {
  const money = choices.find(({ choice }) => choice === name)?.money;
  assert.ok(money, `${name} is not offered with an amount`);
  return partsOf(money.currency, money.amount);
}

/** Time between two mined blocks, in ms. */
const BLOCK_MS = 150;

/** Mines blocks on all chains until a promise settles, for chains that make no blocks automatically. */
export async function mining<T>(client: Client, wait: Promise<T>): Promise<T> {
  let over = false;
  const end = wait.finally(() => {
    over = true;
  });
  // The caller gets the failure from `end`. This handler only prevents an unhandled rejection until then.
  end.catch(() => undefined);
  while (!over) {
    await Promise.all([
      client.sandboxMine({ chain: 'bitcoin', blocks: 1 }),
      client.sandboxMine({ chain: 'evm', blocks: 6 }),
      client.sandboxMine({ chain: 'bsc', blocks: 6 }),
    ]);
    await Promise.race([end, pause(BLOCK_MS)]);
  }
  return end;
}

/** True if the network has received a payout or refund of the order that is not final yet. */
export const isSent = ({ transfers }: Order): boolean =>
  transfers.some(({ kind, status }) => kind !== 'payment' && status === 'sent');

/** Returns a condition: true if the order's first payment has this status. */
export const paymentIs =
  (status: Order['transfers'][number]['status']) =>
  ({ transfers }: Order): boolean =>
    transfers.find(({ kind }) => kind === 'payment')?.status === status;

/** Returns the amount that the customer was promised, in the currency's smallest units. */
export const promised = ({ order: { get } }: Exchange): bigint => partsOf(get?.currency ?? '', get?.amount ?? '');
