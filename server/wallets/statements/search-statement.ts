// Searches long statements in pieces. If a filter must read each entry, a request reads only some of the newest entries and
// returns how far it got; the next request continues there. So each response costs the same, however long the statement is.

import { type Span, type SpanEntry, newestEntries } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { type CauseDetail, type CauseSource, detailsOf } from './causes.ts';
import { type Operation, type OperationFilter, couldMatch, matches, needsDetail } from './operation.ts';

/** Maximum number of entries read in one search, if the books suffice to match them. */
const BY_BOOKS = 500;
/** Maximum number of entries read in one search, if each needs its details. */
const BY_DETAIL = 200;
/** Number of entries whose details are looked up together. */
const TOGETHER = 100;

/**
 * Position of a search. `at`: time of the last entry read. `left`: by the wallet's unit, the number of the newest entry that is
 * not read yet.
 */
interface Position {
  at: string;
  /** Id of the last incoming payment that was read with exactly the time `at`. */
  coming: string;
  readonly left: Map<string, bigint>;
}

/**
 * Result of a search: the matches, how far back it searched (`to`), and where the next search continues (`next`, null at the
 * end).
 */
export interface StatementSearch {
  readonly data: Operation[];
  readonly searched: { readonly to: string | null; readonly next: string | null };
}

export interface SearchDeps {
  readonly db: Statements;
  readonly sources: readonly CauseSource[];
  /** Returns the operation of an entry, with the details of the entry's cause. */
  readonly show: (entry: SpanEntry, detail: CauseDetail | undefined) => Operation;
}

/** Statement to search: the entries of a holder's wallets, and the holder's incoming payments. */
export interface SearchedStatement {
  readonly holderId: string;
  readonly spans: readonly Span[];
  readonly coming: readonly Operation[];
}

/**
 * Searches the next entries of a holder's wallets, newest first, together with incoming payments. Returns at most `limit`
 * matches. `before`: the position at which the last search stopped.
 */
export async function searchStatement(
  deps: SearchDeps,
  { holderId, spans, coming }: SearchedStatement,
  filter: OperationFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<StatementSearch> {
  const position = before === undefined ? startOf(spans) : read(before);
  const left = spans.map((span) => ({ ...span, upTo: min(span.upTo, position.left.get(span.ref.unit) ?? 0n) }));
  const entries = await next(deps.db, left, needsDetail(filter) ? BY_DETAIL : BY_BOOKS);
  const size = left.reduce((sum, { after, upTo }) => sum + (upTo > after ? upTo - after : 0n), 0n);
  const isWhole = BigInt(entries.length) === size;
  const oldest = entries.at(-1)?.at.toISOString();
  const waiting = coming.filter((one) => isBehind(one, position) && (isWhole || (oldest !== undefined && one.at >= oldest)));
  const lookUp = lookingUp(
    deps,
    holderId,
    entries.filter((entry) => couldMatch(entry, filter)),
  );
  const data: Operation[] = [];
  let taken = 0;
  const all = merged(entries, waiting);
  for (const item of all) {
    if (data.length === limit) break;
    taken += 1;
    const isEntry = 'seq' in item;
    position.at = isEntry ? item.at.toISOString() : item.at;
    position.coming = isEntry ? '' : item.id;
    if (isEntry) position.left.set(item.ref.unit, item.seq - 1n);
    const shown = !isEntry ? item : couldMatch(item, filter) ? deps.show(item, await lookUp(item)) : undefined;
    if (shown && matches(shown, filter)) data.push(shown);
  }
  const isOver = isWhole && taken === all.length;
  return { data, searched: { to: position.at === '' ? null : position.at, next: isOver ? null : write(position) } };
}

const startOf = (spans: readonly Span[]): Position => ({
  ...{ at: '', coming: '' },
  left: new Map(spans.map(({ ref, upTo }) => [ref.unit, upTo])),
});

/**
 * Writes a position as `<time>~<id or nothing>~<unit>.<number>-…`. It has only numbers of the holder's own entries, so it need
 * not be signed or encrypted.
 */
const write = ({ at, coming, left }: Position): string =>
  [at, coming, [...left].map(([unit, seq]) => `${unit}.${seq}`).join('-')].join('~');

/** Parses a position. Wallets opened after the search began are not searched, since all of their entries are newer. */
function read(cursor: string): Position {
  const [at = '', coming = '', wallets = ''] = cursor.split('~');
  const pairs = wallets.split('-').map((pair) => pair.split('.'));
  return { at, coming, left: new Map(pairs.map(([unit = '', seq = '']) => [unit, BigInt(seq)])) };
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Returns the `max` newest entries of some spans together. Reads at most `max` entries of each span. */
function next(db: Statements, spans: readonly Span[], max: number): Promise<SpanEntry[]> {
  const windows = spans.map((span) => {
    const from = span.upTo - BigInt(max);
    return { ...span, after: from > span.after ? from : span.after };
  });
  return newestEntries(db, windows, max);
}

const isBehind = (one: Operation, { at, coming }: Position): boolean =>
  at === '' || one.at < at || (one.at === at && coming !== '' && one.id > coming);

/** Merges entries and incoming payments, newest first. With equal times, incoming payments come first. */
function merged(entries: readonly SpanEntry[], waiting: readonly Operation[]): (SpanEntry | Operation)[] {
  const rest = waiting.toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? 1 : -1));
  const all: (SpanEntry | Operation)[] = [];
  for (const entry of entries) {
    const at = entry.at.toISOString();
    while (rest[0] && rest[0].at >= at) all.push(rest.shift() as Operation);
    all.push(entry);
  }
  return [...all, ...rest];
}

/** Returns a function that looks up the details of an entry. Each query also reads the details of the next entries. */
function lookingUp(
  { db, sources }: SearchDeps,
  holderId: string,
  entries: readonly SpanEntry[],
): (entry: SpanEntry) => Promise<CauseDetail | undefined> {
  const known = new Map<string, CauseDetail>();
  let upTo = 0;
  return async (entry) => {
    while (entries.indexOf(entry) >= upTo) {
      const group = entries.slice(upTo, upTo + TOGETHER).map(({ cause }) => cause);
      for (const [cause, detail] of await detailsOf(db, sources, holderId, group)) known.set(cause, detail);
      upTo += TOGETHER;
    }
    return known.get(entry.cause);
  };
}
