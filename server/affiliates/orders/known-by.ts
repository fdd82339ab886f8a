// What the customer of an order and those who would earn of it are both known by: nobody is paid for orders of their own.

import { holdersById } from '../../auth/index.ts';
import type { OrderPublished } from '../../exchange/index.ts';
import { type Tx, canonicalEmail } from '../../platform/index.ts';
import { sharedKeys } from '../../referrals/index.ts';
import { haveWithdrawnTo } from '../../wallets/index.ts';

/** An order, and who would earn of it. */
export interface Earning {
  readonly body: OrderPublished;
  readonly affiliate: string;
  /** Who sent the affiliate. */
  readonly second: string | undefined;
}

/** The kinds of what is shared: undefined for nothing. */
export interface Shared {
  /** By the customer and the affiliate, or by both affiliates: no reward of the order is earned without people. */
  readonly shared: string | undefined;
  /** By the customer and who sent the affiliate: only the second level's reward waits for people. */
  readonly secondShared: string | undefined;
}

/** What a customer is known by, shown or typed. */
export const keysOf = ({ customer: { shown, typed } }: OrderPublished): string[] => [...shown, ...typed];

/** Returns what is shared of orders as it stands now, in the order of what is asked. */
export async function sharedOf(tx: Tx, asked: readonly Earning[]): Promise<Shared[]> {
  if (asked.length === 0) return [];
  const [byFirst, bySecond, levels] = await Promise.all([
    knownAs(
      tx,
      asked.map(({ body, affiliate }) => ({ body, holderId: affiliate })),
    ),
    knownAs(
      tx,
      asked.map(({ body, second }) => ({ body, holderId: second })),
    ),
    sharedKeys(
      tx,
      asked.map(({ affiliate, second }) => ({ affiliate, second, keys: [] })),
    ),
  ]);
  return asked.map((_, at) => ({ shared: byFirst[at] ?? levels[at], secondShared: bySecond[at] }));
}

interface Pair {
  readonly body: OrderPublished;
  readonly holderId: string | undefined;
}

/**
 * Returns by what customers are known as account holders, in the order of what is asked: their account, its address, a key, or an
 * account that the holder has withdrawn to. Undefined for nothing, and where there is no holder.
 */
async function knownAs(tx: Tx, asked: readonly Pair[]): Promise<(string | undefined)[]> {
  const pairs = asked.flatMap(({ body, holderId }) => (holderId === undefined ? [] : [{ body, holderId, keys: keysOf(body) }]));
  const holders = await holdersById(
    tx,
    pairs.map(({ holderId }) => holderId),
  );
  const keys = await sharedKeys(
    tx,
    pairs.map(({ holderId: affiliate, keys: known }) => ({ affiliate, second: undefined, keys: known })),
  );
  const withdrew = await haveWithdrawnTo(
    tx,
    pairs.map((pair) => ({ ...pair, accounts: accountsIn(pair.keys) })),
  );
  const known = new Map(
    pairs.map(({ body, holderId, keys: own }, at) => {
      const email = holders.get(holderId)?.email ?? '';
      const kind =
        body.customer.holder === holderId
          ? 'holder'
          : own.includes(`email:${canonicalEmail(email)}`)
            ? 'email'
            : (keys[at] ?? (withdrew[at] ? 'account' : undefined));
      return [body, kind] as const;
    }),
  );
  return asked.map(({ body, holderId }) => (holderId === undefined ? undefined : known.get(body)));
}

const accountsIn = (keys: readonly string[]): string[] =>
  keys.flatMap((key) => (key.startsWith('account:') ? [key.slice('account:'.length)] : []));
