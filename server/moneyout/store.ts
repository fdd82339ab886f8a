import { type Statements, type Tx, isMac, macOf, newId, steady } from '../platform/index.ts';

/** An entry of a holder's address book. */
export interface BookAddress {
  readonly id: string;
  readonly currency: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly label: string;
  readonly usableAt: Date;
}

interface Guard {
  readonly is_list_on: boolean;
  readonly list_until: Date | null;
}

const ofGuard = (holderId: string, { is_list_on: on, list_until: until }: Guard): string => steady([holderId, on, until]);
const guardMac = (holderId: string, guard: Guard): string => macOf('list', ofGuard(holderId, guard));
const isAsSet = (holderId: string, guard: Guard & { readonly mac: string | null }): boolean =>
  isMac('list', ofGuard(holderId, guard), guard.mac);

type Entry = BookAddress & { readonly key: string; readonly addedAt: Date };
type StoredEntry = Entry & { readonly mac: string | null };
const ofAddress = (holderId: string, { id, currency, key, fields, label, addedAt, usableAt }: Entry): string =>
  steady([holderId, id, currency, key, fields, label, addedAt, usableAt]);
const addressMac = (holderId: string, entry: Entry): string => macOf('address', ofAddress(holderId, entry));
const isAsSaved = (holderId: string, entry: StoredEntry): boolean => isMac('address', ofAddress(holderId, entry), entry.mac);

/** Locks a holder's outgoing money, so that their actions are checked one after another. */
export const lockGuard = (tx: Tx, holderId: string): Promise<void> => lockGuards(tx, [holderId]);

/** Locks the outgoing money of several holders, like `lockGuard`. Their ids must be sorted. */
export async function lockGuards(tx: Tx, holderIds: readonly string[]): Promise<void> {
  const macs = holderIds.map((id) => guardMac(id, { is_list_on: false, list_until: null }));
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

/** State of an allow-list at a moment. `until`: time at which a list that is being switched off ends. */
export interface ListState {
  readonly isOn: boolean;
  readonly until: Date | undefined;
}

/**
 * Returns the allow-lists of holders at a moment, by holder id. If SQL altered a holder's row, the list is on. A holder without a
 * row is left out, and has no list.
 */
export async function listsOf(db: Statements, holderIds: readonly string[], now: Date): Promise<Map<string, ListState>> {
  const rows = await db.rows<Guard & { id: string; mac: string | null }>(
    'select holder_id as id, is_list_on, list_until, mac from moneyout_guard where holder_id = any ($1::uuid[])',
    [holderIds],
    { name: 'moneyout.lists' },
  );
  return new Map(rows.map((row) => [row.id, listAt(row, now)]));
}

function listAt(row: Guard & { readonly id: string; readonly mac: string | null }, now: Date): ListState {
  if (!isAsSet(row.id, row)) return { isOn: true, until: undefined };
  const until = row.list_until && row.list_until > now ? row.list_until : undefined;
  return { isOn: row.is_list_on || until !== undefined, until: row.is_list_on ? undefined : until };
}

/** Returns the allow-list of one holder. */
export const listOf = async (db: Statements, holderId: string, now: Date): Promise<ListState> =>
  (await listsOf(db, [holderId], now)).get(holderId) ?? { isOn: false, until: undefined };

export const isListOn = async (db: Statements, holderId: string, now: Date): Promise<boolean> =>
  (await listOf(db, holderId, now)).isOn;

/** Switches the allow-list of a locked holder. `until`: time until which a list that is switched off still applies. */
export async function setList(tx: Tx, holderId: string, isOn: boolean, until: Date | undefined): Promise<void> {
  const mac = guardMac(holderId, { is_list_on: isOn, list_until: until ?? null });
  await tx.run('update moneyout_guard set is_list_on = $2, list_until = $3, mac = $4 where holder_id = $1', [
    ...[holderId, isOn, until ?? null, mac],
  ]);
}

const ADDRESS = `id, currency, key, fields, label, added_at as "addedAt", usable_at as "usableAt", mac`;

/**
 * Returns a holder's saved address by its currency and account key. Undefined if there is no such address, or if SQL altered its
 * row.
 */
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

/** Returns the label of an account in a holder's book; undefined if the account isn't there. */
export const labelOf = async (
  db: Statements,
  holderId: string,
  to: { currency: string; key: string },
): Promise<string | undefined> => (await addressOf(db, holderId, to))?.label;

/** Returns a holder's addresses, ordered by label, without those changed by SQL. */
export async function addressesOf(db: Statements, holderId: string): Promise<BookAddress[]> {
  const rows = await db.rows<StoredEntry>(
    `select ${ADDRESS} from moneyout_address where holder_id = $1 order by label, added_at`,
    [holderId],
  );
  return rows.filter((row) => isAsSaved(holderId, row));
}

/**
 * Adds an address to a book. For an address that is there already, changes only the label, so that its waiting period goes on.
 * Replaces an address that SQL altered.
 */
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

/** Returns holders whose allow-list or addresses were changed by SQL. Part of the proof of the books. */
export async function alteredBooks(db: Statements): Promise<string[]> {
  const guards = await db.rows<Guard & { id: string; mac: string | null }>(
    'select holder_id as id, is_list_on, list_until, mac from moneyout_guard',
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

/** Deletes an address. Returns true if there was one. */
export async function dropAddress(tx: Tx, holderId: string, id: string): Promise<boolean> {
  return (await tx.run('delete from moneyout_address where holder_id = $1 and id = $2', [holderId, id])) > 0;
}

/** Deletes a holder's saved addresses and allow-list. Records of payouts that left without approval stay. */
export async function forgetHolder(tx: Tx, holderId: string): Promise<void> {
  await tx.run('delete from moneyout_address where holder_id = $1', [holderId]);
  await tx.run('delete from moneyout_guard where holder_id = $1', [holderId]);
}
