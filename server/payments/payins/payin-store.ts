import type { Statements, Tx } from '../../platform/index.ts';
import type { Account, ReceivingAddress } from '../../rails/rail.ts';
import type { Exposed } from '../rails/finality.ts';
import type { Owner } from '../rails/owner.ts';
import type { Payin } from './payin.ts';
import { payinMac } from './row-macs.ts';

/** An address that was due and is claimed for a poll. */
export interface ClaimedAddress extends ReceivingAddress {
  readonly number: number;
  readonly poll: string;
  /** True if the address has payments that a poll may change. */
  readonly isOpen: boolean;
  /** Time when this poll began: its results may be that old. */
  readonly begun: Date;
  /**
   * End of the time in which a payment is awaited here. Until then, a poll that shows no payment need not be stored. Absent if
   * each poll must be stored.
   */
  readonly quietUntil?: Date;
}

/** An address with its row locked, while the results of a poll are applied. */
export interface LockedAddress {
  readonly number: number;
  readonly currency: string;
  readonly to: string;
  readonly owner: Owner;
  readonly customer: string;
  /** Amount to be paid, in parts of the currency's unit. */
  readonly expected: bigint;
  readonly fromHeight: number;
  readonly closeUntil: Date;
  readonly liveUntil: Date;
  /**
   * Start of the last complete poll; before the first one, the time when the address was handed out. A payment that was not known
   * before was made after that time.
   */
  readonly polledAt: Date | null;
  /** Time since which polls of the address are incomplete; null if the last poll was complete. */
  readonly unreadSince: Date | null;
  /** True if operators were alarmed about the incomplete polls. */
  readonly isUnreadReported: boolean;
}

/** Locks addresses in the order of their numbers. Leaves out addresses whose claim was renewed meanwhile. */
export async function lockAddresses(tx: Tx, rail: string, claimed: readonly ClaimedAddress[]): Promise<LockedAddress[]> {
  const rows = await tx.rows<{
    number: string;
    currency: string;
    to_text: string;
    owner_kind: Owner['kind'];
    owner_id: string;
    customer: string;
    expected: string | null;
    from_height: string;
    close_until: Date;
    live_until: Date;
    polled_at: Date | null;
    unread_since: Date | null;
    is_unread_reported: boolean;
  }>(
    `select receiving_address.number, currency, to_text, owner_kind, owner_id, customer, expected, from_height,
       close_until, live_until, coalesce(polled_at, taken_at) as polled_at, unread_since, is_unread_reported
     from receiving_address join unnest($2::bigint[], $3::bigint[]) as claim (number, poll) using (number, poll)
     where rail = $1 order by receiving_address.number for update of receiving_address`,
    [rail, claimed.map(({ number }) => number), claimed.map(({ poll }) => poll)],
    { name: 'payments.lock_places' },
  );
  return rows.map((row) => ({
    number: Number.parseInt(row.number, 10),
    currency: row.currency,
    to: row.to_text,
    owner: { kind: row.owner_kind, id: row.owner_id },
    customer: row.customer,
    expected: BigInt(row.expected ?? '0'),
    fromHeight: Number.parseInt(row.from_height, 10),
    closeUntil: row.close_until,
    liveUntil: row.live_until,
    polledAt: row.polled_at,
    unreadSince: row.unread_since,
    isUnreadReported: row.is_unread_reported,
  }));
}

/** Next poll of an address, and the result of its last poll. */
export interface Schedule {
  readonly number: number;
  readonly poll: string;
  readonly fromHeight: number;
  /** Height of the chain from which a poll may change something; null if each block may. */
  readonly pollHeight: number | null;
  readonly isUnfinished: boolean;
  readonly isSettling: boolean;
  /** True if a payment is likely or under way. Such addresses are polled before those where a payment is merely possible. */
  readonly isPressing: boolean;
  readonly mayHold: boolean;
  readonly inMs: number;
  /**
   * Time when the poll began. Null if the poll proves nothing, because it was incomplete or its chain was below the highest known
   * height.
   */
  readonly polledAt: Date | null;
  /** Position at which the next poll continues; null if the poll was complete. */
  readonly readOn: string | null;
  /** Time since which polls of the address are incomplete; null if the last poll was complete. */
  readonly unreadSince: Date | null;
  /** True if operators were alarmed about the incomplete polls. */
  readonly isUnreadReported: boolean;
}

