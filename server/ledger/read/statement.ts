// Reads the entries of accounts. Entries are numbered without gaps, so counts and pages need only arithmetic.

import type { Statements } from '../../platform/index.ts';
import { accountId } from '../chart/account-id.ts';
import { type AccountRef, shownSign } from '../chart/chart.ts';
import { type JournalKind, kindOf } from '../chart/journal.ts';
import type { Entry } from './store.ts';

/** A range of an account's entries, with numbers above `after`, up to and including `upTo`. */
export interface Span {
  readonly ref: AccountRef;
  readonly after: bigint;
  readonly upTo: bigint;
}

/** An entry with its account. */
export interface SpanEntry extends Omit<Entry, 'other'> {
  readonly ref: AccountRef;
}

const idsOf = (refs: readonly AccountRef[]): string[] => refs.map(({ name }) => accountId(name));

/** Returns the number of entries of each account, in the order of `refs`; 0 for an account without postings. */
export async function entryCounts(db: Statements, refs: readonly AccountRef[]): Promise<bigint[]> {
  const rows = await db.rows<{ seq: string | null }>(
    `select account.seq from unnest($1::bigint[]) with ordinality as asked (id, place)
     left join account using (id) order by asked.place`,
    [idsOf(refs)],
    { name: 'ledger.entry_counts' },
  );
  return rows.map(({ seq }) => BigInt(seq ?? 0));
}

/**
 * Returns the number of entries of each account at or before `at`, in the order of `refs`. The cost doesn't depend on how long
 * ago `at` is.
 */
export async function entryCountsAt(db: Statements, refs: readonly AccountRef[], at: Date): Promise<bigint[]> {
  const rows = await db.rows<{ seq: string }>(
    `select ledger_seq_at(asked.id, $2) as seq from unnest($1::bigint[]) with ordinality as asked (id, place) order by asked.place`,
    [idsOf(refs), at],
    { name: 'ledger.entry_counts_at' },
  );
  return rows.map(({ seq }) => BigInt(seq));
}

const COLUMNS = 'at, kind, journal, cause, leg, price';
const SPANS = `
  select span.place, side.*
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as span (id, after, up_to, place)
  cross join lateral (
    (select from_seq as seq, -parts as change, from_balance as balance, ${COLUMNS}
     from posting where from_id = span.id and from_seq > span.after and from_seq <= span.up_to order by from_seq desc limit $4)
    union all
    (select to_seq, parts, to_balance, ${COLUMNS}
     from posting where to_id = span.id and to_seq > span.after and to_seq <= span.up_to order by to_seq desc limit $4)
  ) as side
  order by side.at desc, span.place, side.seq desc limit $4`;

type StatementRow = Omit<SpanEntry, 'seq' | 'change' | 'balance' | 'kind' | 'ref'> &
  Record<'seq' | 'change' | 'balance' | 'place', string> & { kind: number };

function entryOf({ at, journal, cause, leg, price, ...row }: StatementRow, ref: AccountRef): SpanEntry {
  const sign = shownSign(ref.class);
  const [seq, change, balance] = [BigInt(row.seq), BigInt(row.change) * sign, BigInt(row.balance) * sign];
  return { ref, seq, at, kind: kindOf(row.kind), journal, cause, leg, change, balance, price };
}

/** Returns the newest entries of all spans together, newest first, at most `limit`. */
export async function newestEntries(db: Statements, spans: readonly Span[], limit: number): Promise<SpanEntry[]> {
  const some = spans.filter(({ after, upTo }) => upTo > after);
  if (some.length === 0 || limit <= 0) return [];
  const rows = await db.rows<StatementRow>(
    SPANS,
    [idsOf(some.map(({ ref }) => ref)), some.map(({ after }) => after), some.map(({ upTo }) => upTo), limit],
    { name: 'ledger.spans' },
  );
  return rows.map((row) => entryOf(row, (some[+row.place - 1] as Span).ref));
}

/** Returns the entry of a journal's leg in one of the given accounts; undefined if the leg is in none of them. */
export async function entryByLeg(
  db: Statements,
  refs: readonly AccountRef[],
  { journal, leg }: { readonly journal: string; readonly leg: number },
): Promise<SpanEntry | undefined> {
  const ids = idsOf(refs);
  const row = await db.row<StatementRow & { account_id: string }>(
    `select 0 as place, account_id::text, seq, change, balance, ${COLUMNS} from (
       select from_id as account_id, from_seq as seq, -parts as change, from_balance as balance, ${COLUMNS}
       from posting where journal = $1 and leg = $2
       union all
       select to_id, to_seq, parts, to_balance, ${COLUMNS} from posting where journal = $1 and leg = $2
     ) as side where account_id = any ($3::bigint[])`,
    [journal, leg, ids],
    { name: 'ledger.entry_by_leg' },
  );
  if (!row) return undefined;
  const ref = refs[ids.findIndex((id) => BigInt(id) === BigInt(row.account_id))];
  return ref && entryOf(row, ref);
}

/** Returns the shown balances of accounts at the moment `at`, in the order of `refs`. */
export async function balancesAt(db: Statements, refs: readonly AccountRef[], at: Date): Promise<bigint[]> {
  const rows = await db.rows<{ balance: string }>(
    `select ledger_balance_at(asked.id, $2) as balance
     from unnest($1::bigint[]) with ordinality as asked (id, place) order by asked.place`,
    [idsOf(refs), at],
    { name: 'ledger.balances_at' },
  );
  return rows.map(({ balance }, index) => BigInt(balance) * shownSign((refs[index] as AccountRef).class));
}

/** Returns an account's shown balance after the entry with this number; 0 before the first entry. */
export async function balanceAfter(db: Statements, ref: AccountRef, seq: bigint): Promise<bigint> {
  const [entry] = await newestEntries(db, [{ ref, after: seq - 1n, upTo: seq }], 1);
  return entry?.balance ?? 0n;
}

/**
 * Totals of an account's entries with the same `kind` and `other`: the sum of increases (`up`) and of decreases (`down`).
 * `other`: first piece of the name of the account on the other side, such as `payout`.
 */
export interface Moved {
  readonly kind: JournalKind;
  readonly other: string;
  readonly up: bigint;
  readonly down: bigint;
}

const MOVED = `
  with after as materialized (select ledger_seq_at($1::bigint, $2) as seq)
  select side.kind, split_part(account.name, ':', 1) as other,
    sum(greatest(change, 0)) as up, sum(greatest(-change, 0)) as down
  from (
    select kind, -parts as change, to_id as other_id from posting where from_id = $1 and from_seq > (select seq from after)
    union all
    select kind, parts, from_id from posting where to_id = $1 and to_seq > (select seq from after)
  ) as side join account on account.id = side.other_id
  group by 1, 2`;

/** Returns the totals of an account's entries after `at`, with the sign of shown balances. */
export async function movedSince(db: Statements, { name, class: of }: AccountRef, at: Date): Promise<Moved[]> {
  const rows = await db.rows<{ kind: number; other: string; up: string; down: string }>(MOVED, [accountId(name), at], {
    name: 'ledger.moved_since',
  });
  return rows.map(({ kind, other, up, down }) => {
    const [more, less] = shownSign(of) > 0n ? [up, down] : [down, up];
    return { kind: kindOf(kind), other, up: BigInt(more), down: BigInt(less) };
  });
}
