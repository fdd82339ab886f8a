import { type Statements, type Tx, isMac, macOf, newId, steady } from '../platform/index.ts';

/** An address that a holder has written down. */
export interface BookAddress {
  readonly id: string;
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly label: string;
  readonly usableAt: Date;
}

interface Guard {
  readonly list_on: boolean;
  readonly list_until: Date | null;
}

const ofGuard = (holderId: string, { list_on: on, list_until: until }: Guard): string => steady([holderId, on, until]);
const guardMac = (holderId: string, guard: Guard): string => macOf('list', ofGuard(holderId, guard));
const isAsSet = (holderId: string, guard: Guard & { readonly mac: string | null }): boolean =>
  isMac('list', ofGuard(holderId, guard), guard.mac);

type Entry = BookAddress & { readonly key: string; readonly addedAt: Date };
type StoredEntry = Entry & { readonly mac: string | null };
const ofAddress = (holderId: string, { id, currency, key, fields, label, addedAt, usableAt }: Entry): string =>
  steady([holderId, id, currency, key, fields, label, addedAt, usableAt]);
const addressMac = (holderId: string, entry: Entry): string => macOf('address', ofAddress(holderId, entry));
const isAsSaved = (holderId: string, entry: StoredEntry): boolean => isMac('address', ofAddress(holderId, entry), entry.mac);

/** Locks what a holder's money passes by: their actions go one after another. */
export const lockGuard = (tx: Tx, holderId: string): Promise<void> => lockGuards(tx, [holderId]);

/** Locks as `lockGuard` does, of several; takes them sorted. */
export async function lockGuards(tx: Tx, holderIds: readonly string[]): Promise<void> {
  const macs = holderIds.map((id) => guardMac(id, { list_on: false, list_until: null }));
  await Promise.all([
    tx.run(
      `insert into moneyout_guard (holder_id, mac) select * from unnest($1::uuid[], $2::uuid[]) on conflict do nothing`,
      [holderIds, macs],
      { name: 'moneyout.add_guards' },
    ),
    tx.run('select from moneyout_guard where holder_id = any ($1::uuid[]) order by holder_id for update', [holderIds], {
      name: 'moneyout.lock_guards',
    }),
  ]);
}

/** Whether an allow-list holds at a moment, and until when where it is switched off already. */
export interface ListState {
  readonly on: boolean;
  readonly until: Date | undefined;
}

/** The allow-lists of holders at a moment. One holds where its row is not as it was set; without a row there is none. */
export async function listsOf(db: Statements, holderIds: readonly string[], now: Date): Promise<Map<string, ListState>> {
  const rows = await db.rows<Guard & { id: string; mac: string | null }>(
    'select holder_id as id, list_on, list_until, mac from moneyout_guard where holder_id = any ($1::uuid[])',
    [holderIds],
    { name: 'moneyout.lists' },
  );
  return new Map(rows.map((row) => [row.id, listAt(row, now)]));
}

function listAt(row: Guard & { readonly id: string; readonly mac: string | null }, now: Date): ListState {
  if (!isAsSet(row.id, row)) return { on: true, until: undefined };
  const until = row.list_until && row.list_until > now ? row.list_until : undefined;
  return { on: row.list_on || until !== undefined, until: row.list_on ? undefined : until };
}

/** The allow-list of one holder. */
export const listOf = async (db: Statements, holderId: string, now: Date): Promise<ListState> =>
  (await listsOf(db, [holderId], now)).get(holderId) ?? { on: false, until: undefined };

export const isListOn = async (db: Statements, holderId: string, now: Date): Promise<boolean> =>
  (await listOf(db, holderId, now)).on;

/** Switches a locked holder's allow-list; `until` is how long it still holds when it goes off. */
export async function setList(tx: Tx, holderId: string, on: boolean, until: Date | undefined): Promise<void> {
  const mac = guardMac(holderId, { list_on: on, list_until: until ?? null });
  await tx.run('update moneyout_guard set list_on = $2, list_until = $3, mac = $4 where holder_id = $1', [
    ...[holderId, on, until ?? null, mac],
  ]);
}

