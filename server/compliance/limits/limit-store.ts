// Stores the sums that limits add up: the USD of each owner (an order, withdrawal or deposit), under each of its keys.

import type { Owner, Statements, Tx } from '../../platform/index.ts';

/** Keys under which sums are added up. `except`: owner whose own sum is left out. */
export interface Used {
  readonly keys: readonly string[];
  readonly except?: Owner | undefined;
}

/**
 * Returns, for each request, the cents under any of its keys since `day` and since `month`. An owner that shares several keys is
 * added once.
 */
export async function usedSince(
  db: Statements,
  requests: readonly Used[],
  day: Date,
  month: Date,
): Promise<[day: bigint, month: bigint][]> {
  const keyed = requests.flatMap(({ keys }, place) => keys.map((key) => ({ place, key })));
  const rows = await db.rows<{ place: number; day: string; month: string }>(
    `select place, coalesce(sum(usd) filter (where at > $4), 0) as day, sum(usd) as month
     from (select distinct given.place, owner_id, usd, at from unnest($1::int[], $2::text[]) as given (place, key)
       join limit_use using (key) where at > $5) as used
     where owner_id is distinct from ($3::uuid[])[place + 1] group by place`,
    [keyed.map(({ place }) => place), keyed.map(({ key }) => key), requests.map(({ except }) => except?.id ?? null), day, month],
    { name: 'compliance.used' },
  );
  const sums = new Map(rows.map(({ place, ...sum }) => [place, sum]));
  return requests.map((_, place) => [BigInt(sums.get(place)?.day ?? 0), BigInt(sums.get(place)?.month ?? 0)]);
}

/** Returns the cents under one key since a moment, without those of the owner `except`. */
export async function usedUnder(db: Statements, key: string, except: Owner | undefined, since: Date): Promise<bigint> {
  const row = await db.row<{ usd: string }>(
    `select coalesce(sum(usd), 0) as usd from limit_use where key = $1 and at > $3 and owner_id is distinct from $2::uuid`,
    [key, except?.id ?? null, since],
    { name: 'compliance.used_under' },
  );
  return BigInt(row?.usd ?? 0);
}

/** An owner's sum in cents, and the keys under which limits include the sum. */
export interface Use {
  readonly owner: Owner;
  readonly keys: readonly string[];
  readonly usd: bigint;
}

/** Stores owners' sums under their keys. A new sum of an owner doesn't change the time of the owner's first sum. */
export function writeUses(tx: Tx, uses: readonly Use[]): void {
  const keyed = uses.flatMap(({ owner, keys, usd }) => keys.map((key) => ({ ...owner, key, usd })));
  tx.write(
    `with given as (
       select * from unnest($1::text[], $2::uuid[], $3::text[], $4::bigint[]) as given (owner_kind, owner_id, key, usd)
     ), changed as (
       update limit_use set usd = given.usd from (select distinct owner_id, usd from given) as given
       where limit_use.owner_id = given.owner_id and limit_use.usd <> given.usd
     )
     insert into limit_use (owner_kind, owner_id, key, usd, at)
     select owner_kind, owner_id, key, usd,
       coalesce((select min(at) from limit_use where limit_use.owner_id = given.owner_id), $5::timestamptz)
     from given on conflict do nothing`,
    [keyed.map(({ kind }) => kind), keyed.map(({ id }) => id), keyed.map(({ key }) => key), keyed.map(({ usd }) => usd), tx.now],
    { name: 'compliance.write_uses' },
  );
}

/** Stores the existing sums of owners under further keys, too. Owners without a stored sum are skipped. */
export async function addUses(tx: Tx, uses: readonly { readonly owner: Owner; readonly key: string }[]): Promise<void> {
  await tx.run(
    `insert into limit_use (owner_kind, owner_id, key, usd, at)
     select distinct counted.owner_kind, counted.owner_id, given.key, counted.usd, counted.at
     from unnest($1::uuid[], $2::text[]) as given (owner_id, key) join limit_use counted using (owner_id)
     on conflict do nothing`,
    [uses.map(({ owner }) => owner.id), uses.map(({ key }) => key)],
    { name: 'compliance.add_uses' },
  );
}

/**
 * Returns the ids of owners of the last 30 days that no limit includes, or that the limits of their own account do not include.
 */
export async function uncountedInLimits(
  db: Statements,
  owners: readonly { readonly id: string; readonly holder: string | null }[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from unnest($1::uuid[], $2::text[]) as given (id, holder)
     where not exists (select from limit_use where owner_id = id and (holder is null or key = 'holder:' || holder)) order by id`,
    [owners.map(({ id }) => id), owners.map(({ holder }) => holder)],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the sums of cancelled owners, so that limits no longer include them. */
export async function dropUses(tx: Tx, owners: readonly Pick<Owner, 'id'>[]): Promise<void> {
  if (owners.length === 0) return;
  await tx.run('delete from limit_use where owner_id = any ($1::uuid[])', [owners.map(({ id }) => id)]);
}

/** Returns the verified mailboxes of owners' customers, in canonical form. `by`: kind of the owner. */
export async function mailboxesOf(tx: Tx, owners: readonly Owner[]): Promise<{ readonly email: string; readonly by: string }[]> {
  return tx.rows<{ email: string; by: string }>(
    `select substr(key, 7) as email, owner_kind as by from limit_use where owner_id = any ($1::uuid[]) and key like 'email:%'`,
    [owners.map(({ id }) => id)],
    { name: 'compliance.mailboxes' },
  );
}

/** Copies all sums under the key `from` to the key `to`. */
export async function copyUses(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into limit_use (owner_kind, owner_id, key, usd, at) select owner_kind, owner_id, $2, usd, at from limit_use where key = $1
     on conflict do nothing`,
    [from, to],
  );
}

/** Deletes sums that are older than 31 days, or for reversible payments older than 366 days. */
export async function forgetUses(db: Statements): Promise<void> {
  await db.run(
    `delete from limit_use where at < clock_now()
       - case when key = 'reversible:all' or key like 'reversible:business:%' then interval '366 days' else interval '31 days' end`,
  );
}
