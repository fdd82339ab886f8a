import { Problem } from '@kurs/contract';
import {
  type AccountRef,
  type Place,
  accounts,
  balance,
  balanceAt,
  balances,
  entryCounts,
  entryCountsAt,
  leg,
} from '../../ledger/index.ts';
import { claimsOf, shownCapital } from './capital-claims.ts';
import { bookForDesk } from './book-for-desk.ts';
import { stuckOf } from './corrections.ts';
import { inFlightThen } from './in-flight-then.ts';
import { type Db, type Statements, type Tx, log } from '../../platform/index.ts';
import { currencyOf } from '../rails/registry.ts';
import { differenceBounds } from '../rails/settings.ts';
import { type Checked, isShort, lagMs, offSince } from './lasting-difference.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

/** Comparison of the books with a rail's balance at one place. `parts`: unexplained difference, positive if the rail has more. */
export interface Difference {
  readonly currency: string;
  readonly place: Place;
  readonly unit: string;
  readonly books: bigint;
  readonly railSays: bigint;
  readonly parts: bigint;
  readonly at: Date;
  /** Time since which the difference isn't 0; null if it is 0. */
  readonly since: Date | null;
}

/** Age at which a difference raises an alarm, in ms. Money in flight has usually arrived by that time. */
const ALARM_MS = 10 * 60_000;
/** Seconds after a change during which perhaps only the books, or only the rail, include the change. */
const SETTLING_SECONDS = 120;

interface ReconciliationRow {
  currency: string;
  place: Place;
  unit: string;
  books: string;
  rail_says: string;
  difference: string;
  at: Date;
  since: Date | null;
}

function differenceOf(row: ReconciliationRow): Difference {
  const { currency, place, unit, at, since } = row;
  return {
    currency,
    place,
    unit,
    at,
    since,
    books: BigInt(row.books),
    railSays: BigInt(row.rail_says),
    parts: BigInt(row.difference),
  };
}

/** Returns the stored comparison of every place that a rail reports. */
export async function differences(db: Statements): Promise<Difference[]> {
  const rows = await db.rows<ReconciliationRow>(`select * from reconciliation order by currency, place`);
  return rows.map(differenceOf);
}

/** Returns the time of the last comparison of the books with any rail; undefined if no rail has answered yet. */
export async function comparedAt(db: Statements): Promise<Date | undefined> {
  const row = await db.row<{ at: Date | null }>('select max(at) as at from reconciliation', [], { name: 'payments.compared_at' });
  return row?.at ?? undefined;
}

/**
 * Returns the value in the range from `low` to `high` that is nearest to `known`. So a known difference stays unchanged until it
 * is proven wrong, since money in flight may hide it. Pure.
 */
export function between(known: bigint, low: bigint, high: bigint): bigint {
  return known < low ? low : known > high ? high : known;
}

/**
 * Returns the part of (rail's balance − books) that money in flight can't explain. `known`: the previous result, which is
 * returned unchanged while it remains possible. Pure.
 */
export function unexplained({ parts, books, coming, going }: Explained, known = 0n): bigint {
  return between(known, parts - books - coming, parts - books + going);
}

type Explained = Pick<Compared, 'parts' | 'books' | 'coming' | 'going'>;

interface Said {
  rail: string;
  own_at: Date | null;
  says_at: Date | null;
  currency: string;
  place: Place;
  unit: string;
  parts: string;
  coming: string;
  going: string;
  /**
   * Unexplained difference at the previous comparison (`difference`), and at the last comparison with the books of a known moment
   * (`compared`).
   */
  difference: string;
  compared: string;
  compared_at: Date | null;
  off_since: Date | null;
  read_at: Date;
}

/** Amounts of a currency at one place: the rail's balance, the books, and the money in flight, in parts. */
export interface Compared {
  readonly currency: string;
  readonly place: Place;
  readonly unit: string;
  readonly parts: bigint;
  readonly coming: bigint;
  readonly going: bigint;
  readonly books: bigint;
}

/**
 * Compares `hot` and `fuel` as one if both lie at one address, so that only the books separate them. `fuel` gets its amount in
 * the books, or all that the address holds if that is less. `hot` gets the rest, so the whole difference shows there. `isShared`:
 * true for a currency with such an address. Pure.
 */
