// Lists all operations in a holder's wallets: entries of the books and incoming payments, filtered and in pages.

import type { Output, Routes } from '@kurs/contract';
import {
  type Span,
  type SpanEntry,
  accounts,
  balance,
  balanceAt,
  balancesAt,
  entryByLeg,
  entryCounts,
  entryCountsAt,
  newestEntries,
} from '../../ledger/index.ts';
import { type ListMeta, type Statements, knownMeta } from '../../platform/index.ts';
import { type CauseDetail, type CauseSource, depositDetail, detailsOf } from './causes.ts';
import {
  type Operation,
  type OperationFilter,
  type OperationKind,
  boundsOf,
  checksEach,
  matches,
  operationKindOf,
} from './operation.ts';
import { type StatementSearch, searchStatement } from './search-statement.ts';
import { type DepositAtAddress, depositsOfHolder } from './statement-store.ts';
import { unitsOf } from '../store.ts';
import { signed, text } from '../sums.ts';

/** Maximum number of entries in a range for which each entry is read; then counts and pages are exact for any filter. */
const FEW = 2_000;
/** Number of entries up to which pages over several wallets together reach. Pages of a single wallet have no limit. */
const MAX_MERGED = 10_000;
/** Maximum number of incoming payments that are read. */
const MAX_COMING = 1_000;
interface Deps {
  readonly db: Statements;
  readonly sources: readonly CauseSource[];
}

/** A holder's selected wallets. `spans`: the entries of each wallet within the filter's days; `size`: their total number. */
interface Range {
  readonly holderId: string;
  readonly units: readonly string[];
  readonly spans: readonly Span[];
  readonly size: bigint;
}

/** Returns the range of entries within a filter's wallets and days. Wallets that the holder doesn't have are left out. */
export async function rangeOf(db: Statements, holderId: string, filter: OperationFilter): Promise<Range> {
  const own = await unitsOf(db, holderId);
  const requests = filter.currency && filter.currency.length > 0 ? new Set(filter.currency) : undefined;
  const units = own.filter((unit) => requests?.has(unit) ?? true);
  const refs = units.map((unit) => accounts.wallet(holderId, unit));
  const { before, end } = boundsOf(filter);
  const after = before === undefined ? refs.map(() => 0n) : await entryCountsAt(db, refs, before);
  const upTo = end === undefined ? await entryCounts(db, refs) : await entryCountsAt(db, refs, end);
  const spans = refs.map((ref, index) => ({ ref, after: after[index] as bigint, upTo: upTo[index] as bigint }));
  const size = spans.reduce((sum, span) => sum + (span.upTo > span.after ? span.upTo - span.after : 0n), 0n);
  return { holderId, units, spans, size };
}

/** Paging data of a list of operations. `searched` is present for a statement that is too long to count. */
type Meta = ListMeta & Partial<Pick<StatementSearch, 'searched'>>;

/**
 * Returns a page of a holder's operations, newest first, with the number of all matches. If a filter would have to read too many
 * entries, returns the matches among some of the newest, and how far back it searched. `before` continues the search from there.
 */
export async function operations(
  deps: Deps,
  holderId: string,
  {
    page,
    per_page,
    before,
    ...filter
  }: OperationFilter & { readonly page: number; readonly per_page: number; readonly before?: string | undefined },
): Promise<{ data: Operation[]; meta: Meta }> {
  const range = await rangeOf(deps.db, holderId, filter);
  const offset = (page - 1) * per_page;
  const isShort = range.size <= BigInt(FEW);
  if (before !== undefined || (!isShort && checksEach(filter))) {
    const coming = await comingOf(deps.db, range, filter);
    const found = await searchStatement({ ...deps, show: operationOf }, { ...range, coming }, filter, {
      before,
      limit: per_page,
    });
    const meta = knownMeta({ page: 1, per_page }, found.data.length);
    return { data: found.data, meta: { ...meta, searched: found.searched } };
  }
  const { data, total, isMore } = isShort
    ? await byLooking(deps, range, filter, offset, per_page)
    : await byCounting(deps, range, filter, offset, per_page);
  return { data, meta: knownMeta({ page, per_page }, total, isMore) };
}

