// The table of legal legs. For each kind of journal it lists the legs that may be posted, by account types. Posting any other
// leg is refused, and the proof of the books reports it. To introduce a new kind of posting, first add a line here.

import { type AccountType, accountTypeOf, accountTypeRules } from './chart.ts';
import { type Journal, type JournalKind, KINDS } from './journal.ts';

/**
 * Legal legs of each journal kind, as `from → to` of account types. `custody:*` means custody at any place; `|` separates
 * alternatives.
 */
type Rules = Readonly<Record<JournalKind, readonly string[]>>;

/** Source of an order's payment: money on a rail, or the customer's wallet. */
const GIVEN = 'custody:* | wallet';
/** Target of an order's payment: the order, or the unallocated payments. */
const IN = 'order:in | unallocated';
const EARNED = 'income:spread | income:fee';

/**
 * Legs of the steps of an order. One event may cause several steps, which form one journal with the kind of the last step. A
 * journal of any of these kinds may therefore have the legs of all of them.
 */
const ORDER = {
  reserve: ['desk:free → order:reserve'],
  reserve_back: ['order:reserve → desk:free'],
  payin: [`${GIVEN} | invoice:in → ${IN}`, 'spent:rail → custody:hot'],
  // A payment that an invoice converted goes back to the invoice, which books what the rail took.
  payin_reversed: [`${IN} | frozen → ${GIVEN} | owed | invoice:in`, `spent:loss → ${IN} | frozen`],
  exchange: [
    `order:in → ${EARNED} | desk:free`,
    'spent:discount → order:in',
    'income:spread → provision:reversal',
    'order:reserve → order:out',
    'coupon → desk:free',
  ],
  unwind: [
    'order:out → desk:free',
    'provision:reversal → income:spread',
    `${EARNED} | desk:free | spent:loss → order:in`,
    'order:in → desk:free',
    'desk:free | spent:loss → coupon',
  ],
  buy_back: ['order:out → desk:free', 'desk:free → order:in'],
  payout_queued: ['order:out → payout'],
  payout_stopped: ['payout → order:out'],
  refund_queued: [`${IN} → payout | income:fee`, 'wallet:uncleared → payout'],
  refund_stopped: [`payout | income:fee → ${IN}`],
  sent: ['payout → custody:hot | wallet', 'spent:network → custody:fuel | custody:hot', 'spent:rail → custody:hot'],
  refused: [
    `payout → order:out | ${IN} | wallet:uncleared | receivable | refund`,
    'wallet:uncleared → receivable',
    `income:fee → ${IN}`,
  ],
  returned: [
    `custody:hot | wallet → order:out | ${IN}`,
    'custody:hot → wallet | affiliate:available | wallet:uncleared | receivable | refund',
    `spent:rail → order:out | ${IN} | wallet | affiliate:available | wallet:uncleared | receivable | refund`,
  ],
  unclaimed: [`${IN} | order:out → unclaimed`],
  claimed: [`unclaimed → ${IN} | order:out`],
  frozen: [`${IN} → frozen`],
  unfrozen: [`frozen → ${IN}`],
  surrendered: ['frozen → custody:hot'],
  // Other owners' money that belongs to its payer comes from invoices, or from the desk for money that it took over from them.
  unallocated: [`${GIVEN} | ${IN} | suspense | invoice:in | invoice:set | desk:free → unallocated`],
  unallocated_used: ['unallocated → order:in | invoice:in'],
  reversal: [`receivable → ${GIVEN} | owed | invoice:in`, 'spent:rail → custody:hot'],
  reversal_settled: [`${IN} → receivable`],
  dispute_won: [`${GIVEN} | invoice:in → receivable | desk:free`],
  write_off: ['provision:reversal | spent:loss → receivable', 'receivable → desk:free'],
  found_late: ['receivable → custody:hot'],
  found_late_settled: [
    'custody:hot → receivable | desk:free',
    'spent:rail → receivable',
    'wallet | affiliate:available → receivable | income:fee',
  ],
} as const satisfies Partial<Rules>;

/** Legs of the settlement of an invoice's payments, the first time or again. */
const SETTLED = ['invoice:set → merchant | merchant:reserve | income:gate', 'merchant → receivable'] as const;

