import type { AccountRef } from './chart.ts';

/**
 * Kinds of journals, with their codes in `posting.kind`. Codes are never changed or reused. The ledger itself interprets only
 * `capital_in` and `capital_out`, since capital is not profit. If a capital payout is refused, its money is posted back under
 * `capital_out`, too.
 */
export const KINDS = {
  // Orders. If one event causes several steps, one journal contains them and has the kind of the last step. A journal with an
  // exchange may also contain the pay-in and the payout's intent.
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
  // Found late: a send that had counted as not sent, but was sent. The receiver owes us the money; later the debt is settled.
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
  // Repayment of an affiliate's debt from rewards.
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
  merchant_settled: 71,
  merchant_funded: 72,
  // A payout of a refund that was not sent: its money, or its fee, stands in the refund again.
  merchant_refund_back: 75,
  // Cost of a dispute about a settled payment, booked by hand and owed by the business.
  dispute_cost: 76,
  // A settled payment that its rail had taken back and that came again.
  invoice_settled_again: 77,
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

/** Returns the kind of journal with a stored code. Throws for an unknown code, for example a code of a newer version. */
export function kindOf(code: number): JournalKind {
  const kind = NAMES.get(code);
  if (kind === undefined) throw new Error(`No kind of journal has the code ${code}`);
  return kind;
}

/**
 * A movement of money from one account to another, in one unit. `parts` is always positive; `from` and `to` give the direction.
 */
export interface Leg<U extends string = string> {
  readonly from: AccountRef<U>;
  readonly to: AccountRef<U>;
  readonly parts: bigint;
}

/**
 * All changes of the books by one event. Either all of them are posted or none.
 * - `id`: uuid of the event or timeline row that caused the journal, used as idempotency key
 * - `cause`: uuid of the order, intent or sweep that the journal is about
 * - `prices`: USD for one whole unit, as plain decimals by unit (`{ BTC: '95000.12' }`), for every unit in which the desk's own
 *   money changes. If a price is missing, profit values the change at the unit's last known price
 */
export interface Journal {
  readonly id: string;
  readonly kind: JournalKind;
  readonly cause: string;
  readonly legs: readonly Leg[];
  readonly prices?: Readonly<Record<string, string>>;
}

/**
 * Result of posting a journal:
 * - `posted`: the journal was written
 * - `replayed`: the same journal was already posted, with the same content
 * - `conflict`: a journal with this id was already posted, with other content
 * - `floor`, `ceiling`: refused and not written, since an account's balance would fall below its floor or rise above its
 *   ceiling. `leg` is the index of the first leg out of the account (`floor`) or into it (`ceiling`)
 */
export type JournalStatus =
  | { readonly status: 'posted' | 'replayed' | 'conflict' }
  | { readonly status: 'floor' | 'ceiling'; readonly leg: number };

/**
 * Returns a leg. The compiler refuses accounts of different units. Throws a RangeError if `parts` is out of range, or if the
 * accounts are the same or of different units.
 */
export function leg<U extends string>(from: AccountRef<U>, to: AccountRef<NoInfer<U>>, parts: bigint): Leg<U> {
  const made = { from, to, parts };
  assertLeg(made);
  return made;
}

const LARGEST = 10n ** 38n;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PRICE = /^[0-9]{1,20}(?:\.[0-9]{1,18})?$/;
const NAME = /^[A-Za-z0-9_.:-]{1,200}$/;
const MAX_LEGS = 1_000;

function assertLeg({ from, to, parts }: Leg): void {
  if (parts <= 0n || parts >= LARGEST) throw new RangeError(`A leg moves more than 0 and fewer than 39 digits: ${parts}`);
  if (from.unit !== to.unit) throw new RangeError(`${from.name} and ${to.name} are of different units`);
  if (!NAME.test(from.name) || !NAME.test(to.name)) throw new RangeError(`Not accounts: ${from.name}, ${to.name}`);
  if (from.name === to.name) throw new RangeError(`A leg from ${from.name} to itself`);
}

/** Throws a RangeError for a malformed journal. Only a bug can cause a malformed journal. */
export function assertJournal({ id, kind, cause, legs, prices }: Journal): void {
  if (!UUID.test(id) || !UUID.test(cause)) throw new RangeError(`id and cause are lower-case uuids: ${id} ${cause}`);
  if (!Object.hasOwn(KINDS, kind)) throw new RangeError(`No journal is of the kind ${kind}`);
  if (legs.length === 0 || legs.length > MAX_LEGS) throw new RangeError(`${id} has ${legs.length} legs`);
  for (const each of legs) assertLeg(each);
  for (const unit in prices) {
    if (!PRICE.test(prices[unit] as string)) throw new RangeError(`Not a price of ${unit}: ${prices[unit]}`);
  }
}

/** Throws a RangeError if two journals of one call have the same id, since only one journal per id can be posted. */
export function assertDistinct(journals: readonly Journal[]): void {
  const ids = new Set(journals.map((journal) => journal.id));
  if (ids.size !== journals.length) throw new RangeError('One call carries the same journal twice');
}
