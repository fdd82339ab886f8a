import type { AccountRef } from './chart.ts';

/**
 * What a journal says happened, and the code it is stored as (`posting.kind`). Codes are for ever: add, never reuse.
 * Only `capital_in` and `capital_out` mean something to the ledger itself: they are no profit. A capital payout that
 * is refused comes back under `capital_out` too.
 */
export const KINDS = {
  // An order. `exchange` may carry the pay-in and the intent of the same event in one journal; name the furthest step.
  reserve: 1,
  reserve_back: 2,
  payin: 3,
  payin_reversed: 4,
  exchange: 5,
  unwind: 6,
  buy_back: 7,
  payout_queued: 8,
  payout_stopped: 9,
  refund_queued: 10,
  refund_stopped: 11,
  sent: 12,
  refused: 13,
  returned: 14,
  unclaimed: 15,
  claimed: 16,
  frozen: 17,
  unfrozen: 18,
  surrendered: 19,
  unallocated: 20,
  unallocated_used: 21,
  reversal: 22,
  reversal_settled: 23,
  dispute_won: 24,
  write_off: 25,
  // A transfer that turned up after it had counted as not sent: owed by its receiver, and settled.
  found_late: 26,
  found_late_settled: 27,
  // Coupons and rewards.
  coupon_issued: 30,
  coupon_used: 31,
  coupon_expired: 32,
  promo_funded: 33,
  reward: 34,
  reward_matured: 35,
  reward_paid: 36,
  reward_taken_back: 37,
  earn: 38,
  earn_paid: 39,
  earn_given_up: 40,
  // What an affiliate owes, repaid from rewards that came back.
  reward_repaid: 41,
  // Wallets.
  deposit: 50,
  deposit_matured: 51,
  deposit_reversed: 52,
  withdrawal_asked: 53,
  withdrawal_cancelled: 54,
  withdrawal_queued: 55,
  transfer: 56,
  withdrawal_kept: 57,
  // Invoices.
  invoice_reserve: 60,
  invoice_payin: 61,
  invoice_converted: 62,
  invoice_settled: 63,
  invoice_over: 64,
  invoice_expired: 65,
  invoice_reversed: 66,
  merchant_refund: 67,
  merchant_refund_claimed: 68,
  merchant_refund_expired: 69,
  merchant_released: 70,
  // The desk.
  capital_in: 80,
  capital_out: 81,
  rebalance: 82,
  sweep: 83,
  fuel: 84,
  network_fee: 85,
  rail_fee: 86,
  close: 87,
  difference: 88,
  difference_cleared: 89,
  stuck: 90,
  unstuck: 91,
} as const satisfies Record<string, number>;

export type JournalKind = keyof typeof KINDS;

const NAMES = new Map<number, JournalKind>(Object.entries(KINDS).map(([name, code]) => [code, name as JournalKind]));

/** The kind that a stored code stands for. Throws for a code of a newer program. */
export function kindOf(code: number): JournalKind {
  const kind = NAMES.get(code);
  if (kind === undefined) throw new Error(`No kind of journal has the code ${code}`);
  return kind;
}

/** Value goes `from` → `to`: `parts` above zero of one unit. Direction is never a sign. */
export interface Leg<U extends string = string> {
  readonly from: AccountRef<U>;
  readonly to: AccountRef<U>;
  readonly parts: bigint;
}

/**
 * What one event does to the books: all of its legs or none.
 * - `id`: uuid of the timeline or event row that caused it, and so its idempotency key
 * - `cause`: uuid of what it is about (the order, the intent, the sweep)
 * - `prices`: USD for one whole unit, plain decimals by unit (`{ BTC: '95000.12' }`), for every unit in which the
 *   desk's own money changes; without one, profit values the change at the unit's last known price
 */
export interface Journal {
  readonly id: string;
  readonly kind: JournalKind;
  readonly cause: string;
  readonly legs: readonly Leg[];
  readonly prices?: Readonly<Record<string, string>>;
}

/**
 * What became of a journal:
 * - `posted`: written now · `replayed`: was there already, with the same content
 * - `conflict`: its id was there already, with other content
 * - `floor`, `ceiling`: after it, an account would stand out of its bounds; `leg` is the index of the first leg out of
 *   (`floor`) or into (`ceiling`) that account. Nothing of the journal is written
 */
export type JournalStatus =
  | { readonly status: 'posted' | 'replayed' | 'conflict' }
  | { readonly status: 'floor' | 'ceiling'; readonly leg: number };

/** One leg. The compiler refuses two units; RangeErrors for no parts, one account twice or a unit mismatch. */
export function leg<U extends string>(from: AccountRef<U>, to: AccountRef<NoInfer<U>>, parts: bigint): Leg<U> {
  const made = { from, to, parts };
  assertLeg(made);
  return made;
}

const LARGEST = 10n ** 38n;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PRICE = /^[0-9]{1,20}(?:\.[0-9]{1,18})?$/;
const NAME = /^[A-Za-z0-9_.:-]{1,200}$/;
const MOST_LEGS = 1_000;

function assertLeg({ from, to, parts }: Leg): void {
  if (parts <= 0n || parts >= LARGEST) throw new RangeError(`A leg moves more than 0 and fewer than 39 digits: ${parts}`);
  if (from.unit !== to.unit) throw new RangeError(`${from.name} and ${to.name} are of different units`);
  if (!NAME.test(from.name) || !NAME.test(to.name)) throw new RangeError(`Not accounts: ${from.name}, ${to.name}`);
  if (from.name === to.name) throw new RangeError(`A leg from ${from.name} to itself`);
}

/** Throws a RangeError for a journal that no caller may make: a fault in the code, not in the money. */
export function assertJournal({ id, kind, cause, legs, prices }: Journal): void {
  if (!UUID.test(id) || !UUID.test(cause)) throw new RangeError(`id and cause are lower-case uuids: ${id} ${cause}`);
  if (!Object.hasOwn(KINDS, kind)) throw new RangeError(`No journal is of the kind ${kind}`);
  if (legs.length === 0 || legs.length > MOST_LEGS) throw new RangeError(`${id} has ${legs.length} legs`);
  for (const each of legs) assertLeg(each);
  for (const unit in prices) {
    if (!PRICE.test(prices[unit] as string)) throw new RangeError(`Not a price of ${unit}: ${prices[unit]}`);
  }
}

/** Throws a RangeError where one call carries an id twice: which of the two is meant can't be known. */
export function assertDistinct(journals: readonly Journal[]): void {
  const ids = new Set(journals.map((journal) => journal.id));
  if (ids.size !== journals.length) throw new RangeError('One call carries the same journal twice');
}
