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
import { type Judged, isShort, lagMs, offSince } from './standing-difference.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

/**
 * The books beside what the rail says, at one place. `parts` is what nothing in flight explains; above zero: the rail has more.
 */
export interface Difference {
  readonly currency: string;
  readonly place: Place;
  readonly unit: string;
  readonly books: bigint;
  readonly railSays: bigint;
  readonly parts: bigint;
  readonly at: Date;
  /** Since when there is a difference; null: there is none. */
  readonly since: Date | null;
}

/** A difference that lasts so long alarms: what is in flight has arrived by then. */
const ALARM_MS = 10 * 60_000;
/** What changed within so many seconds may stand in only one of the two yet. */
const SETTLING_SECONDS = 120;

interface Row {
  currency: string;
  place: Place;
  unit: string;
  books: string;
  rail_says: string;
  difference: string;
  at: Date;
  since: Date | null;
  judged: string | null;
  judged_at: Date | null;
  off_since: Date | null;
  rail: string;
  read_at: Date;
}

function differenceOf(row: Row): Difference {
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

/** Every place that a rail reports, with the books beside it. */
export async function differences(db: Statements): Promise<Difference[]> {
  const rows = await db.rows<Row>(`select * from reconciliation order by currency, place`);
  return rows.map(differenceOf);
}

/** When the books were last compared with what the rails say; undefined where no rail has said anything yet. */
export async function comparedAt(db: Statements): Promise<Date | undefined> {
  const row = await db.row<{ at: Date | null }>('select max(at) as at from reconciliation', [], { name: 'payments.compared_at' });
  return row?.at ?? undefined;
}

/**
 * A difference that was known, now that it lies somewhere from `low` to `high`: what was known stands until something
 * contradicts it, since what is in flight may hide it. Pure.
 */
export function between(known: bigint, low: bigint, high: bigint): bigint {
  return known < low ? low : known > high ? high : known;
}

/**
 * What the rail says less the books, as far as what is coming and going can't explain it; `known`: what it was before, where
 * that stands until it is contradicted. Pure.
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
  /** As they were noted before. */
  difference: string;
  judged: string;
}

/** What a rail says of one place, beside the books. */
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
 * Where a coin is a currency and pays for gas, `hot` and `fuel` lie at one address and only the books tell them apart. So
 * they are compared as one: `fuel` has what the books say as far as the address has that much, `hot` has the rest and shows
 * the difference. `isShared`: whether that is so for a currency. Pure.
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
 * Compares the books with what the rails last said, notes every difference, and alarms for one that stays. Notes too since when
 * a rail has so much less that its currency promises nothing. A rail that says of when its balance is, is compared with the
 * books of that moment; one whose word may be hours behind and doesn't, is judged only once nothing has moved for so long.
 */
export async function reconcile(db: Db, values: Values = marketValues): Promise<void> {
  const { rows, judged } = await compare(db);
  for (const row of rows) {
    if (row.since && row.at.getTime() - row.since.getTime() >= ALARM_MS) {
      log.alarm('the books and the rail differ', {
        currency: row.currency,
        place: row.place,
        parts: row.difference,
        since: row.since,
      });
    }
  }
  await judge(db, rows, judged, values);
}

/** A comparison with the books of a known moment: of the rail's own, or of now where nothing has moved since it may be. */
interface Fresh {
  readonly rail: string;
  /** What nothing explains, and what is left of it once capital that no rail has shown is taken for on its way. */
  readonly parts: bigint;
  readonly beyondClaims: bigint;
  readonly books: bigint;
  readonly ownAt: Date;
  readonly saysAt: Date | null;
}

async function compare(db: Db): Promise<{ readonly rows: readonly Row[]; readonly judged: ReadonlyMap<string, Fresh> }> {
  const judged = new Map<string, Fresh>();
  const found = await db.tx(
    async (tx) => {
      const lately = new Date(tx.now.getTime() - SETTLING_SECONDS * 1000);
      const said = await tx.rows<Said>(SAID, [lately], { name: 'payments.said' });
      const refs = said.map(({ currency, place, unit }) => accounts.custody(currency, place, unit));
      const now = await besideNow(tx, said, refs);
      const asOf = await besideThen(tx, said, refs, now);
      const [counts, before] = [await entryCounts(tx, refs), await countsAt(tx, refs, said)];
      const claims = await claimsOf(tx);
      for (const [at, { rail, own_at: ownAt, says_at: saysAt, ...was }] of said.entries()) {
        const row = asOf[at] as Compared;
        // Of when it is, is only known to lie somewhere in hours: then nothing may have moved since.
        if (!ownAt || (!saysAt && lagMs(rail) > 0 && counts[at] !== before[at])) continue;
        const claimed = row.place === 'hot' ? (claims.get(row.currency) ?? 0n) : 0n;
        judged.set(`${row.currency} ${row.place}`, {
          ...{ rail, ownAt, saysAt, books: row.books, parts: unexplained(row, saysAt ? BigInt(was.difference) : 0n) },
          beyondClaims: unexplained({ ...row, going: row.going + claimed }, saysAt ? BigInt(was.judged) : 0n),
        });
      }
      const shown = sharedApart(now, isShared);
      return said.map(({ says_at: saysAt, difference }, at) => {
        const row = (saysAt ? asOf[at] : shown[at]) as Compared;
        return { ...row, difference: unexplained(row, saysAt ? BigInt(difference) : 0n) };
      });
    },
    { snapshot: true },
  );
  const rows = await db.rows<Row>(WRITE, [
    found.map(({ currency }) => currency),
    found.map(({ place }) => place),
    found.map(({ unit }) => unit),
    found.map(({ books }) => books),
    found.map(({ parts }) => parts),
    found.map(({ coming }) => coming),
    found.map(({ going }) => going),
    found.map(({ difference }) => difference),
  ]);
  return { rows, judged };
}