export function sharedApart(rows: readonly Compared[], isShared: (currency: string) => boolean): Compared[] {
  return rows.map((row) => {
    const { currency, place } = row;
    const other = rows.find((one) => one.currency === currency && one.place === (place === 'hot' ? 'fuel' : 'hot'));
    if (!other || (place !== 'hot' && place !== 'fuel') || !isShared(currency)) return row;
    const [fuel, whole] = [place === 'fuel' ? row : other, row.parts + other.parts];
    const ofFuel = fuel.books < 0n ? 0n : fuel.books < whole ? fuel.books : whole;
    const parts = place === 'fuel' ? ofFuel : whole - ofFuel;
    return { ...row, parts, coming: row.coming + other.coming, going: row.going + other.going };
  });
}

/**
 * Compares the books with the last polled balance of each place, and stores the difference. Raises an alarm for a difference that
 * lasts. Also stores the time since which a rail's shortfall is large enough to stop promises in its currency. A balance with a
 * reported time is compared with the books of that time. A balance without a reported time may lag for hours. It is compared only
 * if the books have not changed in that period.
 */
export async function reconcile(db: Db, values: Values = marketValues): Promise<void> {
  const rows = await note(db, await db.tx((tx) => compare(tx, values), { isSnapshot: true }));
  for (const row of rows) {
    if (row.since && row.at.getTime() - row.since.getTime() >= ALARM_MS) {
      log.alarm('the books and the rail differ', {
        rail: currencyOf(row.currency)?.rail,
        currency: row.currency,
        place: row.place,
        parts: row.difference,
        since: row.since,
      });
    }
  }
}

/**
 * A comparison of a balance with the books of a known moment: the rail's reported time, or now if the books have not changed
 * since.
 */
interface Fresh {
  /** Unexplained difference. */
  readonly parts: bigint;
  /** Difference that stays unexplained even if all booked capital that the balance lacks is on its way. */
  readonly beyondClaims: bigint;
  readonly books: bigint;
  readonly ownAt: Date;
  readonly saysAt: Date | null;
}

/** Result to store for a place. */
interface Noted extends Compared {
  readonly difference: bigint;
  /** Unexplained difference at the last comparison with the books of a known moment. */
  readonly compared: bigint;
  /** Moment of that comparison. */
  readonly comparedAt: Date;
  /** Time since which the place is off (`offSince`); null if it isn't. */
  readonly offSince: Date | null;
  /** Time up to which booked capital is included in the rail's balance. Null if unknown. */
  readonly shownUntil: Date | null;
}

async function compare(tx: Tx, values: Values): Promise<Noted[]> {
  const lately = new Date(tx.now.getTime() - SETTLING_SECONDS * 1000);
  const said = await tx.rows<Said>(SAID, [lately], { name: 'payments.said' });
  const refs = said.map(({ currency, place, unit }) => accounts.custody(currency, place, unit));
  const now = await besideNow(tx, said, refs);
  const asOf = await besideThen(tx, said, refs, now);
  const [counts, before] = [await entryCounts(tx, refs), await countsAt(tx, refs, said)];
  const claims = await claimsOf(tx);
  const shown = sharedApart(now, isShared);
  return said.map((was, at): Noted => {
    const { rail, own_at: ownAt, says_at: saysAt } = was;
    const then = asOf[at] as Compared;
    const row = (saysAt ? then : shown[at]) as Compared;
    const difference = unexplained(row, saysAt ? BigInt(was.difference) : 0n);
    const claimed = row.place === 'hot' ? (claims.get(row.currency) ?? 0n) : 0n;
    // Without a reported time, a lagging balance may be hours old. Then it is comparable only if the books have no newer entry.
    const isFresh = ownAt !== null && (saysAt !== null || lagMs(rail) === 0 || counts[at] === before[at]);
    const fresh = isFresh && {
      ...{ ownAt, saysAt, books: then.books, parts: unexplained(then, saysAt ? BigInt(was.difference) : 0n) },
      beyondClaims: unexplained({ ...then, going: then.going + claimed }, saysAt ? BigInt(was.compared) : 0n),
    };
    return { ...row, difference, ...check(tx.now, was, row, fresh || undefined, values, claimed > 0n) };
  });
}

/** Stores all results in one transaction, and deletes the claims of capital that the rail's balance now includes. */
function note(db: Db, noted: readonly Noted[]): Promise<ReconciliationRow[]> {
  return db.tx(async (tx) => {
    const rows = await tx.rows<ReconciliationRow>(WRITE, [
      noted.map(({ currency }) => currency),
      noted.map(({ place }) => place),
      noted.map(({ unit }) => unit),
      noted.map(({ books }) => books),
      noted.map(({ parts }) => parts),
      noted.map(({ coming }) => coming),
      noted.map(({ going }) => going),
      noted.map(({ difference }) => difference),
      noted.map(({ compared }) => compared),
      noted.map(({ comparedAt }) => comparedAt),
      noted.map(({ offSince: since }) => since),
    ]);
    for (const { currency, shownUntil } of noted) if (shownUntil) await shownCapital(tx, currency, shownUntil);
    return rows;
  });
}

