// Coin that a contract handed on to an address: what the desk sees of it, and the word of two people which transaction it was.

import { Problem } from '@kurs/contract';
import type { Statements, Tx } from '../../platform/index.ts';
import type { HandedOn } from '../../rails/rail.ts';
import { takeFromGrowth } from './growth.ts';
import { insertHandedOn } from './handed-on-store.ts';
import type { Owner } from '../rails/owner.ts';
import { allRails, currencyOf } from '../rails/registry.ts';

/** An address at which more lies than is known to have come. */
export interface Growth {
  readonly rail: string;
  readonly number: number;
  readonly to: string;
  readonly currency: string;
  readonly unit: string;
  readonly owner: Owner;
  readonly parts: bigint;
  /** It came in the blocks after the first of these, up to the second. */
  readonly blocks: { readonly after: number; readonly upTo: number };
  readonly since: Date;
}

interface Row {
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
 * Addresses at which more lies than is known, and a look since that was noticed did not show what it is, the longest first;
 * with `to` just that one.
 */
export async function growths(db: Statements, to?: string): Promise<Growth[]> {
  const rows = await db.rows<Row>(
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
 * Asks the rail whether a transaction is there and was carried out, as one that handed coin on to an address. Asks the
 * network, so no transaction may be open. Throws `action_not_open` where it isn't, or nobody can say now.
 */
export async function checkHandedOn({ rail, to, currency }: Growth, handedOn: HandedOn): Promise<void> {
  const payin = allRails().find(({ id }) => id === rail)?.payin;
  const { height = 0 } = (await payin?.tip()) ?? {};
  const address = { currency, to, sinceHeight: height, handedOn: [handedOn] };
  const seen = (await payin?.observe([address], () => {})) ?? [];
  if (!seen.some(({ txid, parts }) => txid === handedOn.txid && parts === handedOn.parts)) throw new Problem('action_not_open');
}

/**
 * Books the arrival of what a contract handed on: from now on it is a payment to its address like any other, as final as its
 * block. Never more than lies there beyond what is known: else `not_enough_there`. `action_not_open` for a transaction that is
 * booked there already. That two people agreed, and that the transaction is there, is the caller's to ensure.
 */
export async function bookArrival(
  tx: Tx,
  { rail, number }: Growth,
  { txid, parts, by, evidence }: HandedOn & { readonly by: readonly string[]; readonly evidence: string },
): Promise<void> {
  if (!(await takeFromGrowth(tx, rail, number, parts))) throw new Problem('not_enough_there');
  await insertHandedOn(tx, { rail, number, txid, parts, by, evidence });
}
