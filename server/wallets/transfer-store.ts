import type { Statements, Tx } from '../platform/index.ts';

/** A transfer as stored. */
export interface Transfer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly unit: string;
  readonly parts: bigint;
  readonly note: string | undefined;
  /** Name of the sender as the receiver sees it. */
  readonly fromNamed: string;
  /** Name of the receiver as the sender sees it. */
  readonly toNamed: string;
}

/** Stores transfers. */
export async function addTransfers(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  const of = <K extends keyof Transfer>(name: K): (Transfer[K] | null)[] => transfers.map((one) => one[name] ?? null);
  await tx.run(
    `insert into wallet_transfer (id, from_holder, to_holder, unit, parts, note, from_named, to_named, at)
     select *, $9 from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::numeric[], $6::text[], $7::text[], $8::text[])`,
    [...[of('id'), of('from'), of('to'), of('unit'), of('parts'), of('note'), of('fromNamed'), of('toNamed')], tx.now],
    { name: 'wallets.add_transfers' },
  );
}

/** A transfer as its sender or its receiver sees it. */
interface SeenTransfer {
  readonly id: string;
  readonly note: string | null;
  readonly person: string | null;
}

/** Returns a holder's transfers with these ids. `person`: name of the other side. */
export async function transfersAmong(db: Statements, holderId: string, ids: readonly string[]): Promise<SeenTransfer[]> {
  return db.rows<SeenTransfer>(
    `select id, note, case when from_holder = $2 then to_named else from_named end as person
     from wallet_transfer where id = any ($1) and $2 in (from_holder, to_holder)`,
    [ids, holderId],
  );
}

/** Deletes a holder's name from other holders' statements. */
export async function forgetInTransfers(tx: Tx, holderId: string): Promise<void> {
  await tx.run('update wallet_transfer set from_named = null where from_holder = $1', [holderId]);
  await tx.run('update wallet_transfer set to_named = null where to_holder = $1', [holderId]);
}

/** SQL query: the movements that the books should have for each transfer. */
export const TRANSFERS_MOVED = `select id as cause, 'wallet:' || from_holder || ':' || unit as source,
  'wallet:' || to_holder || ':' || unit as target, parts from wallet_transfer`;