/** Legs of the steps of an invoice. As with orders, one event may cause several steps, which form one journal. */
const INVOICE = {
  invoice_reserve: ['desk:free → invoice:reserve', 'invoice:reserve → desk:free'],
  invoice_payin: [`${GIVEN} → invoice:in`, 'spent:rail → custody:hot'],
  invoice_converted: [
    `invoice:in → ${EARNED} | desk:free | invoice:set`,
    'invoice:reserve → invoice:set',
    'income:spread → provision:reversal',
  ],
  invoice_settled: SETTLED,
  invoice_settled_again: SETTLED,
  invoice_over: ['invoice:in → unallocated'],
  invoice_expired: ['invoice:set → desk:free | unallocated', 'desk:free → unallocated', 'invoice:reserve → desk:free'],
  invoice_reversed: [
    'merchant | merchant:reserve | receivable | income:gate → invoice:set',
    'invoice:set → invoice:reserve | desk:free | invoice:in',
    `${EARNED} | desk:free | spent:loss → invoice:in`,
    'provision:reversal → income:spread',
    `invoice:in → ${GIVEN} | owed`,
  ],
} as const satisfies Partial<Rules>;

const LEGS: Rules = {
  ...ORDER,
  coupon_issued: ['promo:late | earn → coupon'],
  coupon_used: ['coupon → desk:free'],
  coupon_expired: ['coupon → promo:late | promo:earn'],
  promo_funded: [
    'desk:free → promo:affiliate | promo:earn | promo:late',
    'promo:affiliate | promo:earn | promo:late → desk:free',
  ],
  reward: ['promo:affiliate → affiliate:pending'],
  reward_matured: ['affiliate:pending → affiliate:available', 'affiliate:available → receivable'],
  reward_paid: ['affiliate:available → wallet | payout'],
  reward_repaid: ['affiliate:available → receivable'],
  reward_taken_back: ['affiliate:pending | affiliate:available | receivable → promo:affiliate'],
  earn: ['promo:earn → earn'],
  earn_paid: ['earn → wallet'],
  earn_given_up: ['earn → promo:earn'],
  deposit: ['custody:* → wallet | wallet:uncleared | receivable', 'wallet | wallet:uncleared → income:fee'],
  deposit_matured: ['wallet:uncleared → wallet'],
  deposit_reversed: ['wallet:uncleared | wallet | receivable → custody:* | owed', 'wallet | wallet:uncleared → receivable'],
  withdrawal_asked: ['wallet | affiliate:available → wallet:held'],
  withdrawal_cancelled: ['wallet:held | payout | income:fee → wallet | affiliate:available'],
  withdrawal_queued: ['wallet | affiliate:available → wallet:held', 'wallet:held → payout | income:fee'],
  withdrawal_kept: ['payout | income:fee → wallet:held'],
  transfer: ['wallet → wallet'],
  ...INVOICE,
  merchant_refund: ['merchant | merchant:reserve → refund'],
  merchant_refund_claimed: [`refund → payout | desk:free | ${EARNED}`, 'desk:free → payout'],
  merchant_refund_expired: ['refund → merchant | merchant:reserve', 'merchant → receivable'],
  merchant_refund_back: ['payout | income:fee | desk:free → refund', 'refund → desk:free'],
  merchant_released: ['merchant:reserve → merchant', 'merchant → receivable'],
  merchant_settled: ['merchant → wallet'],
  merchant_funded: ['wallet → merchant', 'merchant → receivable'],
  dispute_cost: ['spent:rail → custody:hot | owed', 'receivable → income:fee', 'merchant → receivable'],
  capital_in: ['custody:hot | custody:fuel → desk:free', 'desk:free → desk:fuel'],
  capital_out: ['desk:free → payout | receivable', 'payout → custody:hot | desk:free', 'custody:hot | spent:rail → desk:free'],
  rebalance: [
    'custody:hot | custody:fuel → desk:free',
    'desk:free → desk:fuel | payout | receivable',
    'payout → custody:hot | desk:free',
    'custody:hot | spent:rail → desk:free',
  ],
  sweep: [
    'custody:transit → custody:deposit',
    'custody:deposit → custody:transit',
    'custody:hot → custody:transit',
    'spent:network → custody:fuel | custody:transit',
  ],
  fuel: [
    'custody:deposit | custody:staked → custody:fuel | custody:hot',
    'custody:fuel → custody:hot',
    'custody:hot → custody:fuel',
    'desk:free → desk:fuel',
    'desk:fuel → desk:free',
  ],
  network_fee: [
    'spent:network → custody:hot | custody:fuel | custody:deposit',
    'custody:hot | custody:fuel | custody:deposit → spent:network',
  ],
  rail_fee: ['spent:rail → custody:hot | custody:fuel', 'custody:hot | custody:fuel → spent:rail'],
  close: ['income:* → desk:free | desk:fuel', 'desk:free | desk:fuel → spent:*'],
  difference: ['custody:* → suspense', 'suspense → custody:*'],
  difference_cleared: ['suspense → desk:free', 'spent:loss | spent:network | spent:rail → suspense'],
  stuck: ['custody:stuck → custody:hot'],
  unstuck: ['custody:hot → custody:stuck'],
};

