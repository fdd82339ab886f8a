// Finds identities that an order's customer shares with those who would earn from it: nobody is paid for their own orders.

import { holdersById } from '../../auth/index.ts';
import type { OrderPublished } from '../../exchange/index.ts';
import { type Tx, canonicalEmail } from '../../platform/index.ts';
import { sharedKeys } from '../../referrals/index.ts';
import { haveWithdrawnTo } from '../../wallets/index.ts';

/** An order, and the affiliates who would earn from it. */
export interface Earning {
  readonly body: OrderPublished;
  readonly affiliate: string;
  /** Affiliate who referred the affiliate. */
  readonly second: string | undefined;
}

/** Kinds of shared identities; undefined if there is none. */
export interface Shared {
  /** Shared by the customer and the affiliate, or by both affiliates: people decide every reward of the order. */
  readonly shared: string | undefined;
  /** Shared by the customer and the second-level affiliate: people decide only the second reward. */
  readonly secondShared: string | undefined;
}

/** Identities of a customer, proven or typed. */
export const keysOf = ({ customer: { shown, typed } }: OrderPublished): string[] => [...shown, ...typed];

/** Returns the shared identities of orders at present, in the order of the input. */
export async function sharedOf(tx: Tx, requests: readonly Earning[]): Promise<Shared[]> {
  if (requests.length === 0) return [];
  const [byFirst, bySecond, levels] = await Promise.all([
    knownAs(
      tx,
      requests.map(({ body, affiliate }) => ({ body, holderId: affiliate })),
    ),
    knownAs(
      tx,
      requests.map(({ body, second }) => ({ body, holderId: second })),
    ),
    sharedKeys(
      tx,
      requests.map(({ affiliate, second }) => ({ affiliate, second, keys: [] })),
    ),
  ]);
  return requests.map((_, at) => ({ shared: byFirst[at] ?? levels[at], secondShared: bySecond[at] }));
}

interface Pair {
  readonly body: OrderPublished;
  readonly holderId: string | undefined;
}

/**
 * Returns how customers are known as account holders, in the order of the input: by their account, its address, an identity, or
 * an account that the holder has withdrawn to. Undefined for no match, and if there is no holder.
 */
async function knownAs(tx: Tx, requests: readonly Pair[]): Promise<(string | undefined)[]> {
  const pairs = requests.flatMap(({ body, holderId }) =>
    holderId === undefined ? [] : [{ body, holderId, keys: keysOf(body) }],
  );
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
  return requests.map(({ body, holderId }) => (holderId === undefined ? undefined : known.get(body)));
}

const accountsIn = (keys: readonly string[]): string[] =>
  keys.flatMap((key) => (key.startsWith('account:') ? [key.slice('account:'.length)] : []));
