// Reads the movements of a store's two accounts in one unit, in their order, with both balances after each.

import { type Span, type SpanEntry, newestEntries } from '../../ledger/index.ts';
import type { Statements } from '../../platform/index.ts';
import { type StoreEntry, entriesOf } from './entries.ts';
import { type UnitSpans, sizeOf } from './month.ts';

/** An entry with both balances after it, in parts. */
export interface BookedEntry extends StoreEntry {
  readonly balance: bigint;
  readonly reserve: bigint;
}

/** Balances of a store's two accounts in a unit, in parts. */
export interface Balances {
  readonly balance: bigint;
  readonly reserve: bigint;
}

/** Number of movements of an account in memory at a time. */
const GROUP = 250;

/** Returns the balances of units' accounts after the given numbers of entries, in the order of `units`. */
export async function balancesThen(db: Statements, units: readonly UnitSpans[], at: (span: Span) => bigint): Promise<Balances[]> {
  const spans = units
    .flatMap(({ balance, reserve }) => [balance, reserve])
    .map((span) => ({ ref: span.ref, after: at(span) - 1n, upTo: at(span) }))
    .filter(({ upTo }) => upTo > 0n);
  const last = await newestEntries(db, spans, spans.length);
  const known = new Map(last.map((entry) => [entry.ref.name, entry.balance]));
  const of = ({ ref }: Span): bigint => known.get(ref.name) ?? 0n;
  return units.map(({ balance, reserve }) => ({ balance: of(balance), reserve: of(reserve) }));
}

/** Yields the movements of one account, the oldest first. */
async function* movesOf(db: Statements, { ref, after, upTo }: Span): AsyncGenerator<SpanEntry, void> {
  for (let low = after; low < upTo; low += BigInt(GROUP)) {
    const high = low + BigInt(GROUP) < upTo ? low + BigInt(GROUP) : upTo;
    yield* (await newestEntries(db, [{ ref, after: low, upTo: high }], GROUP)).toReversed();
  }
}

/** Yields the movements of both accounts of a unit, the oldest first. */
async function* bothMoves(db: Statements, { balance, reserve }: UnitSpans): AsyncGenerator<SpanEntry, void> {
  const [one, other] = [movesOf(db, balance), movesOf(db, reserve)];
  let [a, b] = [await one.next(), await other.next()];
  while (a.done !== true || b.done !== true) {
    if (a.done !== true && (b.done === true || a.value.at < b.value.at)) {
      yield a.value;
      a = await one.next();
    } else if (b.done !== true) {
      yield b.value;
      b = await other.next();
    }
  }
}

/** Yields the entries of a unit in groups, the oldest first. Only one group is in memory. */
export async function* entriesForward(db: Statements, unit: UnitSpans): AsyncGenerator<BookedEntry[]> {
  const [opening] = await balancesThen(db, [unit], ({ after }) => after);
  let now: Balances = opening ?? { balance: 0n, reserve: 0n };
  let moves: SpanEntry[] = [];
  const entries = async (): Promise<BookedEntry[]> =>
    (await entriesOf(db, moves)).flat().map((entry) => {
      now = { ...now, [entry.account]: entry.after };
      return { ...entry, ...now };
    });
  for await (const move of bothMoves(db, unit)) {
    moves.push(move);
    if (moves.length < GROUP) continue;
    yield await entries();
    moves = [];
  }
  if (moves.length > 0) yield await entries();
}

/** A stretch of entries, the newest first, and the movements that are left before them. */
export interface Stretch {
  readonly entries: readonly BookedEntry[];
  readonly left: readonly UnitSpans[];
}

/** Returns the entries of the newest movements of units together, at most `count` of them, the newest first. */
export async function newestStretch(db: Statements, units: readonly UnitSpans[], count: number): Promise<Stretch> {
  const moves = await newestEntries(
    db,
    units.flatMap(({ balance, reserve }) => [balance, reserve]),
    count,
  );
  const used = units.filter(({ unit }) => moves.some(({ ref }) => ref.unit === unit));
  const then = await balancesThen(db, used, ({ upTo }) => upTo);
  const now = new Map(used.map(({ unit }, at) => [unit, then[at] ?? { balance: 0n, reserve: 0n }]));
  const entries = (await entriesOf(db, moves)).flatMap((parts) =>
    parts.toReversed().map((entry): BookedEntry => {
      const both = { balance: 0n, reserve: 0n, ...now.get(entry.unit), [entry.account]: entry.after };
      now.set(entry.unit, { ...both, [entry.account]: entry.after - entry.net });
      return { ...entry, ...both };
    }),
  );
  const taken = Map.groupBy(moves, ({ ref }) => ref.name);
  const rest = (span: Span): Span => ({ ...span, upTo: span.upTo - BigInt(taken.get(span.ref.name)?.length ?? 0) });
  return { entries, left: units.map(({ unit, balance, reserve }) => ({ unit, balance: rest(balance), reserve: rest(reserve) })) };
}

/** True if units have movements. */
export const hasMoves = (units: readonly UnitSpans[]): boolean =>
  units.some(({ balance, reserve }) => sizeOf(balance) + sizeOf(reserve) > 0n);