async function byLooking(deps: Deps, range: Range, filter: OperationFilter, offset: number, limit: number) {
  const all = (await seen(deps, range, filter)).filter((one) => matches(one, filter));
  return { data: all.slice(offset, offset + limit), total: all.length, isMore: false };
}

/** Returns all operations of a range with few entries, newest first. */
async function seen({ db, sources }: Deps, range: Range, filter: OperationFilter): Promise<Operation[]> {
  const { holderId } = range;
  const entries = await newestEntries(db, range.spans, FEW);
  const coming = await comingOf(db, range, filter);
  const reported = [...(await reportedOf(db, sources, holderId, entries)), ...coming];
  // Entries and deposits are already sorted. The stable sort keeps the sequence of events at the same moment.
  return coming.length === 0 ? reported : reported.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/**
 * Returns those deposits of a range that have not become available, as operations: incoming payments, and payments that failed
 * to arrive.
 */
export async function comingOf(db: Statements, { holderId, units }: Range, filter: OperationFilter): Promise<Operation[]> {
  const { before: after, end: upTo } = boundsOf(filter);
  const found = await depositsOfHolder(db, holderId, { isApart: true, units, after, upTo, limit: MAX_COMING });
  return found.map(operationOfDeposit);
}

/**
 * Returns a page by its position, without reading the entries before it, even among millions. Incoming payments come first, then
 * the entries of the books.
 */
async function byCounting({ db, sources }: Deps, range: Range, filter: OperationFilter, offset: number, limit: number) {
  const { before: after, end: upTo } = boundsOf(filter);
  const { holderId, units, spans, size } = range;
  const coming = await depositsOfHolder(db, holderId, { isApart: true, isComing: true, units, after, upTo, limit: MAX_COMING });
  const first = coming.slice(offset, offset + limit).map(operationOfDeposit);
  const skip = Math.max(0, offset - coming.length);
  const wanted = limit - first.length;
  const [only, ...others] = spans.filter((span) => span.upTo > span.after);
  const entries =
    only && others.length === 0
      ? await newestEntries(db, [{ ...only, upTo: only.upTo - BigInt(skip) }], wanted)
      : (await newestEntries(db, spans, Math.min(skip + wanted, MAX_MERGED))).slice(skip);
  const isMore = others.length > 0 && size > MAX_MERGED;
  const reached = isMore ? BigInt(MAX_MERGED) : size;
  const data = [...first, ...(await reportedOf(db, sources, holderId, entries))];
  // The count becomes a plain number, since JSON has no bigints.
  return { data, total: coming.length + Number.parseInt(reached.toString(), 10), isMore };
}

/**
 * Returns the number of operations of each kind that match a filter, and the available balances before and after the filter's
 * days.
 */
export async function figures(
  deps: Deps,
  holderId: string,
  filter: OperationFilter,
): Promise<Output<Routes['userTransactionFigures']>> {
  const range = await rangeOf(deps.db, holderId, filter);
  const counts =
    range.size > BigInt(FEW)
      ? null
      : countKinds((await seen(deps, range, filter)).filter((one) => matches(one, { ...filter, kind: undefined })));
  const [unit, ...others] = filter.currency ?? [];
  if (unit === undefined || others.length > 0 || range.units[0] !== unit) return { counts, opening: null, closing: null };
  const ref = accounts.wallet(holderId, unit);
  const { before, end } = boundsOf(filter);
  const opening = before === undefined ? 0n : await balanceAt(deps.db, ref, before);
  const closing = end === undefined ? await balance(deps.db, ref) : await balanceAt(deps.db, ref, end);
  return { counts, opening: text(unit, opening), closing: text(unit, closing) };
}

function countKinds(all: readonly Operation[]): Record<OperationKind, number> {
  const counts: Record<OperationKind, number> = { deposit: 0, exchange: 0, withdrawal: 0, transfer: 0, reward: 0, other: 0 };
  for (const { kind } of all) counts[kind] += 1;
  return counts;
}

/** Returns one operation of a holder, with its steps; undefined if it doesn't exist or belongs to another holder. */
export async function operation(
  { db, sources }: Deps,
  holderId: string,
  id: string,
): Promise<Output<Routes['userTransaction']> | undefined> {
  const [uuid = '', leg] = id.split('.');
  const [deposit] = leg === undefined ? await depositsOfHolder(db, holderId, { ids: [uuid], limit: 1 }) : [];
  if (deposit) return withSteps(operationOfDeposit(deposit), depositDetail(deposit));
  if (leg === undefined) return undefined;
  const refs = (await unitsOf(db, holderId)).map((unit) => accounts.wallet(holderId, unit));
  const entry = await entryByLeg(db, refs, { journal: uuid, leg: Number.parseInt(leg, 10) });
  if (!entry) return undefined;
  const detail = (await detailsOf(db, sources, holderId, [entry.cause])).get(entry.cause);
  return withSteps(operationOf(entry, detail), detail ?? {}, entry.at);
}

function withSteps(shown: Operation, { steps = [] }: CauseDetail, at?: Date): Output<Routes['userTransaction']> {
  const all = steps.length > 0 ? steps : at === undefined ? [] : [{ at, what: shown.entry }];
  return { ...shown, steps: all.map((step) => ({ at: step.at.toISOString(), what: step.what })) };
}

async function reportedOf(
  db: Statements,
  sources: readonly CauseSource[],
  holderId: string,
  entries: readonly SpanEntry[],
): Promise<Operation[]> {
  const details = await detailsOf(
    db,
    sources,
    holderId,
    entries.map(({ cause }) => cause),
  );
  return entries.map((entry) => operationOf(entry, details.get(entry.cause)));
}

/** Returns the operation of an entry in the books, with the details of the entry's cause. */
export function operationOf(entry: SpanEntry, detail: CauseDetail = {}): Operation {
  const { unit } = entry.ref;
  const {
    kind = operationKindOf(entry.kind),
    status,
    refunds,
    steps: _,
    confirmations: __,
    needed: ___,
    free_at: ____,
    ...known
  } = detail;
  return {
    ...known,
    id: `${entry.journal}.${entry.leg}`,
    kind,
    // Payouts and refunds of an order share one journal kind. An entry is a refund if the order was paid from this wallet.
    entry: entry.kind === 'sent' && entry.change > 0n && refunds === unit ? 'refund' : entry.kind,
    // Incoming money has arrived; only outgoing money may still be on its way.
    status:
      entry.change > 0n || kind === 'deposit' ? 'done' : (status ?? (entry.kind === 'withdrawal_asked' ? 'waiting' : 'done')),
    at: entry.at.toISOString(),
    currency: unit,
    amount: signed(unit, entry.change),
    balance: text(unit, entry.balance),
  };
}

/** Returns the operation of a deposit that has not become available. The books have no entry of such a deposit. */
function operationOfDeposit(one: DepositAtAddress): Operation {
  const { steps: _, ...known } = depositDetail(one);
  return {
    ...known,
    id: one.payinId,
    kind: 'deposit',
    entry: 'deposit',
    status: known.status ?? 'done',
    at: one.seenAt.toISOString(),
    currency: one.unit,
    amount: text(one.unit, one.parts),
    balance: null,
  };
}

/** Returns a holder's available balance in a wallet at a moment, by the books. */
export async function balanceThen(
  db: Statements,
  holderId: string,
  { currency: unit, at }: { readonly currency: string; readonly at: Date },
): Promise<Output<Routes['walletBalance']>> {
  const refs = [accounts.wallet(holderId, unit), accounts.walletHeld(holderId, unit), accounts.walletUncleared(holderId, unit)];
  const [available = 0n, held = 0n, uncleared = 0n] = await balancesAt(db, refs, at);
  const show = (parts: bigint): string => text(unit, parts);
  return {
    currency: unit,
    at: at.toISOString(),
    available: show(available),
    held: show(held),
    uncleared: show(uncleared),
    total: show(available + held + uncleared),
  };
}