/** Stores the next polls of addresses. An address whose poll was requested meanwhile is due at once. */
export async function scheduleAddresses(db: Statements, rail: string, schedules: readonly Schedule[]): Promise<void> {
  if (schedules.length === 0) return;
  await db.run(
    `update receiving_address set from_height = greatest(receiving_address.from_height, given.from_height), is_unfinished = given.is_unfinished,
       is_settling = given.is_settling, polled_at = coalesce(given.polled_at, receiving_address.polled_at), read_on = given.read_on,
       unread_since = given.unread_since, is_unread_reported = given.is_unread_reported, may_hold = receiving_address.may_hold or given.may_hold,
       weigh_at = case when given.may_hold then coalesce(receiving_address.weigh_at, (select clock_now())) else receiving_address.weigh_at end,
       due_at = (select clock_now()) + case when receiving_address.is_requested then 0 else given.in_ms end * interval '1 millisecond',
       is_pressing = given.is_pressing, poll_height = given.poll_height
     from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[], $6::boolean[], $7::boolean[], $8::float8[],
         $9::timestamptz[], $10::text[], $11::timestamptz[], $12::boolean[], $13::boolean[], $14::bigint[])
       as given (number, poll, from_height, is_unfinished, is_settling, may_hold, in_ms, polled_at, read_on, unread_since,
         is_unread_reported, is_pressing, poll_height)
     where rail = $1 and receiving_address.number = given.number and receiving_address.poll = given.poll`,
    [
      rail,
      schedules.map(({ number }) => number),
      schedules.map(({ poll }) => poll),
      schedules.map(({ fromHeight }) => fromHeight),
      schedules.map(({ isUnfinished }) => isUnfinished),
      schedules.map(({ isSettling }) => isSettling),
      schedules.map(({ mayHold }) => mayHold),
      schedules.map(({ inMs }) => inMs),
      schedules.map(({ polledAt }) => polledAt),
      schedules.map(({ readOn }) => readOn),
      schedules.map(({ unreadSince }) => unreadSince),
      schedules.map(({ isUnreadReported }) => isUnreadReported),
      schedules.map(({ isPressing }) => isPressing),
      schedules.map(({ pollHeight }) => pollHeight),
    ],
    { name: 'payments.schedule_places' },
  );
}

interface PayinRow {
  id: string;
  key: string;
  number: string;
  owner_kind: Owner['kind'];
  owner_id: string;
  customer: string;
  currency: string;
  unit: string;
  place: Payin['place'];
  is_foreign: boolean;
  parts: string;
  txid: string;
  senders: string[];
  inputs: string[];
  source: Account | null;
  fee: string;
  taken: string;
  status: Payin['status'];
  is_back: boolean;
  is_fee_ok: boolean;
  usd: string | null;
  height: string | null;
  block: string | null;
  confirmations: number;
  finalised: boolean;
  needed: number;
  deep: boolean;
  followed: boolean;
  decided: boolean;
  seen_at: Date;
  first_confirmed_at: Date | null;
  final_at: Date | null;
  missing_since: Date | null;
  seen_after: Date | null;
  is_missing_reported: boolean;
}

/** Returns every payment to some addresses, in the order of arrival, which is also the order of their events. */
export async function payinsAt(tx: Statements, rail: string, numbers: readonly number[]): Promise<Payin[]> {
  const rows = await tx.rows<PayinRow>(`select * from payin where rail = $1 and number = any ($2) order by id`, [rail, numbers], {
    name: 'payments.payins_at',
  });
  return rows.map(payinOf);
}

/** Returns payments by transaction, id or owner, in the order in which they were first seen. */
export async function payinsBy(
  db: Statements,
  {
    txid,
    id,
    owner,
  }: { readonly txid?: string | undefined; readonly id?: string | undefined; readonly owner?: string | undefined },
): Promise<Payin[]> {
  const rows = await db.rows<PayinRow>(
    `select * from payin where id = $1::uuid or owner_id = $2 or txid = $3 order by id limit 100`,
    [id ?? null, owner ?? null, txid ?? null],
  );
  return rows.map(payinOf);
}

