import type { Input, Output, Routes } from '@kurs/contract';
import { text } from '../sums.ts';

/** An operation as the list shows it. */
export type Operation = Output<Routes['userTransactions']>[number];
export type OperationKind = Operation['kind'];
/** Filter of operations. */
export type OperationFilter = Omit<Input<Routes['userTransactions']>, 'page' | 'per_page' | 'before'>;

const PREFIXES: readonly (readonly [prefix: string, kind: OperationKind])[] = [
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  ['transfer', 'transfer'],
  ['reward', 'reward'],
  ['earn', 'reward'],
];
/** Journal kinds by which an order moves money into or out of its customer's wallet. */
const OF_ORDERS: ReadonlySet<string> = new Set([
  'payin',
  'payin_reversed',
  'exchange',
  'unwind',
  'buy_back',
  'payout_queued',
  'refund_queued',
  'sent',
  'refused',
  'returned',
  'claimed',
  'unallocated',
  'unallocated_used',
]);

/** Returns the operation kind of a journal kind, by the beginning of the journal kind's name. */
export function operationKindOf(journalKind: string): OperationKind {
  if (OF_ORDERS.has(journalKind)) return 'exchange';
  return PREFIXES.find(([prefix]) => journalKind.startsWith(prefix))?.[1] ?? 'other';
}

/** Returns true if a filter has other criteria than wallets and days. Then each entry must be read to count the matches. */
export const checksEach = ({ kind, status, min, max, q }: OperationFilter): boolean =>
  [kind, status].some((list) => list !== undefined && list.length > 0) ||
  [min, max, q].some((text) => text !== undefined && text !== '');

/** Returns true if a filter needs details that the books don't have. */
export const needsDetail = ({ status, q }: OperationFilter): boolean =>
  (status !== undefined && status.length > 0) || (q !== undefined && q.trim() !== '');

/** Journal kinds that withdrawals and orders share; only the journal's cause tells the two apart. */
const SHARED: ReadonlySet<string> = new Set(['sent', 'refused', 'returned']);

/** Returns false if the books alone show that an entry can't match. Then its details need not be looked up. */
export function couldMatch(
  entry: { readonly kind: string; readonly change: bigint; readonly ref: { readonly unit: string } },
  { kind, min, max }: OperationFilter,
): boolean {
  const { change, ref } = entry;
  const known = operationKindOf(entry.kind);
  const isSure = known !== 'other' && !SHARED.has(entry.kind);
  if (kind && kind.length > 0 && isSure && !kind.includes(known)) return false;
  return isBetween(text(ref.unit, change < 0n ? -change : change), { min, max });
}

const isBetween = (sum: string, { min, max }: Pick<OperationFilter, 'min' | 'max'>): boolean =>
  (min === undefined || compare(sum, min) >= 0) && (max === undefined || compare(sum, max) <= 0);

/** Returns true if an operation matches a filter. Ignores the filter's wallets and days. */
export function matches(one: Operation, { kind, status, min, max, q }: OperationFilter): boolean {
  if (kind && kind.length > 0 && !kind.includes(one.kind)) return false;
  if (status && status.length > 0 && !status.includes(one.status)) return false;
  if (!isBetween(one.amount.replace('-', ''), { min, max })) return false;
  const word = q?.trim().toLowerCase() ?? '';
  if (word === '') return true;
  return [one.order, one.txid, one.address, one.person, one.id].some((known) => known?.toLowerCase().includes(word));
}

/** Returns a number with up to 18 decimals as a whole number of 10^-18. */
const whole = (decimal: string): bigint => {
  const [units = '0', digits = ''] = decimal.split('.');
  return BigInt(units + digits.padEnd(18, '0'));
};
const compare = (one: string, other: string): number => {
  const [a, b] = [whole(one), whole(other)];
  return a < b ? -1 : a > b ? 1 : 0;
};

const DAY_MS = 86_400_000;

/**
 * Returns `before`, the last millisecond before a filter's first day, and `end`, the last millisecond of its last day. Entries
 * have times in milliseconds.
 */
export function boundsOf({ from, to }: Pick<OperationFilter, 'from' | 'to'>): {
  before: Date | undefined;
  end: Date | undefined;
} {
  const before = from === undefined ? undefined : new Date(Date.parse(`${from}T00:00:00Z`) - 1);
  const end = to === undefined ? undefined : new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS - 1);
  return { before, end };
}
