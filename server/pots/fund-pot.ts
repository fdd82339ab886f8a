import { REWARD_UNIT } from '@kurs/money';
import { type Journal, accounts, leg } from '../ledger/index.ts';
import type { Tx } from '../platform/index.ts';
import { type PotKind, lockPot, potAccount } from './pot.ts';
import { twoPeopleAbove } from './settings.ts';

/** Free money that is set aside, or taken back. */
export interface Funding {
  /** The id of the operator's action: the journal's. */
  readonly id: string;
  readonly pot: PotKind;
  /** Of the unit of rewards. */
  readonly parts: bigint;
  /** Out of the pot, to the desk. */
  readonly back: boolean;
}

/**
 * How many people set so much aside for a pot: by all that was within 24 hours. To take it back takes one. Until the transaction ends
 * nobody else is told.
 */
export async function peopleForPot(tx: Tx, { pot, parts, back }: Omit<Funding, 'id'>): Promise<1 | 2> {
  if (back) return 1;
  await lockPot(tx, pot);
  const row = await tx.row<{ parts: string }>(
    `select coalesce(sum(parts), 0) as parts from pot_funding where pot = $1 and parts > 0 and at > $2::timestamptz - interval '24 hours'`,
    [pot, tx.now],
  );
  return BigInt(row?.parts ?? '0') + parts > twoPeopleAbove() ? 2 : 1;
}

/** Whether a pot was funded under this id already. */
export const wasFunded = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.row('select from pot_funding where id = $1', [id])) !== undefined;

/** Notes a funding and gives its journal, which the ledger refuses where there is not so much. */
export async function fundPot(tx: Tx, { id, pot, parts, back }: Funding): Promise<Journal> {
  await tx.run('insert into pot_funding (id, pot, parts, at) values ($1, $2, $3, $4)', [id, pot, back ? -parts : parts, tx.now]);
  const [free, into] = [accounts.deskFree(REWARD_UNIT), potAccount(pot)];
  return { id, kind: 'promo_funded', cause: id, legs: [back ? leg(into, free, parts) : leg(free, into, parts)] };
}
