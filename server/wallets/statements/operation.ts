import type { Input, Output, Routes } from '@kurs/contract';
import { text } from '../sums.ts';

/** An operation as the list shows it. */
export type Operation = Output<Routes['userTransactions']>[number];
export type OperationKind = Operation['kind'];
/** What operations are narrowed by. */
export type OperationFilter = Omit<Input<Routes['userTransactions']>, 'page' | 'per_page' | 'before'>;

const PREFIXES: readonly (readonly [prefix: string, kind: OperationKind])[] = [
  ['deposit', 'deposit'],
  ['withdrawal', 'withdrawal'],
  ['transfer', 'transfer'],
  ['reward', 'reward'],
  ['earn', 'reward'],
];
/** What an order does to a wallet that it is paid from or paid into. */
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

/** What a journal's kind is to the holder of a wallet that it moves money in. Kinds are told by how their names begin. */
export function operationKindOf(journalKind: string): OperationKind {
  if (OF_ORDERS.has(journalKind)) return 'exchange';
  return PREFIXES.find(([prefix]) => journalKind.startsWith(prefix))?.[1] ?? 'other';
}

/** Whether the filter asks for more than wallets and days: what it leaves can't be counted without looking at each entry. */
export const looksAtEach = ({ kind, status, min, max, q }: OperationFilter): boolean =>
  [kind, status].some((list) => list !== undefined && list.length > 0) ||
  [min, max, q].some((text) => text !== undefined && text !== '');

/** Whether a filter asks for what the books alone don't say of an entry. */
export const needsDetail = ({ status, q }: OperationFilter): boolean =>
  (status !== undefined && status.length > 0) || (q !== undefined && q.trim() !== '');

/** Kinds of journals that withdrawals and orders share: only their cause says which it was. */
const SHARED: ReadonlySet<string> = new Set(['sent', 'refused', 'returned']);

/** Whether the books let an entry match: what they say enough of is never looked up in vain. */
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

/** Whether an operation is among those that a filter asks for, beside its wallets and days. */
export function matches(one: Operation, { kind, status, min, max, q }: OperationFilter): boolean {
  if (kind && kind.length > 0 && !kind.includes(one.kind)) return false;
  if (status && status.length > 0 && !status.includes(one.status)) return false;
  if (!isBetween(one.amount.replace('-', ''), { min, max })) return false;
  const word = q?.trim().toLowerCase() ?? '';
  if (word === '') return true;
  return [one.order, one.txid, one.address, one.person, one.id].some((known) => known?.toLowerCase().includes(word));
}

/** Decimals of up to 18 digits behind the point, as whole numbers of that many. */
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
 * The last moments before a filter's first day begins and before the day after its last one does. Entries have milliseconds.
 */
export function boundsOf({ from, to }: Pick<OperationFilter, 'from' | 'to'>): {
  before: Date | undefined;
  end: Date | undefined;
} {
  const before = from === undefined ? undefined : new Date(Date.parse(`${from}T00:00:00Z`) - 1);
  const end = to === undefined ? undefined : new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS - 1);
  return { before, end };
}
