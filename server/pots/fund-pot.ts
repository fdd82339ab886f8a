import { REWARD_UNIT } from '@kurs/money';
import { type Journal, accounts, leg } from '../ledger/index.ts';
import type { Tx } from '../platform/index.ts';
import { type PotKind, lockPot, potAccount } from './pot.ts';
import { twoPeopleAbove } from './settings.ts';

/** Free money that is set aside, or taken back. */
export interface Funding {
  /** Id of the operator's action, and of the journal. */
  readonly id: string;
  readonly pot: PotKind;
  /** Amount in the unit of rewards. */
  readonly parts: bigint;
  /** True if the money goes out of the pot, to the desk. */
  readonly isBack: boolean;
}

/**
 * Returns the number of people who must set this amount aside for a pot, by all fundings within 24 hours. Taking money back takes
 * one. Locks the pot's sum until the transaction ends.
 */
export async function peopleForPot(tx: Tx, { pot, parts, isBack }: Omit<Funding, 'id'>): Promise<1 | 2> {
  if (isBack) return 1;
  await lockPot(tx, pot);
  const row = await tx.row<{ parts: string }>(
    `select coalesce(sum(parts), 0) as parts from pot_funding where pot = $1 and parts > 0 and at > $2::timestamptz - interval '24 hours'`,
    [pot, tx.now],
  );
  return BigInt(row?.parts ?? '0') + parts > twoPeopleAbove() ? 2 : 1;
}

/** Returns true if a pot was funded under this id already. */
export const wasFunded = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.row('select from pot_funding where id = $1', [id])) !== undefined;

/** Notes a funding and returns its journal. The ledger refuses it if there is too little money. */
export async function fundPot(tx: Tx, { id, pot, parts, isBack }: Funding): Promise<Journal> {
  await tx.run('insert into pot_funding (id, pot, parts, at) values ($1, $2, $3, $4)', [
    id,
    pot,
    isBack ? -parts : parts,
    tx.now,
  ]);
  const [free, into] = [accounts.deskFree(REWARD_UNIT), potAccount(pot)];
  return { id, kind: 'promo_funded', cause: id, legs: [isBack ? leg(into, free, parts) : leg(free, into, parts)] };
}
