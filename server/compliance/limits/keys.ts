import type { Statements, Tx } from '../../platform/index.ts';

/** Locks keys in the given order, unless this transaction has done so. Creates missing rows. The keys must be sorted. */
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

/** Deletes keys under which nothing counts any more. */
export async function forgetKeys(db: Statements): Promise<void> {
  await db.run(`delete from limit_key where at < clock_now() - interval '31 days'`);
}

/** Returns the owners of one kind that counted under some of these keys in the last month, each with its key. */
export const ownersUnder = (db: Statements, kind: string, keys: readonly string[]): Promise<{ key: string; id: string }[]> =>
  db.rows(
    `select distinct key, owner_id as id from (
       select key, owner_id from limit_use where key = any ($1) and owner_kind = $2
       union all select key, owner_id from unpaid_use where key = any ($1) and owner_kind = $2
     ) as found order by id desc limit 500`,
    [keys, kind],
  );