function payinOf(row: PayinRow): Payin {
  return {
    id: row.id,
    key: row.key,
    number: Number.parseInt(row.number, 10),
    owner: { kind: row.owner_kind, id: row.owner_id },
    customer: row.customer,
    currency: row.currency,
    unit: row.unit,
    place: row.place,
    isForeign: row.is_foreign,
    parts: BigInt(row.parts),
    txid: row.txid,
    from: row.senders,
    inputs: row.inputs,
    source: row.source,
    fee: BigInt(row.fee),
    taken: BigInt(row.taken),
    status: row.status,
    isBack: row.is_back,
    isFeeOk: row.is_fee_ok,
    usd: row.usd === null ? null : BigInt(row.usd),
    height: row.height === null ? null : Number.parseInt(row.height, 10),
    block: row.block,
    confirmations: row.confirmations,
    isFinalised: row.finalised,
    needed: row.needed,
    isDeep: row.deep,
    isFollowed: row.followed,
    isDecided: row.decided,
    seenAt: row.seen_at,
    firstConfirmedAt: row.first_confirmed_at,
    finalAt: row.final_at,
    missingSince: row.missing_since,
    seenAfter: row.seen_after,
    isMissingReported: row.is_missing_reported,
  };
}

/**
 * Returns payments, other than the given ones, of the same transactions, customers or blocks. Leaves out payments that are too
 * deep for a reorg. Sums of all these payments decide the depth that each of them needs.
 */
export async function exposedWith(tx: Statements, rail: string, payins: readonly Payin[]): Promise<Exposed[]> {
  const rows = await tx.rows<{ txid: string; customer: string; block: string | null; usd: string | null }>(
    `select txid, customer, block, usd from payin
     where rail = $1 and not deep and id <> all ($2) and (txid = any ($3) or customer = any ($4) or block = any ($5))`,
    [
      rail,
      payins.map(({ id }) => id),
      [...new Set(payins.map(({ txid }) => txid))],
      [...new Set(payins.map(({ customer }) => customer))],
      [...new Set(payins.flatMap(({ block }) => block ?? []))],
    ],
    { name: 'payments.exposed_with' },
  );
  return rows.map((row) => ({ ...row, usd: row.usd === null ? null : BigInt(row.usd), isDeep: false }));
}

/** Returns those of the given payment keys that belong to a payment at an address outside `numbers`. */
export async function keysElsewhere(
  tx: Statements,
  rail: string,
  numbers: readonly number[],
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx.rows<{ key: string }>(
    `select key from payin where rail = $1 and key = any ($2) and number <> all ($3::bigint[])`,
    [rail, keys, numbers],
    { name: 'payments.keys_elsewhere' },
  );
  return new Set(rows.map(({ key }) => key));
}

/** Inserts or overwrites payments. The caller has locked the rows of their addresses, so nobody else writes them. */
export async function savePayins(tx: Tx, rail: string, payins: readonly Payin[]): Promise<void> {
  if (payins.length === 0) return;
  await tx.run(
    SAVE,
    [
      rail,
      payins.map(({ id }) => id),
      payins.map(({ key }) => key),
      payins.map(({ number }) => number),
      payins.map(({ owner }) => owner.kind),
      payins.map(({ owner }) => owner.id),
      payins.map(({ customer }) => customer),
      payins.map(({ currency }) => currency),
      payins.map(({ unit }) => unit),
      payins.map(({ place }) => place),
      payins.map(({ isForeign }) => isForeign),
      payins.map(({ parts }) => parts),
      payins.map(({ txid }) => txid),
      payins.map(({ from }) => JSON.stringify(from)),
      payins.map(({ status }) => status),
      payins.map(({ isBack }) => isBack),
      payins.map(({ isFeeOk }) => isFeeOk),
      payins.map(({ usd }) => usd),
      payins.map(({ height }) => height),
      payins.map(({ block }) => block),
      payins.map(({ confirmations }) => confirmations),
      payins.map(({ isFinalised }) => isFinalised),
      payins.map(({ needed }) => needed),
      payins.map(({ isDeep }) => isDeep),
      payins.map(({ isFollowed }) => isFollowed),
      payins.map(({ seenAt }) => seenAt),
      payins.map(({ firstConfirmedAt }) => firstConfirmedAt),
      payins.map(({ finalAt }) => finalAt),
      payins.map(({ missingSince }) => missingSince),
      payins.map(({ inputs }) => JSON.stringify(inputs)),
      payins.map(({ source }) => (source ? JSON.stringify(source) : null)),
      payins.map(({ fee }) => fee),
      payins.map(({ taken }) => taken),
      payins.map(({ seenAfter }) => seenAfter),
      payins.map(({ isMissingReported }) => isMissingReported),
      payins.map((payin) => payinMac(rail, payin)),
    ],
    { name: 'payments.save_payins' },
  );
}

