// What counts towards limits: the sum in USD of each owner (an order, a withdrawal, a deposit), under each of its keys.

import type { Owner, Statements, Tx } from '../../platform/index.ts';

/** Cents that others with any of these keys count since two moments. One that shares several keys counts once. */
export async function usedSince(
  db: Statements,
  keys: readonly string[],
  except: Owner | undefined,
  day: Date,
  month: Date,
): Promise<[day: bigint, month: bigint]> {
  const row = await db.row<{ day: string; month: string }>(
    `select coalesce(sum(usd) filter (where at > $3), 0) as day, coalesce(sum(usd), 0) as month
     from (select distinct owner_id, usd, at from limit_use where key = any ($1::text[]) and at > $4) as used
     where owner_id is distinct from $2::uuid`,
    [keys, except?.id ?? null, day, month],
    { name: 'compliance.used' },
  );
  return [BigInt(row?.day ?? 0), BigInt(row?.month ?? 0)];
}

/** Cents that others count under one key since a moment. */
export async function usedUnder(db: Statements, key: string, except: Owner | undefined, since: Date): Promise<bigint> {
  const row = await db.row<{ usd: string }>(
    `select coalesce(sum(usd), 0) as usd from limit_use where key = $1 and at > $3 and owner_id is distinct from $2::uuid`,
    [key, except?.id ?? null, since],
    { name: 'compliance.used_under' },
  );
  return BigInt(row?.usd ?? 0);
}

/** Counts an owner's sum under keys; the first time of counting stays. */
export async function writeUses(tx: Tx, { kind, id }: Owner, keys: readonly string[], usd: bigint): Promise<void> {
  await tx.run(
    `with changed as (
       update limit_use set usd = $3 where owner_id = $1 and usd <> $3
     )
     insert into limit_use (owner_kind, owner_id, key, usd, at)
     select $5, $1, key, $3, coalesce((select min(at) from limit_use where owner_id = $1), $4::timestamptz)
     from unnest($2::text[]) as key on conflict do nothing`,
    [id, keys, usd, tx.now, kind],
    { name: 'compliance.write_uses' },
  );
}

/** Counts owners' sums under further keys, too. One that counts nothing is passed over. */
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

/** Stops counting owners: they came to nothing. */
export async function dropUses(tx: Tx, owners: readonly Pick<Owner, 'id'>[]): Promise<void> {
  if (owners.length === 0) return;
  await tx.run('delete from limit_use where owner_id = any ($1::uuid[])', [owners.map(({ id }) => id)]);
}

/** The mailboxes, in canonical form, that were shown by those for whom these owners count, with the owner's kind. */
export async function mailboxesOf(tx: Tx, owners: readonly Owner[]): Promise<{ readonly email: string; readonly by: string }[]> {
  return tx.rows<{ email: string; by: string }>(
    `select substr(key, 7) as email, owner_kind as by from limit_use where owner_id = any ($1::uuid[]) and key like 'email:%'`,
    [owners.map(({ id }) => id)],
    { name: 'compliance.mailboxes' },
  );
}

/** Counts all that counts under one key under another, too. */
export async function copyUses(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into limit_use (owner_kind, owner_id, key, usd, at) select owner_kind, owner_id, $2, usd, at from limit_use where key = $1
     on conflict do nothing`,
    [from, to],
  );
}

/** Forgets uses of more than 31 days ago; of payments that can be taken back, of more than a year. */
export async function forgetUses(db: Statements): Promise<void> {
  await db.run(
    `delete from limit_use where at < clock_now() - case when key = 'reversible:all' then interval '366 days' else interval '31 days' end`,
  );
}
