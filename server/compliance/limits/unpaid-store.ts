// What is unpaid, under each of its customer's keys, and keys that have short locks because too much expired under them.

import type { Owner, Statements, Tx } from '../../platform/index.ts';

/** How much that is unpaid shares any of a customer's keys (open, and left unpaid since a moment), and its network (open). */
export async function countUnpaid(
  tx: Tx,
  keys: readonly string[],
  network: string | undefined,
  since: Date,
): Promise<{ open: number; day: number; openInNetwork: number }> {
  const row = await tx.row<{ open: number; day: number; open_in_network: number }>(
    `select count(distinct owner_id) filter (where key <> all ($2::text[]) and status = 'open')::int as open,
            count(distinct owner_id) filter (where key <> all ($2::text[]) and at > $3)::int as day,
            count(distinct owner_id) filter (where key = any ($2::text[]) and status = 'open')::int as open_in_network
     from unpaid_use where key = any ($1::text[] || $2::text[]) and (status = 'open' or at > $3)`,
    [keys, network === undefined ? [] : [network], since],
    { name: 'compliance.count_unpaid' },
  );
  return { open: row?.open ?? 0, day: row?.day ?? 0, openInNetwork: row?.open_in_network ?? 0 };
}

/** Records an owner as open and unpaid under keys. */
export function writeUnpaid(tx: Tx, { kind, id }: Owner, keys: readonly string[]): void {
  tx.write(
    `insert into unpaid_use (owner_kind, owner_id, key, status, at) select $4, $1, key, 'open', $3 from unnest($2::text[]) as key`,
    [id, keys, tx.now, kind],
    { name: 'compliance.write_unpaid' },
  );
}

/** What is unpaid no more: it was paid, or it ended without a payment. */
export interface Ended {
  readonly paid: readonly Owner[];
  readonly expired: readonly Owner[];
  readonly cancelled: readonly Owner[];
}

const ids = (owners: readonly Owner[]): string[] => owners.map(({ id }) => id);

/** Ends what is unpaid; what was ended before stays as it was. */
export async function endUnpaidUses(tx: Tx, { paid, expired, cancelled }: Ended): Promise<void> {
  if (paid.length > 0) await tx.run('delete from unpaid_use where owner_id = any ($1::uuid[])', [ids(paid)]);
  if (expired.length + cancelled.length === 0) return;
  await tx.run(
    `update unpaid_use set status = case when owner_id = any ($1::uuid[]) then 'expired' else 'cancelled' end, ended_at = $3
     where owner_id = any ($1::uuid[] || $2::uuid[]) and status = 'open'`,
    [ids(expired), ids(cancelled), tx.now],
  );
}

/** Shortens the locks of customers' keys (never networks') under which so much expired since a moment. */
export async function shortenLocks(
  tx: Tx,
  owners: readonly Owner[],
  { expiries, since, until }: { expiries: number; since: Date; until: Date },
): Promise<void> {
  await tx.run(
    `insert into short_lock (key, until)
     select key, $4::timestamptz from unpaid_use
     where status = 'expired' and ended_at > $3 and key not like 'net:%'
       and key in (select key from unpaid_use where owner_id = any ($1::uuid[]))
     group by key having count(*) >= $2 order by key
     on conflict (key) do update set until = excluded.until`,
    [ids(owners), expiries, since, until],
  );
}

/** Whether any of these keys has short locks now. */
export async function isShortLocked(tx: Tx, keys: readonly string[]): Promise<boolean> {
  const found = await tx.row('select from short_lock where key = any ($1::text[]) and until > $2 limit 1', [keys, tx.now], {
    name: 'compliance.short_lock',
  });
  return found !== undefined;
}

/** What is unpaid under one key is so under another, too, and its locks are as short. */
export async function copyUnpaid(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into unpaid_use (owner_kind, owner_id, key, status, at, ended_at)
     select owner_kind, owner_id, $2, status, at, ended_at from unpaid_use where key = $1 on conflict do nothing`,
    [from, to],
  );
  await tx.run(
    `insert into short_lock (key, until) select $2, until from short_lock where key = $1
     on conflict (key) do update set until = greatest(short_lock.until, excluded.until)`,
    [from, to],
  );
}

/** Forgets what ended unpaid more than 2 days ago, and short locks that are over. */
export async function forgetUnpaid(db: Statements): Promise<void> {
  await db.run(`delete from unpaid_use where status <> 'open' and ended_at < clock_now() - interval '2 days'`);
  await db.run('delete from short_lock where until < clock_now()');
}

/** How many owners under a key have expired unpaid since a moment. */
export async function countExpired(tx: Tx, key: string, since: Date): Promise<number> {
  const row = await tx.row<{ expired: number }>(
    `select count(distinct owner_id)::int as expired from unpaid_use where key = $1 and status = 'expired' and ended_at > $2`,
    [key, since],
    { name: 'compliance.count_expired' },
  );
  return row?.expired ?? 0;
}