const isShared = (currency: string): boolean => currencyOf(currency)?.feesFrom === 'fuel';

/**
 * Returns the polled balances beside the present books. Stuck money is added to the hot wallet's books, since rails still report
 * it.
 */
async function besideNow(tx: Tx, said: readonly Said[], refs: readonly AccountRef[]): Promise<Compared[]> {
  const books = await balances(tx, refs);
  const codes = said.map(({ currency }) => currency);
  const stuck = await stuckOf(tx, codes);
  return said.map(({ currency, place, unit, parts, coming, going }, at) => ({
    ...{ currency, place, unit, parts: BigInt(parts), coming: BigInt(coming), going: BigInt(going) },
    books: (books[at] ?? 0n) + (place === 'hot' ? (stuck.get(currency) ?? 0n) : 0n),
  }));
}

/**
 * Returns the polled balances beside the books of each balance's own time. If the rail reported that time, the money in flight of
 * that time is used, too.
 */
async function besideThen(
  tx: Tx,
  said: readonly Said[],
  refs: readonly AccountRef[],
  now: readonly Compared[],
): Promise<Compared[]> {
  const then: Compared[] = [];
  for (const [at, { own_at: ownAt, says_at: saysAt }] of said.entries()) {
    const [row, ref] = [now[at] as Compared, refs[at] as AccountRef];
    if (!ownAt) then.push(row);
    else if (saysAt && row.place === 'hot') then.push({ ...row, ...(await hotThen(tx, ref, row, saysAt)) });
    else {
      const moved = (await balance(tx, ref)) - (await balanceAt(tx, ref, ownAt));
      then.push({ ...row, books: row.books - moved });
    }
  }
  return sharedApart(then, isShared);
}

/** Returns a hot wallet's balance in the books at a moment, including stuck money, and its money in flight then. */
async function hotThen(tx: Tx, ref: AccountRef, { currency, unit }: Compared, at: Date) {
  const stuck = accounts.custody(currency, 'stuck', unit);
  const books = (await balanceAt(tx, ref, at)) + (await balanceAt(tx, stuck, at));
  return { books, ...(await inFlightThen(tx, ref, currency, at)) };
}

const countsAt = (tx: Tx, refs: readonly AccountRef[], said: readonly Said[]): Promise<bigint[]> =>
  Promise.all(refs.map(async (ref, at) => (await entryCountsAt(tx, [ref], said[at]?.own_at ?? new Date(0)))[0] ?? 0n));

/**
 * Returns the result to store for a place: the fresh comparison, or the previous comparison if there is no fresh one. Adds the
 * time since which the place is off.
 */
function check(
  now: Date,
  was: Said,
  { unit, place, books }: Compared,
  fresh: Fresh | undefined,
  { usd }: Values,
  isClaimed: boolean,
): Pick<Noted, 'compared' | 'comparedAt' | 'offSince' | 'shownUntil'> {
  const bounds = differenceBounds(was.rail);
  const last: Checked = fresh
    ? { unit, books: fresh.books, parts: fresh.beyondClaims, at: fresh.saysAt ?? now }
    : { unit, books, parts: BigInt(was.compared), at: was.compared_at ?? now };
  // Age is measured up to the rail's last poll. A rail that doesn't answer is down, and its currencies promise nothing anyway.
  const off = offSince(last, was.off_since ?? undefined, was.read_at, bounds, usd);
  const isShown = fresh !== undefined && isClaimed && place === 'hot' && !isShort({ ...last, parts: fresh.parts }, bounds, usd);
  return { compared: last.parts, comparedAt: last.at, offSince: off ?? null, shownUntil: isShown ? fresh.ownAt : null };
}

/** SQL: an attempt that may still happen, or was accepted so recently that the rail's balance may not include it. */
const UNSETTLED_ATTEMPT = `(status in ('stored', 'doubtful', 'sent', 'replaced') or accepted_at >= $1)`;

/**
 * SQL: each polled balance with its money in flight: payments and sends that only the books, or only the rail, may include. `$1`:
 * time since which changes count as recent. `going` includes the fees of unsettled attempts at their highest cost. Each kind of
 * row is summed once for all places, and each condition has its own index, so no old rows are read.
 */
