import type { Statements, Tx } from '../../platform/index.ts';

/**
 * Locks keys in the given sequence, except those that this transaction has already locked. The keys must be sorted. Missing rows
 * are created.
 */
export async function lockKeys(tx: Tx, all: readonly string[]): Promise<void> {
  const keys = all.filter((key) => !tx.marks.has(`locked ${key}`));
  if (keys.length === 0) return;
  for (const key of keys) tx.marks.add(`locked ${key}`);
  await tx.run(
    `insert into limit_key (key, at) select key, $2::timestamptz from unnest($1::text[]) with ordinality as given (key, place)
     order by place on conflict (key) do update set at = excluded.at`,
    [keys, tx.now],
    { name: 'compliance.lock_keys' },
  );
}

/** Deletes keys that were last locked more than 31 days ago: no limit uses them any more. */
export async function forgetKeys(db: Statements): Promise<void> {
  await db.run(`delete from limit_key where at < clock_now() - interval '31 days'`);
}

/** Returns the owners of one kind that used a limit under one of these keys in the last month, each with that key. */
export const ownersUnder = (db: Statements, kind: string, keys: readonly string[]): Promise<{ key: string; id: string }[]> =>
  db.rows(
    `select distinct key, owner_id as id from (
       select key, owner_id from limit_use where key = any ($1) and owner_kind = $2
       union all select key, owner_id from unpaid_use where key = any ($1) and owner_kind = $2
     ) as found order by id desc limit 500`,
    [keys, kind],
  );
