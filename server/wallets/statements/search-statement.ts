// Looking through long statements: a filter that has to look at each entry looks at some of the newest at a time, says how far
// back it has come, and goes on from there when it is asked again. So an answer costs the same, however long the statement.

import { type Span, type SpanEntry, newestEntries } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { type CauseDetail, type CauseSource, detailsOf } from './causes.ts';
import { type Operation, type OperationFilter, couldMatch, matches, needsDetail } from './operation.ts';

/** Entries that are looked at in one go: where the books say enough of each, and where each has to be looked up. */
const BY_BOOKS = 500;
const BY_DETAIL = 200;
/** How many of the entries that the books leave are looked up together. */
const TOGETHER = 100;

/** How far a search has come: the moment of the last entry taken, and which entries of each wallet are left. */
interface Position {
  at: string;
  /** The last entry on its way in at that very moment that was taken. */
  coming: string;
  readonly left: Map<string, bigint>;
}

/** What a search found, how far back it went, and where the next one goes on; null at the end. */
export interface StatementSearch {
  readonly data: Operation[];
  readonly looked: { readonly to: string | null; readonly next: string | null };
}

export interface SearchDeps {
  readonly db: Statements;
  readonly sources: readonly CauseSource[];
  /** An entry with what is known of its cause, as the list shows it. */
  readonly show: (entry: SpanEntry, detail: CauseDetail | undefined) => Operation;
}

/** Where a look goes through: a holder's entries, and what is on its way in beside them. */
export interface SearchedStatement {
  readonly holderId: string;
  readonly spans: readonly Span[];
  readonly coming: readonly Operation[];
}

/**
 * Looks at the next entries of a holder's spans, newest first, and among them at what is on its way in. Gives at most `limit`
 * operations that match. `before`: where the last look stopped, as it was told.
 */
export async function searchStatement(
  deps: SearchDeps,
  { holderId, spans, coming }: SearchedStatement,
  filter: OperationFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<StatementSearch> {
  const position = before === undefined ? startOf(spans) : read(before);
  const left = spans.map((span) => ({ ...span, upTo: least(span.upTo, position.left.get(span.ref.unit) ?? 0n) }));
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
  return { data, looked: { to: position.at === '' ? null : position.at, next: isOver ? null : write(position) } };
}

const startOf = (spans: readonly Span[]): Position => ({
  ...{ at: '', coming: '' },
  left: new Map(spans.map(({ ref, upTo }) => [ref.unit, upTo])),
});

/** `<moment>~<id or nothing>~<unit>.<number>-…`: numbers of one's own entries, so there is nothing to hide in it. */
const write = ({ at, coming, left }: Position): string =>
  [at, coming, [...left].map(([unit, seq]) => `${unit}.${seq}`).join('-')].join('~');

/** A wallet that was opened since isn't gone back to: all of it is newer. */
function read(cursor: string): Position {
  const [at = '', coming = '', wallets = ''] = cursor.split('~');
  const pairs = wallets.split('-').map((pair) => pair.split('.'));
  return { at, coming, left: new Map(pairs.map(([unit = '', seq = '']) => [unit, BigInt(seq)])) };
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** The newest entries of spans: no more of any is read than could be among them. */
function next(db: Statements, spans: readonly Span[], most: number): Promise<SpanEntry[]> {
  const windows = spans.map((span) => {
    const from = span.upTo - BigInt(most);
    return { ...span, after: from > span.after ? from : span.after };
  });
  return newestEntries(db, windows, most);
}

const isBehind = (one: Operation, { at, coming }: Position): boolean =>
  at === '' || one.at < at || (one.at === at && coming !== '' && one.id > coming);

/** Newest first; of one moment what is on its way in comes first. */
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

/** Looks causes up as they are asked for, with those that follow: entries come in this order. */
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