const SAID = `
  with arriving as (
    select currency, place,
      sum(parts) filter (where status = 'seen' or missing_since is not null or final_at >= $1) as coming,
      sum(parts) filter (where status in ('final', 'reversed') and missing_since is not null or status = 'reversed' and followed) as going
    from payin
    where status = 'seen' or missing_since is not null or status = 'reversed' and followed or final_at >= $1
    group by currency, place),
  leaving as (
    select currency,
      sum(parts) filter (where status = 'failed' and txid is not null and status_at >= $1) as coming,
      sum(parts) filter (where status in ('sending', 'in_doubt') or status = 'sent' and confirmations = 0
        or status in ('sent', 'final', 'failed') and status_at >= $1) as going
    from payout
    where status in ('sending', 'in_doubt', 'sent') or status_at >= $1
    group by currency),
  unsettled as (
    select purpose, currency, parts, fee_currency, fee from payment_attempt a join (select distinct rail from rail_balance) b using (rail)
    where ${UNSETTLED_ATTEMPT}),
  moving as (select purpose, currency, sum(parts) as parts from unsettled where purpose <> 'payout' group by purpose, currency),
  fees as (select fee_currency as currency, sum(fee) as parts from unsettled group by fee_currency)
  select b.rail, b.own_at, b.says_at, b.currency, b.place, b.unit, b.parts,
    coalesce(r.difference, 0) as difference, coalesce(r.compared, 0) as compared,
    r.compared_at, r.off_since, b.read_at,
    coalesce(arriving.coming, 0)
      + coalesce((select sum(m.parts) from moving m
          where m.currency = b.currency and (m.purpose, b.place) in (('collect', 'hot'), ('fuel', 'deposit'))), 0)
      + case when b.place = 'hot' then coalesce(leaving.coming, 0) else 0 end as coming,
    coalesce(arriving.going, 0)
      + coalesce((select sum(m.parts) from moving m
          where m.currency = b.currency and (m.purpose, b.place) in (('collect', 'deposit'), ('fuel', 'fuel'), ('fuel', 'hot'))), 0)
      + case when b.place = 'hot' then coalesce(leaving.going, 0) else 0 end
      + coalesce(fees.parts, 0) as going
  from rail_balance b
    left join reconciliation r using (currency, place)
    left join arriving using (currency, place)
    left join leaving using (currency)
    left join fees using (currency)
  order by b.currency, b.place`;

const WRITE = `
  insert into reconciliation (currency, place, unit, books, rail_says, coming, going, difference, compared, compared_at, off_since, at, since)
  select given.*, clock_now(), case when difference <> 0 then clock_now() end
  from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[],
      $9::numeric[], $10::timestamptz[], $11::timestamptz[])
    as given (currency, place, unit, books, rail_says, coming, going, difference, compared, compared_at, off_since)
  on conflict (currency, place) do update set
    books = excluded.books, rail_says = excluded.rail_says, coming = excluded.coming, going = excluded.going,
    difference = excluded.difference, compared = excluded.compared, compared_at = excluded.compared_at, off_since = excluded.off_since,
    at = excluded.at, since = case when excluded.difference = 0 then null else coalesce(reconciliation.since, excluded.since) end
  returning *`;

export interface BookDifference {
  /** Id of the operator's action and of the journal. */
  readonly id: string;
  readonly currency: string;
  readonly place: Place;
  /** Difference that the operator saw; if it has changed, `difference_changed` is thrown. */
  readonly parts: bigint;
}

/**
 * Books a difference that an operator has examined and found unexplained. An excess goes to `suspense`, and a shortfall comes
 * from `suspense`. Never done automatically. Throws `difference_changed` if the stored difference is no longer `parts`. Posts, so
 * it comes last in its transaction.
 */
export async function bookDifference(tx: Tx, action: BookDifference, values: Values = marketValues): Promise<void> {
  const row = await tx.row<ReconciliationRow>(`select * from reconciliation where currency = $1 and place = $2 for update`, [
    action.currency,
    action.place,
  ]);
  if (!row || BigInt(row.difference) !== action.parts || action.parts === 0n) throw new Problem('difference_changed');
  await tx.run(
    `update reconciliation set books = books + difference, difference = 0, since = null, compared = 0, compared_at = clock_now(), off_since = null
     where currency = $1 and place = $2`,
    [action.currency, action.place],
  );
  const custody = accounts.custody(action.currency, action.place, row.unit);
  const suspense = accounts.suspense(row.unit);
  const legs = [action.parts > 0n ? leg(custody, suspense, action.parts) : leg(suspense, custody, -action.parts)];
  const [answer] = await bookForDesk(tx, [{ id: action.id, kind: 'difference', legs, prices: pricesOf(values, [row.unit]) }]);
  if (answer?.status !== 'posted') throw new Problem('difference_changed');
}
