import { randomUUID } from 'node:crypto';
import type { Client } from '@kurs/contract/client';
import { type Accounts, freshAccounts } from './accounts.ts';
import { type Key, type Order, freshEmail, look, pay } from './customer.ts';
import { patiently } from './patience.ts';
import { type Signed, signUp } from './signed.ts';
import { type System, until } from '../harness/system.ts';

export type Direction = Awaited<ReturnType<Client['directions']>>['directions'][number];

/** Order in any direction, with the accounts of its customer. */
export interface AnyOrder extends Key {
  readonly direction: Direction;
  readonly accounts: Accounts;
}

/** Returns the directions that are switched on, once all of them are open. */
export function openDirections(client: Client): Promise<Direction[]> {
  return until('every direction that is on to open', 60_000, async () => {
    const { directions } = await client.directions({});
    const on = directions.filter(({ open, reason }) => open || reason !== 'switched_off');
    return on.length > 0 && on.every(({ open }) => open) && on;
  });
}

/** Places an order over the smallest amount of a direction, whatever its rails, and pays it. */
export async function orderAndPay(system: System, direction: Direction): Promise<AnyOrder> {
  const client = system.client();
  const accounts = await freshAccounts(client, direction);
  const { id, token } = await patiently(() => place(system, direction, accounts));
  await patiently(() => pay(client, { id, token }));
  return { id, token, direction, accounts };
}

async function place(system: System, { slug, from: given }: Direction, { receive, refund }: Accounts): Promise<Key> {
  const { client, email } = await payerOf(system, given);
  const { directions } = await client.directions({});
  // The network's fee changes, and the minimum amount with it, so read the minimum just before ordering.
  const { from, to, min: amount } = directions.find((one) => one.slug === slug) as Direction;
  const draft = await client.step1({ from, to, amount });
  const key = { id: draft.id, token: draft.token as string };
  await client.step2({ ...key, receive, refund, email, terms_accepted: true });
  await client.step3({ ...key, bot_token: 'sandbox' });
  return client.processOrder(key, { idempotencyKey: randomUUID() });
}

/** Returns the customer who pays in a currency: an account holder of the required level, or a visitor if none is required. */
async function payerOf(system: System, currency: string): Promise<Pick<Signed, 'client' | 'email'>> {
  const client = system.client();
  const needed = (await client.currencies({})).find(({ code }) => code === currency)?.payer_level ?? 0;
  return needed === 0 ? { client, email: freshEmail() } : signUp(system, { level: needed as 2 });
}

/** Runs `work` for each item of a list, `max` at once. Returns the failures, each with the item's name. */
export async function together<T>(
  list: readonly T[],
  max: number,
  nameOf: (one: T) => string,
  work: (one: T) => Promise<void>,
): Promise<string[]> {
  const waiting = [...list];
  const failed: string[] = [];
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const name = nameOf(one);
      await work(one).catch((error: unknown) => failed.push(`${name}: ${String(error)} ${JSON.stringify(error)}`));
    }
  };
  await Promise.all(Array.from({ length: max }, worker));
  return failed;
}

/** Returns a decimal without trailing zeros, so that equal amounts have equal texts. */
export const plain = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

/**
 * Returns the error of a finished order if its rail doesn't show exactly the promised amount at the receiver. Undefined if all is
 * right.
 */
export async function faultOf(client: Client, { direction, accounts, ...key }: AnyOrder): Promise<string | undefined> {
  const { id, status, get, voucher } = await look(client, key);
  if (status !== 'done') return undefined;
  if (accounts.receiver === '') return voucher === undefined ? `${id} bought nothing that can be shown` : undefined;
  const { amount } = await client.sandboxBalance({ currency: direction.to, account: accounts.receiver });
  const wanted = plain(get?.amount ?? '');
  return plain(amount) === wanted ? undefined : `${id}: ${amount} ${direction.to} arrived, not ${wanted}`;
}

/** True if an order waits only because its payment can still be reversed (PayPal). */
export const isClearing = ({ status, reason }: Order): boolean => status === 'checking' && reason === 'clearing';
