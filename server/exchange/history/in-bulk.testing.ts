// Fills tables with very many rows at once. Indexes are rebuilt afterwards, which is much faster than updating them, and no
// trigger or foreign key is checked per row.

import type { Tx } from '../../platform/index.ts';

interface Made {
  readonly drop: string;
  readonly make: string;
}

/**
 * Runs `work` without triggers, and without the tables' indexes except those that foreign keys need; then restores all indexes.
 * Needs a superuser. Throws, and leaves everything unchanged, if the new rows violate a unique index.
 */
export async function inBulk(tx: Tx, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const made = await tx.rows<Made>(INDEXES, [tables]);
  await tx.run(`set local session_replication_role = replica`);
  for (const { drop } of made) await tx.run(drop);
  await work();
  await tx.run(`set local session_replication_role = origin`);
  await tx.run(`set local maintenance_work_mem = '256MB'`);
  for (const { make } of made) await tx.run(make);
}

const INDEXES = `
  select case when c.oid is null then 'drop index ' || i.indexrelid::regclass
      else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
    case when c.oid is null then pg_get_indexdef(i.indexrelid)
      else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as make
  from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x')
  where i.indrelid = any (select to_regclass(name) from unnest($1::text[]) as name)
    and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid)
  order by i.indrelid, i.indexrelid`;
