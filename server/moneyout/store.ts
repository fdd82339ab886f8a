import { type Statements, type Tx, newId } from '../platform/index.ts';

/** An address that a holder has written down. */
export interface BookAddress {
  readonly id: string;
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly label: string;
  readonly usableAt: Date;
}

/** Locks what a holder's money passes by: his acts go one after another. */
export async function lockGuard(tx: Tx, holderId: string): Promise<void> {
  await tx.run('insert into moneyout_guard (holder_id) values ($1) on conflict do nothing', [holderId]);
  await tx.row('select from moneyout_guard where holder_id = $1 for update', [holderId]);
}

/** Whether a holder's allow-list holds at a moment, and until when where it is switched off already. */
export async function listOf(db: Statements, holderId: string, now: Date): Promise<{ on: boolean; until: Date | undefined }> {
  const row = await db.row<{ list_on: boolean; list_until: Date | null }>(
    'select list_on, list_until from moneyout_guard where holder_id = $1',
    [holderId],
  );
  const until = row?.list_until && row.list_until > now ? row.list_until : undefined;
  return { on: row?.list_on === true || until !== undefined, until: row?.list_on === true ? undefined : until };
}

export const isListOn = async (db: Statements, holderId: string, now: Date): Promise<boolean> =>
  (await listOf(db, holderId, now)).on;

/** Switches a locked holder's allow-list; `until` is how long it still holds when it goes off. */
export async function setList(tx: Tx, holderId: string, on: boolean, until: Date | undefined): Promise<void> {
  await tx.run('update moneyout_guard set list_on = $2, list_until = $3 where holder_id = $1', [holderId, on, until ?? null]);
}

const ADDRESS = `id, currency, fields, label, usable_at as "usableAt"`;

/** A holder's address by its currency and the key of its account. */
export async function addressOf(
  db: Statements,
  holderId: string,
  { currency, key }: { readonly currency: string; readonly key: string },
): Promise<BookAddress | undefined> {
  return db.row<BookAddress>(`select ${ADDRESS} from moneyout_address where holder_id = $1 and currency = $2 and key = $3`, [
    holderId,
    currency,
    key,
  ]);
}

/** What a holder calls an account in his book; undefined for one that isn't there. */
export const labelOf = async (
  db: Statements,
  holderId: string,
  to: { currency: string; key: string },
): Promise<string | undefined> => (await addressOf(db, holderId, to))?.label;

/** A holder's addresses, by their labels. */
export async function addressesOf(db: Statements, holderId: string): Promise<BookAddress[]> {
  return db.rows<BookAddress>(`select ${ADDRESS} from moneyout_address where holder_id = $1 order by label, added_at`, [
    holderId,
  ]);
}

/** Writes an address down, or its new label; the one that was known stays as old as it is. */
export async function addAddress(
  tx: Tx,
  holderId: string,
  given: Omit<BookAddress, 'id'> & { readonly key: string },
): Promise<void> {
  const { currency, key, fields, label, usableAt } = given;
  await tx.run(
    `insert into moneyout_address (id, holder_id, currency, key, fields, label, added_at, usable_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (holder_id, currency, key) do update set label = excluded.label`,
    [newId(), holderId, currency, key, JSON.stringify(fields), label, tx.now, usableAt],
  );
}

export async function countAddresses(db: Statements, holderId: string): Promise<number> {
  const row = await db.row<{ count: number }>('select count(*)::int as count from moneyout_address where holder_id = $1', [
    holderId,
  ]);
  return row?.count ?? 0;
}

/** Gives whether there was one. */
export async function dropAddress(tx: Tx, holderId: string, id: string): Promise<boolean> {
  return (await tx.run('delete from moneyout_address where holder_id = $1 and id = $2', [holderId, id])) > 0;
}

/** Drops the addresses that a holder has written down, and what he allowed. What left stays counted. */
export async function forgetHolder(tx: Tx, holderId: string): Promise<void> {
  await tx.run('delete from moneyout_address where holder_id = $1', [holderId]);
  await tx.run('delete from moneyout_guard where holder_id = $1', [holderId]);
}
