import type { Statements, Tx } from '../platform/index.ts';

/** What a customer has shown of himself: nothing but an e-mail · an account · a document · address and source of funds. */
export type Level = 0 | 1 | 2 | 3;

/** A customer's level; 0 for one without a row. */
export async function readLevel(db: Statements, email: string): Promise<Level> {
  const row = await db.row<{ level: Level }>('select level from customer where email = $1', [email], {
    name: 'compliance.level',
  });
  return row?.level ?? 0;
}

/** Stores a customer's level. */
export async function writeLevel(tx: Tx, email: string, level: Level, by: string): Promise<void> {
  await tx.run(
    `insert into customer (email, level, by, at) values ($1, $2, $3, $4)
     on conflict (email) do update set level = excluded.level, by = excluded.by, at = excluded.at`,
    [email, level, by, tx.now],
  );
}

/** Moves a customer's level to another e-mail, which keeps its own where that is higher; that orders were finished goes along. */
export async function moveLevel(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into customer (email, level, finished, by, at) select $2, level, finished, by, $3 from customer where email = $1
     on conflict (email) do update set level = greatest(customer.level, excluded.level),
       finished = customer.finished or excluded.finished, by = excluded.by, at = excluded.at`,
    [from, to, tx.now],
  );
  await tx.run('update customer set level = 0, at = $2 where email = $1', [from, tx.now]);
}

/** Counts all that counts under one key under another too, locks that are shortened included. */
export async function copyUses(tx: Tx, from: string, to: string): Promise<void> {
  await tx.run(
    `insert into limit_use (order_id, key, usd, at) select order_id, $2, usd, at from limit_use where key = $1
     on conflict do nothing`,
    [from, to],
  );
  await tx.run(
    `insert into unpaid_use (order_id, key, status, at, ended_at) select order_id, $2, status, at, ended_at from unpaid_use
     where key = $1 on conflict do nothing`,
    [from, to],
  );
  await tx.run(
    `insert into short_lock (key, until) select $2, until from short_lock where key = $1
     on conflict (key) do update set until = greatest(short_lock.until, excluded.until)`,
    [from, to],
  );
}

/** Whether a customer has an order that was paid out. */
export async function hasFinished(tx: Tx, email: string): Promise<boolean> {
  return (
    (await tx.row('select from customer where email = $1 and finished', [email], { name: 'compliance.finished' })) !== undefined
  );
}

/** Notes that the customers of these orders have one that was paid out. */
export async function finishCustomers(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.run(
    `insert into customer (email, finished, by, at)
     select distinct substr(key, 7), true, 'order', $2::timestamptz from limit_use
     where order_id = any ($1::uuid[]) and key like 'email:%' order by 1
     on conflict (email) do update set finished = true where not customer.finished`,
    [orderIds, tx.now],
  );
}

/** Locks keys in their order, making the rows that are missing, unless this transaction has done so. Takes them sorted. */
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

/** Cents that other orders with any of these keys count since two moments. An order that shares several keys counts once. */
export async function usedSince(
  db: Statements,
  keys: readonly string[],
  exceptOrder: string | undefined,
  day: Date,
  month: Date,
): Promise<[day: bigint, month: bigint]> {
  const row = await db.row<{ day: string; month: string }>(
    `select coalesce(sum(usd) filter (where at > $3), 0) as day, coalesce(sum(usd), 0) as month
     from (select distinct order_id, usd, at from limit_use where key = any ($1::text[]) and at > $4) as used
     where order_id is distinct from $2::uuid`,
    [keys, exceptOrder ?? null, day, month],
    { name: 'compliance.used' },
  );
  return [BigInt(row?.day ?? 0), BigInt(row?.month ?? 0)];
}

/** Cents that other orders count under one key since a moment. */
export async function usedUnder(db: Statements, key: string, exceptOrder: string | undefined, since: Date): Promise<bigint> {
  const row = await db.row<{ usd: string }>(
    `select coalesce(sum(usd), 0) as usd from limit_use where key = $1 and at > $3 and order_id is distinct from $2::uuid`,
    [key, exceptOrder ?? null, since],
    { name: 'compliance.used_under' },
  );
  return BigInt(row?.usd ?? 0);
}

/** Counts an order's sum under keys; the first time of counting stays. */
export async function writeUses(tx: Tx, orderId: string, keys: readonly string[], usd: bigint): Promise<void> {
  await tx.run(
    `with changed as (
       update limit_use set usd = $3 where order_id = $1 and usd <> $3
     )
     insert into limit_use (order_id, key, usd, at)
     select $1, key, $3, coalesce((select min(at) from limit_use where order_id = $1), $4::timestamptz)
     from unnest($2::text[]) as key on conflict do nothing`,
    [orderId, keys, usd, tx.now],
    { name: 'compliance.write_uses' },
  );
}

/** Counts orders' sums under further keys too; `keys[n]` is of the order `orderIds[n]`. */
export async function addUses(tx: Tx, orderIds: readonly string[], keys: readonly string[]): Promise<void> {
  await tx.run(
    `insert into limit_use (order_id, key, usd, at)
     select distinct counted.order_id, given.key, counted.usd, counted.at
     from unnest($1::uuid[], $2::text[]) as given (order_id, key) join limit_use counted using (order_id)
     on conflict do nothing`,
    [orderIds, keys],
    { name: 'compliance.add_uses' },
  );
}

/** Stops counting orders. */
export async function dropUses(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.run('delete from limit_use where order_id = any ($1::uuid[])', [orderIds]);
}

/** How many unpaid orders share any of a customer's keys (open, and left unpaid since a moment), and its network (open). */
export async function countUnpaid(
  tx: Tx,
  keys: readonly string[],
  network: string | undefined,
  since: Date,
): Promise<{ open: number; day: number; openInNetwork: number }> {
  const row = await tx.row<{ open: number; day: number; open_in_network: number }>(
    `select count(distinct order_id) filter (where key <> all ($2::text[]) and status = 'open')::int as open,
            count(distinct order_id) filter (where key <> all ($2::text[]) and at > $3)::int as day,
            count(distinct order_id) filter (where key = any ($2::text[]) and status = 'open')::int as open_in_network
     from unpaid_use where key = any ($1::text[] || $2::text[]) and (status = 'open' or at > $3)`,
    [keys, network === undefined ? [] : [network], since],
    { name: 'compliance.count_unpaid' },
  );
  return { open: row?.open ?? 0, day: row?.day ?? 0, openInNetwork: row?.open_in_network ?? 0 };
}

/** Records an order as open and unpaid under keys. */
export async function writeUnpaid(tx: Tx, orderId: string, keys: readonly string[]): Promise<void> {
  await tx.run(
    `insert into unpaid_use (order_id, key, status, at) select $1, key, 'open', $3 from unnest($2::text[]) as key`,
    [orderId, keys, tx.now],
    { name: 'compliance.write_unpaid' },
  );
}

export interface Ended {
  readonly paid: readonly string[];
  readonly expired: readonly string[];
  readonly cancelled: readonly string[];
}

/** Ends the being unpaid of orders; what was ended before stays as it was. */
export async function endUnpaidUses(tx: Tx, { paid, expired, cancelled }: Ended): Promise<void> {
  if (paid.length > 0) await tx.run('delete from unpaid_use where order_id = any ($1::uuid[])', [paid]);
  if (expired.length + cancelled.length === 0) return;
  await tx.run(
    `update unpaid_use set status = case when order_id = any ($1::uuid[]) then 'expired' else 'cancelled' end, ended_at = $3
     where order_id = any ($1::uuid[] || $2::uuid[]) and status = 'open'`,
    [expired, cancelled, tx.now],
  );
}

/** Shortens the locks of customers' keys (never networks') under which so many orders expired since a moment. */
export async function shortenLocks(
  tx: Tx,
  orderIds: readonly string[],
  { expiries, since, until }: { expiries: number; since: Date; until: Date },
): Promise<void> {
  await tx.run(
    `insert into short_lock (key, until)
     select key, $4::timestamptz from unpaid_use
     where status = 'expired' and ended_at > $3 and key not like 'net:%'
       and key in (select key from unpaid_use where order_id = any ($1::uuid[]))
     group by key having count(*) >= $2 order by key
     on conflict (key) do update set until = excluded.until`,
    [orderIds, expiries, since, until],
  );
}

/** Whether any of these keys has short locks now. */
export async function isShortLocked(tx: Tx, keys: readonly string[]): Promise<boolean> {
  const found = await tx.row('select from short_lock where key = any ($1::text[]) and until > $2 limit 1', [keys, tx.now], {
    name: 'compliance.short_lock',
  });
  return found !== undefined;
}

/** Parts held under totals, each row locked in order and made where it is missing. Takes the keys sorted. */
export async function heldUnder(tx: Tx, keys: readonly string[]): Promise<Map<string, bigint>> {
  const rows = await tx.rows<{ key: string; parts: string }>(
    `insert into hold_total (key, parts) select key, 0 from unnest($1::text[]) with ordinality as given (key, place)
     order by place on conflict (key) do update set parts = hold_total.parts returning key, parts`,
    [keys],
    { name: 'compliance.held_under' },
  );
  return new Map(rows.map(({ key, parts }) => [key, BigInt(parts)]));
}

/** Adds an order's hold to totals that are locked already. */
export async function takeHold(tx: Tx, orderId: string, parts: bigint, totals: readonly string[]): Promise<void> {
  await tx.run(
    `with held as (
       insert into unpaid_hold (order_id, parts, totals) values ($1, $2, $3)
     )
     update hold_total set parts = parts + $2 where key = any ($3::text[])`,
    [orderId, parts, totals],
    { name: 'compliance.take_hold' },
  );
}

/** Takes the holds of orders off their totals, locking these in order; orders without one are passed over. */
export async function freeHolds(tx: Tx, orderIds: readonly string[]): Promise<void> {
  const freed = await tx.rows<{ key: string; parts: string }>(
    `with freed as (delete from unpaid_hold where order_id = any ($1::uuid[]) returning parts, totals)
     select key, sum(parts) as parts from freed, unnest(totals) as key group by key order by key collate "C"`,
    [orderIds],
  );
  if (freed.length === 0) return;
  await tx.run(
    `insert into hold_total (key, parts) select key, 0 from unnest($1::text[]) with ordinality as given (key, place)
     order by place on conflict (key) do update set parts = hold_total.parts`,
    [freed.map(({ key }) => key)],
  );
  await tx.run(
    `update hold_total set parts = hold_total.parts - freed.parts
     from unnest($1::text[], $2::numeric[]) as freed (key, parts) where hold_total.key = freed.key`,
    [freed.map(({ key }) => key), freed.map(({ parts }) => parts)],
  );
}

/** Parts that unpaid orders hold, by unit. */
export async function heldByUnit(db: Statements): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ key: string; parts: string }>(`select key, parts from hold_total where key not like '% %'`, [], {
    name: 'compliance.held_by_unit',
  });
  return new Map(rows.map(({ key, parts }) => [key, BigInt(parts)]));
}

/** Marks a challenge as used until it expires; false when it was used before. Forgets some that have expired. */
export async function useChallenge(tx: Tx, challenge: string, expiresAt: Date): Promise<boolean> {
  await tx.run(
    `delete from bot_use where challenge in
       (select challenge from bot_use where expires_at < $1 order by expires_at limit 20 for update skip locked)`,
    [tx.now],
  );
  return (
    (await tx.run('insert into bot_use (challenge, expires_at) values ($1, $2) on conflict do nothing', [
      challenge,
      expiresAt,
    ])) === 1
  );
}

/** How many challenges were used that are not over yet, counted no further than `most`. */
export async function countUsedChallenges(db: Statements, now: Date, most: number): Promise<number> {
  const row = await db.row<{ used: number }>(
    'select count(*)::int as used from (select from bot_use where expires_at > $1 limit $2) as used',
    [now, most],
    { name: 'compliance.used_challenges' },
  );
  return row?.used ?? 0;
}

/**
 * Forgets what no count looks at any more: uses of more than 31 days ago (of payments that can be taken back, of more than a
 * year), ended unpaid orders of
 * more than 2, locks that are over.
 */
export async function forgetUses(db: Statements): Promise<void> {
  await db.run(
    `delete from limit_use where at < clock_now() - case when key = 'reversible:all' then interval '366 days' else interval '31 days' end`,
  );
  await db.run(`delete from unpaid_use where status <> 'open' and ended_at < clock_now() - interval '2 days'`);
  await db.run('delete from short_lock where until < clock_now()');
  await db.run(`delete from limit_key where at < clock_now() - interval '31 days'`);
}
