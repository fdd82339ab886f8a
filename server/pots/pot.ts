import { REWARD_UNIT } from '@kurs/money';
import { type AccountRef, accounts, balances } from '../ledger/index.ts';
import type { Statements, Tx } from '../platform/index.ts';

/** Every pot. */
export const POT_KINDS = ['affiliate', 'late', 'earn'] as const;
export type PotKind = (typeof POT_KINDS)[number];

/** Returns the account of a pot's money. */
export const potAccount = (kind: PotKind): AccountRef<typeof REWARD_UNIT> => accounts.promo(kind, REWARD_UNIT);

/** Locks a pot until the transaction ends, so that decisions by its balance stay right. */
export async function lockPot(tx: Tx, kind: PotKind): Promise<void> {
  await tx.run(`select pg_advisory_xact_lock(hashtext('pot'), hashtext($1))`, [kind], { name: 'pots.lock' });
}

/** Returns the balance of each pot, in minor units of the unit of rewards; undefined for a pot that nobody has ever funded. */
export async function leftInPots(db: Statements): Promise<Record<PotKind, bigint | undefined>> {
  const funded = await db.rows<{ pot: PotKind }>(
    `select kind as pot from unnest($1::text[]) as kind where exists (select from pot_funding where pot = kind)`,
    [POT_KINDS],
  );
  const known = new Set(funded.map(({ pot }) => pot));
  const left = await balances(db, POT_KINDS.map(potAccount));
  const each = POT_KINDS.map((kind, at) => [kind, known.has(kind) ? (left[at] ?? 0n) : undefined] as const);
  return Object.fromEntries(each) as Record<PotKind, bigint | undefined>;
}