const ADDRESS = `id, currency, key, fields, label, added_at as "addedAt", usable_at as "usableAt", mac`;

/** A holder's address by its currency and account key, as they saved it; an altered one counts as absent. */
export async function addressOf(
  db: Statements,
  holderId: string,
  { currency, key }: { readonly currency: string; readonly key: string },
): Promise<BookAddress | undefined> {
  const row = await entryOf(db, holderId, { currency, key });
  return row && isAsSaved(holderId, row) ? row : undefined;
}

const entryOf = (
  db: Statements,
  holderId: string,
  { currency, key }: { readonly currency: string; readonly key: string },
): Promise<StoredEntry | undefined> =>
  db.row<StoredEntry>(`select ${ADDRESS} from moneyout_address where holder_id = $1 and currency = $2 and key = $3`, [
    ...[holderId, currency, key],
  ]);

/** What a holder calls an account in their book; undefined for one that isn't there. */
export const labelOf = async (
  db: Statements,
  holderId: string,
  to: { currency: string; key: string },
): Promise<string | undefined> => (await addressOf(db, holderId, to))?.label;

/** A holder's addresses, by their labels; none that was altered. */
export async function addressesOf(db: Statements, holderId: string): Promise<BookAddress[]> {
  const rows = await db.rows<StoredEntry>(
    `select ${ADDRESS} from moneyout_address where holder_id = $1 order by label, added_at`,
    [holderId],
  );
  return rows.filter((row) => isAsSaved(holderId, row));
}

/** Writes an address down, or its new label; the one that was known stays as old as it is. An altered one is written anew. */
export async function addAddress(
  tx: Tx,
  holderId: string,
  given: Omit<BookAddress, 'id'> & { readonly key: string },
): Promise<void> {
  await lockGuard(tx, holderId);
  const known = await entryOf(tx, holderId, given);
  const isKnown = known !== undefined && isAsSaved(holderId, known);
  const entry: Entry = isKnown ? { ...known, label: given.label } : { ...given, id: newId(), addedAt: tx.now };
  const { id, currency, key, fields, label, addedAt, usableAt } = entry;
  await tx.run(
    `insert into moneyout_address (id, holder_id, currency, key, fields, label, added_at, usable_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (holder_id, currency, key) do update set id = excluded.id, fields = excluded.fields, label = excluded.label,
       added_at = excluded.added_at, usable_at = excluded.usable_at, mac = excluded.mac`,
    [id, holderId, currency, key, JSON.stringify(fields), label, addedAt, usableAt, addressMac(holderId, entry)],
  );
}

/** Holders whose allow-list, or an address of whose book, is not as they set it. For the proof of the books. */
export async function alteredBooks(db: Statements): Promise<string[]> {
  const guards = await db.rows<Guard & { id: string; mac: string | null }>(
    'select holder_id as id, list_on, list_until, mac from moneyout_guard',
  );
  const entries = await db.rows<StoredEntry & { holder: string; is_guarded: boolean }>(
    `select holder_id as holder, ${ADDRESS},
       exists (select from moneyout_guard g where g.holder_id = a.holder_id) as is_guarded from moneyout_address a`,
  );
  const altered = [
    ...guards.filter((row) => !isAsSet(row.id, row)).map(({ id }) => id),
    ...entries.filter((row) => !row.is_guarded || !isAsSaved(row.holder, row)).map(({ holder }) => holder),
  ];
  return [...new Set(altered)];
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

/** Deletes a holder's saved addresses and allow-list. What already left stays counted. */
export async function forgetHolder(tx: Tx, holderId: string): Promise<void> {
  await tx.run('delete from moneyout_address where holder_id = $1', [holderId]);
  await tx.run('delete from moneyout_guard where holder_id = $1', [holderId]);
}