interface Legal {
  /** Legal legs of the kind of journal, as `from → to` of account types. */
  readonly all: ReadonlySet<string>;
  /** Legs of the kind's own step. A journal of the kind has at least one of these legs. */
  readonly own: ReadonlySet<string>;
}

const ACCOUNT_TYPES: readonly AccountType[] = accountTypeRules().map(({ type }) => type);
/** Kinds that occur together in one journal. */
const FAMILIES: readonly Partial<Rules>[] = [ORDER, INVOICE];
const LEGAL: ReadonlyMap<JournalKind, Legal> = new Map(
  (Object.keys(KINDS) as JournalKind[]).map((kind) => {
    const own = new Set(pairsOf(LEGS[kind]));
    const family = FAMILIES.find((rules) => kind in rules);
    return [kind, { own, all: family ? new Set(Object.values(family).flatMap(pairsOf)) : own }];
  }),
);

function pairsOf(rules: readonly string[]): string[] {
  return rules.flatMap((rule) => {
    const [from = '', to = ''] = rule.split(' → ');
    return accountTypesOf(from).flatMap((one) => accountTypesOf(to).map((other) => `${one} → ${other}`));
  });
}

function accountTypesOf(words: string): readonly AccountType[] {
  return words.split(' | ').flatMap((word) => {
    const found = ACCOUNT_TYPES.filter((type) => (word.endsWith('*') ? type.startsWith(word.slice(0, -1)) : type === word));
    if (found.length === 0) throw new Error(`No account type is called ${word}`);
    return found;
  });
}

/**
 * Returns the table of legal legs as columns for SQL: codes of kinds, and account types. `own`: true for legs of the kind's own
 * step.
 */
export function legalRows(): { kinds: number[]; from: string[]; to: string[]; own: boolean[] } {
  const rows = [...LEGAL].flatMap(([kind, { all, own }]) => [...all].map((pair) => [KINDS[kind], pair, own.has(pair)] as const));
  return {
    kinds: rows.map(([kind]) => kind),
    from: rows.map(([, pair]) => pair.split(' → ')[0] as string),
    to: rows.map(([, pair]) => pair.split(' → ')[1] as string),
    own: rows.map(([, , own]) => own),
  };
}

/** Returns the fault of a journal's legs, given as pairs of account types. Undefined if all legs are legal for the kind. */
export function illegalIn(kind: JournalKind, legs: readonly (readonly [from: string, to: string])[]): string | undefined {
  const { all, own } = LEGAL.get(kind) as Legal;
  const pairs = legs.map(([from, to]) => `${from} → ${to}`);
  const illegal = pairs.find((pair) => !all.has(pair));
  if (illegal !== undefined) return `a journal of the kind ${kind} has no leg ${illegal}`;
  return pairs.some((pair) => own.has(pair)) ? undefined : `nothing in it makes it of the kind ${kind}: ${pairs.join(', ')}`;
}

/**
 * Throws a RangeError if a journal's legs are illegal for its kind. In this case the code that made the journal is wrong, or
 * the table above lacks a new kind of posting.
 */
export function assertLegal({ id, kind, legs }: Journal): void {
  const wrong = illegalIn(
    kind,
    legs.map(({ from, to }) => [accountTypeOf(from), accountTypeOf(to)]),
  );
  if (wrong !== undefined) throw new RangeError(`${id}: ${wrong} (server/ledger/chart/legal-legs.ts lists what is legal)`);
}
