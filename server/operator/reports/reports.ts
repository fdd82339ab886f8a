// Reports of the desk's money over days in UTC: profit, customers' turnover, and position.

import type { Input, Output, Routes } from '@kurs/contract';
import { fieldProblem } from '@kurs/contract';
import { ORDER_CURRENCIES } from '../../exchange/index.ts';
import { type OwnMove, formatUsd, ownBefore, ownMoves, pricesBefore, usdOf } from '../../ledger/index.ts';
import { PAYOUT_CURRENCIES, currencyOf } from '../../payments/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { currentView } from '../../pricing/index.ts';
import { signed } from '../views.ts';

type ReportRequest = Input<Routes['operatorProfit']>;
type By = NonNullable<ReportRequest['by']>;
type Named = Pick<Output<Routes['operatorProfit']>['rows'][number], 'day' | 'direction' | 'rail' | 'other'>;
type Other = NonNullable<Named['other']>;

const DAY_MS = 24 * 3_600_000;
const ROWS = { pairs: ORDER_CURRENCIES, payouts: PAYOUT_CURRENCIES };

interface Period {
  readonly from: Date;
  readonly until: Date;
  readonly wire: { readonly from: string; readonly to: string; readonly by?: By };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const midnight = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** Returns the period of the requested days; today by default. Throws `validation` at `to` if `to` is before `from`. */
function periodOf(tx: Tx, { from, to, by }: ReportRequest): Period {
  const last = to ?? dayOf(tx.now);
  const first = from ?? last;
  if (first > last) throw fieldProblem('to', 'to_before_from');
  const until = new Date(midnight(last).getTime() + DAY_MS);
  return { from: midnight(first), until, wire: { from: first, to: last, ...(by && { by }) } };
}

const movesOf = (db: Tx, { from, until, wire }: Period): Promise<OwnMove[]> =>
  ownMoves(db, { from, until, isByDay: wire.by === 'day' }, ROWS);

/** Returns the desk's profit in a period. The rows add up to `operating`, which equals the ledger's `profit` of the same days. */
export async function profitView(db: Db, input: ReportRequest): Promise<Output<Routes['operatorProfit']>> {
  return db.tx(
    async (tx) => {
      const period = periodOf(tx, input);
      const moves = await movesOf(tx, period);
      const rows = rowsBy(moves, period, ownerOf, 'operating').map(({ named, moves: own }) => ({
        ...named,
        operating: formatUsd(total(own, 'operating')),
      }));
      return { ...period.wire, operating: formatUsd(total(moves, 'operating')), rows };
    },
    { isSnapshot: true },
  );
}

/** Returns customers' turnover in a period, at the prices at which the exchanges were booked. */
export async function turnoverView(db: Db, input: ReportRequest): Promise<Output<Routes['operatorTurnover']>> {
  return db.tx(
    async (tx) => {
      const period = periodOf(tx, input);
      const moves = await movesOf(tx, period);
      const exchanged = moves.filter(({ turnover, exchanges }) => turnover !== 0n || exchanges !== 0);
      const sums = (own: readonly OwnMove[]) => ({
        usd: formatUsd(total(own, 'turnover')),
        exchanges: own.reduce((sum, { exchanges }) => sum + exchanges, 0),
      });
      const rows = rowsBy(exchanged, period, ownerOf, 'turnover').map(({ named, moves: own }) => ({ ...named, ...sums(own) }));
      return { ...period.wire, ...sums(moves), rows };
    },
    { isSnapshot: true },
  );
}

/**
 * Returns the desk's own money in each unit at the beginning and the end of a period, and its changes: capital, exchanges, costs.
 */
export async function positionView(db: Db, input: ReportRequest): Promise<Output<Routes['operatorPosition']>> {
  return db.tx(
    async (tx) => {
      const period = periodOf(tx, input);
      const [moves, opening, closing] = [
        await movesOf(tx, period),
        await ownBefore(tx, period.from),
        await ownBefore(tx, period.until),
      ];
      const known = [...closing.keys()].filter((unit) => opening.get(unit) || closing.get(unit) || changeOf(moves, unit));
      const prices = await pricesBefore(tx, known, period.until);
      const units = known.map((unit) => {
        const [before = 0n, after = 0n] = [opening.get(unit), closing.get(unit)];
        const usd = worth(unit, after, prices[unit] ?? '0');
        return {
          ...{ unit, opening: signed(unit, before), change: signed(unit, after - before) },
          ...{ closing: signed(unit, after), usd },
        };
      });
      const rows = rowsBy(moves, period, placeOf, 'change').flatMap(({ named, moves: own }) =>
        [...new Set(own.map(({ unit }) => unit))].map((unit) => ({
          ...{ ...named, unit, change: signed(unit, changeOf(own, unit)) },
        })),
      );
      return { ...period.wire, units, rows };
    },
    { isSnapshot: true },
  );
}

const total = (moves: readonly OwnMove[], of: 'operating' | 'turnover'): bigint =>
  moves.reduce((sum, move) => sum + move[of], 0n);

const changeOf = (moves: readonly OwnMove[], unit: string): bigint =>
  moves.filter((move) => move.unit === unit).reduce((sum, { change }) => sum + change, 0n);

/**
 * Returns the exact value of an amount at a price in USD. The price is multiplied as a whole number, and the decimal point is
 * moved back afterwards.
 */
function worth(unit: string, parts: bigint, price: string): string {
  const [whole = '0', behind = ''] = price.split('.');
  const product = (parts * BigInt(whole + behind))
    .toString()
    .replace('-', '')
    .padStart(behind.length + 1, '0');
  const at = product.length - behind.length;
  return formatUsd(usdOf(unit, `${parts < 0n ? '-' : ''}${product.slice(0, at)}${behind && `.${product.slice(at)}`}`));
}

interface Group {
  readonly named: Named;
  readonly moves: OwnMove[];
}

/**
 * Groups moves of the desk's money by day, direction or rail. Without a grouping, returns no rows. Every day of the period has a
 * row, even without moves. Directions and rails are sorted by sum, the largest first; moves without a direction or rail come
 * last.
 */
function rowsBy(
  moves: readonly OwnMove[],
  { from, until, wire: { by } }: Period,
  whose: (move: OwnMove) => string | undefined,
  sortedBy: 'operating' | 'turnover' | 'change',
): Group[] {
  if (by === undefined) return [];
  if (by === 'day') {
    const own = Map.groupBy(moves, ({ day }) => day);
    const days = Array.from({ length: (until.getTime() - from.getTime()) / DAY_MS }, (_, n) =>
      dayOf(new Date(from.getTime() + n * DAY_MS)),
    );
    return days.map((day) => ({ named: { day }, moves: own.get(day) ?? [] }));
  }
  const groups = new Map<string, Group>();
  for (const move of moves) {
    const named = by === 'direction' ? directionOf(move) : railOf(move, whose(move));
    const key = JSON.stringify(named);
    const group = groups.get(key) ?? { named, moves: [] };
    group.moves.push(move);
    groups.set(key, group);
  }
  const found = [...groups.values()].sort((a, b) => textOf(a.named).localeCompare(textOf(b.named)));
  if (sortedBy !== 'change') found.sort((a, b) => compare(total(b.moves, sortedBy), total(a.moves, sortedBy)));
  const hasPlace = ({ named }: Group): boolean => named.other === undefined;
  return [...found.filter(hasPlace), ...found.filter((group) => !hasPlace(group))];
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const textOf = ({ direction, rail, other }: Named): string => direction ?? rail ?? other ?? '';

/** Returns the direction of the order that caused a move. If the move has no direction, returns the move's group. */
function directionOf(move: OwnMove): Named {
  const { pair } = move;
  if (pair?.get === undefined) return { other: otherOf(move) };
  const known = currentView().directions.find(({ from, to }) => from === pair.give && to === pair.get);
  return { direction: known?.slug ?? `${pair.give} ${pair.get}` };
}

/**
 * Returns the currency whose rail a profit or cost belongs to. A cost belongs to the rail that charged it. A profit belongs to
 * the rail that the order was paid by.
 */
const ownerOf = ({ isCost, place, pair }: OwnMove): string | undefined => (isCost ? (place ?? pair?.give) : pair?.give);

/** Returns the currency whose rail has more or less money after a move. */
const placeOf = ({ isOut, place, pair }: OwnMove): string | undefined => place ?? (isOut ? pair?.get : pair?.give);

function railOf(move: OwnMove, currency: string | undefined): Named {
  if (currency === undefined) return { other: otherOf(move) };
  const rail = currencyOf(currency)?.rail;
  return rail === undefined ? { other: 'not_set_up' } : { rail };
}

const OF_DESK: ReadonlySet<string> = new Set(['found_late', 'found_late_settled', 'write_off', 'reversal', 'dispute_won']);
const OF_REWARDS = /^(coupon|promo|reward|earn)/;
const OF_WALLETS = /^(deposit|withdrawal|transfer|sent|refused|returned|refund)/;

/** Returns the group of a move that has no direction or rail. */
function otherOf({ kind, pair }: OwnMove): Other {
  if (pair) return 'unmatched';
  if (OF_REWARDS.test(kind)) return 'rewards';
  if (OF_WALLETS.test(kind)) return 'wallets';
  if (/^(invoice|merchant)/.test(kind)) return 'invoices';
  return OF_DESK.has(kind) || !/^(exchange|unwind|payin|unallocated|order)/.test(kind) ? 'desk' : 'unmatched';
}
