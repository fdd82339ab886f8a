import { Problem } from '@kurs/contract';
import type { Statements, Tx } from '../../platform/index.ts';
import type { HandedOn } from '../../rails/rail.ts';
import type { ClaimedAddress } from './payin-store.ts';

export interface HandedOnRow extends HandedOn {
  readonly rail: string;
  readonly number: number;
  /** Names of the people who booked the transfer, or `traces` if a search of traces found it. */
  readonly by: readonly string[];
  readonly evidence?: string;
}

/**
 * Stores coin that a transaction handed on to an address, and makes the address due at once. Throws `action_not_open` if the
 * transaction is stored for this address already.
 */
export async function insertHandedOn(tx: Tx, { rail, number, txid, parts, by, evidence }: HandedOnRow): Promise<void> {
  const inserted = await tx.run(
    `insert into handed_on (rail, number, txid, parts, by, evidence, at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing`,
    [rail, number, txid, parts, [...by], evidence ?? null, tx.now],
  );
  if (inserted === 0) throw new Problem('action_not_open');
  await tx.run(`update receiving_address set due_at = least(due_at, $3), is_requested = true where rail = $1 and number = $2`, [
    rail,
    number,
    tx.now,
  ]);
}

/** True if a transaction is known to have handed coin on to an address. */
export async function isHandedOn(tx: Tx, rail: string, number: number, txid: string): Promise<boolean> {
  const row = await tx.row(`select 1 from handed_on where rail = $1 and number = $2 and txid = $3`, [rail, number, txid]);
  return row !== undefined;
}

/** Returns coin known to have been handed on to these addresses, by their numbers. */
export async function handedOnTo(
  db: Statements,
  rail: string,
  addresses: readonly Pick<ClaimedAddress, 'number'>[],
): Promise<Map<number, HandedOn[]>> {
  const rows = await db.rows<{ number: string; txid: string; parts: string }>(
    `select number, txid, parts from handed_on where rail = $1 and number = any ($2)`,
    [rail, addresses.map(({ number }) => number)],
    { name: 'payments.handed_on_to' },
  );
  const all = rows.map(({ number, txid, parts }) => ({ number: Number.parseInt(number, 10), txid, parts: BigInt(parts) }));
  return new Map(
    [...Map.groupBy(all, ({ number }) => number)].map(([number, own]) => [
      number,
      own.map(({ txid, parts }) => ({ txid, parts })),
    ]),
  );
}
