// Stores owners (orders, deposits) that are not paid yet, under each of their customer's keys. Also stores the keys under which
// too many orders expired: the next orders under such a key have a shorter rate lock.

import type { Owner, Statements, Tx } from '../../platform/index.ts';

/**
 * Numbers of unpaid owners that share a key with a customer. `open`: open ones; `day`: left unpaid since a moment;
 * `openInNetwork`: open ones of the customer's network.
 */
export interface Unpaid {
  readonly open: number;
  readonly day: number;
  readonly openInNetwork: number;
}

/** Numbers for a customer without unpaid owners. */
export const NOTHING: Unpaid = { open: 0, day: 0, openInNetwork: 0 };

/** Returns the numbers of unpaid owners for each customer, by the customer's keys and network. */
export async function countUnpaid(
  tx: Tx,
  requests: readonly { readonly keys: readonly string[]; readonly network: string | undefined }[],
  since: Date,
): Promise<Unpaid[]> {
  const keyed = requests.flatMap(({ keys, network }, place) => [
    ...keys.map((key) => ({ place, key, isNetwork: false })),
    ...(network === undefined ? [] : [{ place, key: network, isNetwork: true }]),
  ]);
  const rows = await tx.rows<{ place: number; open: number; day: number; open_in_network: number }>(
    `select place, count(distinct owner_id) filter (where not is_network and status = 'open')::int as open,
            count(distinct owner_id) filter (where not is_network and at > $4)::int as day,
            count(distinct owner_id) filter (where is_network and status = 'open')::int as open_in_network
     from unnest($1::int[], $2::text[], $3::boolean[]) as given (place, key, is_network) join unpaid_use using (key)
     where status = 'open' or at > $4 group by place`,
    [keyed.map(({ place }) => place), keyed.map(({ key }) => key), keyed.map(({ isNetwork }) => isNetwork), since],
    { name: 'compliance.count_unpaid' },
  );
  const counts = new Map(
    rows.map(({ place, open, day, open_in_network }) => [place, { open, day, openInNetwork: open_in_network }]),
  );
  return requests.map((_, place) => counts.get(place) ?? NOTHING);
}

/** Stores owners as open and unpaid, each under its keys. */
export function writeUnpaid(tx: Tx, all: readonly { readonly owner: Owner; readonly keys: readonly string[] }[]): void {
  const keyed = all.flatMap(({ owner, keys }) => keys.map((key) => ({ ...owner, key })));
  if (keyed.length === 0) return;
  tx.write(
    `insert into unpaid_use (owner_kind, owner_id, key, status, at)
     select kind, id, key, 'open', $4 from unnest($1::text[], $2::uuid[], $3::text[]) as given (kind, id, key)`,
    [keyed.map(({ kind }) => kind), keyed.map(({ id }) => id), keyed.map(({ key }) => key), tx.now],
    { name: 'compliance.write_unpaid' },
  );
}

/** Owners whose unpaid status ends: they were paid, or ended without a payment. */
export interface Ended {
  readonly paid: readonly Owner[];
  readonly expired: readonly Owner[];
  readonly cancelled: readonly Owner[];
}

const ids = (owners: readonly Owner[]): string[] => owners.map(({ id }) => id);

/** Ends the unpaid status of owners. Owners whose status has already ended stay unchanged. */
export async function endUnpaidUses(tx: Tx, { paid, expired, cancelled }: Ended): Promise<void> {
  if (paid.length > 0) await tx.run('delete from unpaid_use where owner_id = any ($1::uuid[])', [ids(paid)]);
  if (expired.length + cancelled.length === 0) return;
  await tx.run(
    `update unpaid_use set status = case when owner_id = any ($1::uuid[]) then 'expired' else 'cancelled' end, ended_at = $3
     where owner_id = any ($1::uuid[] || $2::uuid[]) and status = 'open'`,
    [ids(expired), ids(cancelled), tx.now],
  );
}

/**
 * Gives new orders under a customer's keys a shorter rate lock, if at least `expiries` orders under the key have expired since
 * a moment. Keys of networks never get shorter locks.
 */
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

/** Returns those of the keys under which new orders get a shorter rate lock now. */
export async function shortLocked(tx: Tx, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ key: string }>(
    'select key from short_lock where key = any ($1::text[]) and until > $2',
    [keys, tx.now],
    {
      name: 'compliance.short_lock',
    },
  );
  return new Set(rows.map(({ key }) => key));
}

/** Copies unpaid owners and short locks from one key to another. */
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

/** Deletes owners that ended unpaid more than 2 days ago, and short locks that are over. */
export async function forgetUnpaid(db: Statements): Promise<void> {
  await db.run(`delete from unpaid_use where status <> 'open' and ended_at < clock_now() - interval '2 days'`);
  await db.run('delete from short_lock where until < clock_now()');
}

/** Returns the number of owners that have expired unpaid under a key since a moment. */
export async function countExpired(tx: Tx, key: string, since: Date): Promise<number> {
  const row = await tx.row<{ expired: number }>(
    `select count(distinct owner_id)::int as expired from unpaid_use where key = $1 and status = 'expired' and ended_at > $2`,
    [key, since],
    { name: 'compliance.count_expired' },
  );
  return row?.expired ?? 0;
}
