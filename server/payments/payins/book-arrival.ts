// Coin that a contract handed on to an address. Shows such addresses to the desk, and books the transaction that two people name
// as the source of the coin.

import { Problem } from '@kurs/contract';
import type { Statements, Tx } from '../../platform/index.ts';
import type { HandedOn } from '../../rails/rail.ts';
import { takeFromGrowth } from './growth.ts';
import { insertHandedOn } from './handed-on-store.ts';
import type { Owner } from '../rails/owner.ts';
import { allRails, currencyOf } from '../rails/registry.ts';

/** An address that holds more coin than its known payments explain. */
export interface Growth {
  readonly rail: string;
  readonly number: number;
  readonly to: string;
  readonly currency: string;
  readonly unit: string;
  readonly owner: Owner;
  readonly parts: bigint;
  /** Range of blocks in which the unexplained coin arrived: after `after`, up to and including `upTo`. */
  readonly blocks: { readonly after: number; readonly upTo: number };
  readonly since: Date;
}

interface GrowthRow {
  rail: string;
  number: string;
  to_text: string;
  currency: string;
  owner_kind: Owner['kind'];
  owner_id: string;
  parts: string;
  since_height: string;
  height: string;
  since: Date;
}

/**
 * Returns addresses whose balance exceeds their known payments even after another poll, those with the oldest excess first. With
 * `to`, returns that address only.
 */
export async function growths(db: Statements, to?: string): Promise<Growth[]> {
  const rows = await db.rows<GrowthRow>(
    `select g.rail, g.number, to_text, g.currency, owner_kind, owner_id, parts, since_height, height, since
     from receiving_address_growth g join receiving_address using (rail, number)
     where parts > 0 and sure and ($1::text is null or to_text = $1)
     order by since, g.rail, g.number limit 200`,
    [to ?? null],
  );
  return rows.map((row) => ({
    rail: row.rail,
    number: Number.parseInt(row.number, 10),
    to: row.to_text,
    currency: row.currency,
    unit: currencyOf(row.currency)?.unit ?? row.currency,
    owner: { kind: row.owner_kind, id: row.owner_id },
    parts: BigInt(row.parts),
    blocks: { after: Number.parseInt(row.since_height, 10), upTo: Number.parseInt(row.height, 10) },
    since: row.since,
  }));
}

/**
 * Queries the rail whether a transaction exists, succeeded, and handed the stated amount on to an address. Queries the network,
 * so no database transaction may be open. Throws `action_not_open` if the rail doesn't confirm all of this.
 */
export async function checkHandedOn({ rail, to, currency }: Growth, handedOn: HandedOn): Promise<void> {
  const payin = allRails().find(({ id }) => id === rail)?.payin;
  const { height = 0 } = (await payin?.tip()) ?? {};
  const address = { currency, to, sinceHeight: height, handedOn: [handedOn] };
  const seen = (await payin?.observe([address], () => {})) ?? [];
  if (!seen.some(({ txid, parts }) => txid === handedOn.txid && parts === handedOn.parts)) throw new Problem('action_not_open');
}

/**
 * Books coin that a contract handed on to an address. From then on the coin is a payment like any other, and becomes final with
 * the depth of its block. Throws `not_enough_there` if the address's unexplained coin is less than `parts`. Throws
 * `action_not_open` if the transaction is booked at this address already. The caller ensures that two people agreed, and that the
 * transaction exists.
 */
export async function bookArrival(
  tx: Tx,
  { rail, number }: Growth,
  { txid, parts, by, evidence }: HandedOn & { readonly by: readonly string[]; readonly evidence: string },
): Promise<void> {
  if (!(await takeFromGrowth(tx, rail, number, parts))) throw new Problem('not_enough_there');
  await insertHandedOn(tx, { rail, number, txid, parts, by, evidence });
}