const SAVE = `
  insert into payin (rail, id, key, number, owner_kind, owner_id, customer, currency, unit, place, is_foreign, parts, txid,
    senders, status, is_back, is_fee_ok, usd, height, block, confirmations, finalised, needed, deep, followed, seen_at,
    first_confirmed_at, final_at, missing_since, inputs, source, fee, taken, seen_after, is_missing_reported, mac)
  select $1, id, key, number, owner_kind, owner_id, customer, currency, unit, place, is_foreign, parts, txid,
    array(select jsonb_array_elements_text(senders)), status, is_back, is_fee_ok, usd, height, block, confirmations,
    finalised, needed, deep, followed, seen_at, first_confirmed_at, final_at, missing_since,
    array(select jsonb_array_elements_text(inputs)), source, fee, taken, seen_after, is_missing_reported, mac
  from unnest($2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::boolean[], $12::numeric[], $13::text[], $14::jsonb[], $15::text[], $16::boolean[], $17::boolean[],
    $18::numeric[], $19::bigint[], $20::text[], $21::int[], $22::boolean[], $23::int[], $24::boolean[], $25::boolean[],
    $26::timestamptz[], $27::timestamptz[], $28::timestamptz[], $29::timestamptz[], $30::jsonb[], $31::jsonb[],
    $32::numeric[], $33::numeric[], $34::timestamptz[], $35::boolean[], $36::uuid[])
    as given (id, key, number, owner_kind, owner_id, customer, currency, unit, place, is_foreign, parts, txid, senders,
      status, is_back, is_fee_ok, usd, height, block, confirmations, finalised, needed, deep, followed, seen_at,
      first_confirmed_at, final_at, missing_since, inputs, source, fee, taken, seen_after, is_missing_reported, mac)
  on conflict (id) do update set
    status = excluded.status, is_back = excluded.is_back, is_fee_ok = excluded.is_fee_ok, usd = excluded.usd,
    height = excluded.height, block = excluded.block, confirmations = excluded.confirmations,
    finalised = excluded.finalised, needed = excluded.needed, deep = excluded.deep, followed = excluded.followed,
    seen_at = excluded.seen_at, first_confirmed_at = excluded.first_confirmed_at, final_at = excluded.final_at,
    missing_since = excluded.missing_since, source = excluded.source, fee = excluded.fee,
    taken = excluded.taken, seen_after = excluded.seen_after, is_missing_reported = excluded.is_missing_reported`;

/**
 * Marks payments as spent if final sends have used their coins. An address without unspent coins is no longer searched for coins.
 */
export async function releaseSpent(tx: Tx, rail: string, spends: readonly string[]): Promise<void> {
  if (spends.length === 0) return;
  await tx.run(
    `with gone as (
       update payin set spent = true where rail = $1 and key = any ($2) returning id, number
     )
     update receiving_address set may_hold = false
     where rail = $1 and number in (select number from gone) and number > 0
       and not exists (select from payin p where p.rail = $1 and p.number = receiving_address.number and p.status = 'final'
                       and not p.spent and p.id not in (select id from gone))`,
    [rail, spends],
    { name: 'payments.release_spent' },
  );
}