const isShared = (currency: string): boolean => currencyOf(currency)?.feesFrom === 'fuel';

/** What the rails say beside the books of now. What is stuck the rail still says is there. */
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
 * The same with the books as they were at each balance's own time; what is in flight, too, where the rail says that time
 * itself.
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

/** A hot wallet's balance in the books at a moment, and what was in flight then. */
async function hotThen(tx: Tx, ref: AccountRef, { currency, unit }: Compared, at: Date) {
  const stuck = accounts.custody(currency, 'stuck', unit);
  const books = (await balanceAt(tx, ref, at)) + (await balanceAt(tx, stuck, at));
  return { books, ...(await inFlightThen(tx, ref, currency, at)) };
}

const countsAt = (tx: Tx, refs: readonly AccountRef[], said: readonly Said[]): Promise<bigint[]> =>
  Promise.all(refs.map(async (ref, at) => (await entryCountsAt(tx, [ref], said[at]?.own_at ?? new Date(0)))[0] ?? 0n));

/** Stores fresh comparisons and since when a place differs. Capital that its rail has shown is no longer claimed. */
async function judge(db: Db, rows: readonly Row[], judged: ReadonlyMap<string, Fresh>, { usd }: Values): Promise<void> {
  for (const row of rows) {
    const { currency, place, unit } = row;
    const fresh = judged.get(`${currency} ${place}`);
    const bounds = differenceBounds(row.rail);
    const last: Judged = fresh
      ? { unit, books: fresh.books, parts: fresh.beyondClaims, at: fresh.saysAt ?? row.at }
      : { unit, books: BigInt(row.books), parts: BigInt(row.judged ?? '0'), at: row.judged_at ?? row.at };
    // Too old is what the rail's newest word finds too old: while there is none, the rail is down, and that closes it.
    const off = offSince(last, row.off_since ?? undefined, row.read_at, bounds, usd);
    await db.run('update reconciliation set judged = $3, judged_at = $4, off_since = $5 where currency = $1 and place = $2', [
      ...[currency, place, last.parts, last.at, off ?? null],
    ]);
    if (!fresh || place !== 'hot' || isShort({ ...last, parts: fresh.parts }, bounds, usd)) continue;
    await shownCapital(db, currency, fresh.ownAt);
  }
}

/** An attempt that may still happen, or happened so lately that the rail's figure may not show it. */
const UNSETTLED_ATTEMPT = `(status in ('stored', 'doubtful', 'sent', 'replaced') or accepted_at >= $1)`;

/**
 * Payments and sends that only one side may know yet; `$1`: since when a change counts as late. Fees are bounded by what
 * attempts may cost. Each sort is added up once for all places, and each of its conditions has an index of its own, whose use
 * the planner sees from the moment's being a value: no history is read.
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
    coalesce(r.difference, 0) as difference, coalesce(r.judged, 0) as judged,
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
  insert into reconciliation (currency, place, unit, books, rail_says, coming, going, difference, at, since)
  select given.*, clock_now(), case when difference <> 0 then clock_now() end
  from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[])
    as given (currency, place, unit, books, rail_says, coming, going, difference)
  on conflict (currency, place) do update set
    books = excluded.books, rail_says = excluded.rail_says, coming = excluded.coming, going = excluded.going,
    difference = excluded.difference, at = excluded.at,
    since = case when excluded.difference = 0 then null else coalesce(reconciliation.since, excluded.since) end
  returning reconciliation.*,
    (select rail from rail_balance b where (b.currency, b.place) = (reconciliation.currency, reconciliation.place)) as rail,
    (select read_at from rail_balance b where (b.currency, b.place) = (reconciliation.currency, reconciliation.place)) as read_at`;

export interface BookDifference {
  /** The id of the operator's action: the journal's. */
  readonly id: string;
  readonly currency: string;
  readonly place: Place;
  /** The difference as the operator saw it; another one by now is `difference_changed`. */
  readonly parts: bigint;
}

/**
 * An operator books a difference that they have looked into as unexplained: what the rail has more goes to
 * `suspense`, what it has less comes from there. Never done by itself. Posts, so it is the last of its transaction.
 */
export async function bookDifference(tx: Tx, action: BookDifference, values: Values = marketValues): Promise<void> {
  const row = await tx.row<Row>(`select * from reconciliation where currency = $1 and place = $2 for update`, [
    action.currency,
    action.place,
  ]);
  if (!row || BigInt(row.difference) !== action.parts || action.parts === 0n) throw new Problem('difference_changed');
  await tx.run(
    `update reconciliation set books = books + difference, difference = 0, since = null, judged = 0, judged_at = clock_now(), off_since = null
     where currency = $1 and place = $2`,
    [action.currency, action.place],
  );
  const custody = accounts.custody(action.currency, action.place, row.unit);
  const suspense = accounts.suspense(row.unit);
  const legs = [action.parts > 0n ? leg(custody, suspense, action.parts) : leg(suspense, custody, -action.parts)];
  const [answer] = await bookForDesk(tx, [{ id: action.id, kind: 'difference', legs, prices: pricesOf(values, [row.unit]) }]);
  if (answer?.status !== 'posted') throw new Problem('difference_changed');
}
