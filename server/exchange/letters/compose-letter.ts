// Composes letters about orders: their words, by the kind of letter and the customer's situation, and their sums.

import { say } from '@kurs/contract';
import { REWARD_UNIT, format, money, roundTo, writeDecimal } from '@kurs/money';
import { letterTimes } from '../../auth/index.ts';
import { withinTerms } from '../../collecting/index.ts';
import type { Given } from '../../coupons/index.ts';
import { writeSum, writeSumNamed } from '../../payments/index.ts';
import { letterWords } from '../../platform/index.ts';
import { rateWire } from '../../pricing/index.ts';
import { amountsOf, shownOf } from '../order/money/breakdown.ts';
import { type LetterKind, type Situation, situationOf } from './letter-kind.ts';
import { breakdownFor } from '../machine/offers.ts';
import { type OrderView, sends } from '../order/order.ts';
import { promisesShort, missing } from '../order/money/payment-coverage.ts';
import { canRefund, refundCostOf } from '../order/money/sent-back.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { reasonOf } from '../wire/order-wire.ts';
import { deadlineFor, rules } from '../machine/settings.ts';

/** A composed letter. `facts`: rows of its table. `open`: words of the link to the order's page. */
export interface Composed {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly open: string;
  readonly keep: string;
}

/** Data for a letter that is not stored with its order. */
export interface ForLetter {
  readonly code?: string | undefined;
  readonly coupon?: Given | undefined;
  readonly timezone?: string | undefined;
}

type Blanks = Readonly<Record<string, string>>;
/** A letter before its words are filled in: keys of words under `mail`, and table rows with a key as their label. */
interface LetterDraft {
  readonly subject: string;
  readonly body: readonly string[];
  readonly rows?: readonly (readonly [label: string, value: string])[];
}

/**
 * Composes a letter in the language of the order. `coupon`: the coupon that the late order earned. `timezone`: the time zone of
 * the order's account holder. Throws if words are missing.
 */
export function composeLetter(
  { view, number, locale }: StoredOrder,
  kind: LetterKind,
  { code = '', coupon, timezone }: ForLetter = {},
): Composed {
  const at = letterTimes({ locale, timezone });
  const named = sumsOf(view, locale, { isNamed: true, at });
  // Only the payment instructions need the network's name.
  const sums = kind === 'placed' ? named : sumsOf(view, locale, { isNamed: false, at });
  const blanks: Blanks = {
    id: number,
    it: say(locale, `mail.${view.kind}`) ?? '',
    code,
    ...sums,
    ...couponBlanks(coupon, locale, at),
  };
  const words = letterWords(locale, '', blanks);
  const { subject, body: plain, rows = [] } = draftOf(view, kind, named);
  const body = kind === 'done' && coupon ? [...plain, 'late_coupon.lead', 'late_coupon.use'] : plain;
  const [first, ...others] = rows.filter(([, value]) => value !== '').map(([key, value]): FactRow => [words(key), value]);
  const price = kind === 'received' || kind === 'done' ? priceRows(view, locale) : [];
  const said = body.map((key) => (key === 'reason' ? say(locale, `reasons.${reasonOf(view) ?? ''}`) : words(key)));
  return {
    subject: words(subject),
    paragraphs: said.filter((one) => one !== undefined),
    facts: [[words(view.kind), number], ...(first ? [first] : []), ...price, ...others],
    open: words(`open_${view.kind}`),
    keep: words('keep'),
  };
}

type FactRow = readonly [label: string, value: string];
type LetterClock = ReturnType<typeof letterTimes>;

/** Returns rows with an order's rate and the lines of its price. Together they show how the amount got follows from the amount given. */
function priceRows(view: OrderView, locale: StoredOrder['locale']): FactRow[] {
  const shown = shownOf(view);
  if (!shown) return [];
  const lines = shown.components.map(({ words, code, kind, amount, percent = '' }): FactRow => [
    say(locale, `fees.${words}`, { code, percent }) ?? code,
    `${kind === 'discount' ? '+' : '\u2212'}${writeSum({ ...view.give, parts: amount }, locale)}`,
  ]);
  if (!shown.rate) return lines;
  const { base, quote, value } = rateWire(shown.rate);
  return [...lines, [say(locale, 'fees.rate') ?? '', `1\u00a0${base} = ${writeDecimal(value, locale)}\u00a0${quote}`]];
}

/** Returns the sentences about an unallocated payment: of money that came for an invoice, also why it stays the payer's. */
function unallocatedBody({ get, pinned }: OrderView): string[] {
  if (pinned.paidFor) return ['reason', 'needs_you.unallocated_invoice'];
  return [get ? 'needs_you.unallocated' : 'needs_you.unallocated_foreign'];
}

function draftOf(view: OrderView, kind: LetterKind, blanks: Blanks): LetterDraft {
  const ordered: LetterDraft['rows'] = [
    ['you_send', blanks['ordered'] ?? ''],
    ['you_receive', blanks['promised'] ?? ''],
  ];
  const exchanged: LetterDraft['rows'] = [
    ['you_sent', blanks['given'] ?? ''],
    ['you_receive', blanks['promised'] ?? ''],
  ];
  const plain = (rows?: LetterDraft['rows']): LetterDraft => ({
    subject: `${kind}.subject`,
    body: [`${kind}.lead`],
    ...(rows && { rows }),
  });
  switch (kind) {
    case 'placed':
      if (view.positions.in > 0n) return { subject: 'placed.subject_paid', body: ['placed.lead_paid'], rows: ordered };
      return plain([...ordered, ['held_until', blanks['lock'] ?? '']]);
    case 'received':
      return {
        ...plain(exchanged),
        body: ['received.lead', view.state === 'approving' ? 'received.approved' : 'received.sending'],
      };
    case 'done':
      return plain([
        ['you_sent', blanks['given'] ?? ''],
        ['you_received', blanks['out'] ?? ''],
        ['transaction', blanks['txid'] ?? ''],
      ]);
    case 'refunded':
      return plain([
        ['refunded_sum', blanks['refund'] ?? ''],
        ['refund_cost', blanks['cost'] ?? ''],
        ['transaction', blanks['txid'] ?? ''],
      ]);
    case 'rejected':
      return rejected(view, blanks);
    case 'reversed':
      return reversed(view, blanks);
    case 'checking':
      return {
        ...plain(),
        body: ['checking.lead', ...(blanks['until'] ? [canRefund(view) ? 'checking.refund' : 'checking.keep'] : [])],
      };
    case 'papers':
      return {
        ...plain(),
        body: [
          'papers.lead',
          ...(view.kind === 'order' && !view.facts.isLate ? ['papers.rate'] : []),
          ...(blanks['until'] ? [canRefund(view) ? 'papers.refund' : 'checking.keep'] : []),
        ],
      };
    case 'needs_you':
      return requested(view, situationOf(view), blanks);
    case 'late_coupon':
      return { ...plain(), body: ['late_coupon.lead', 'late_coupon.use'] };
    case 'code':
      return plain();
    case 'link':
      return plain(ordered);
  }
}

function rejected(view: OrderView, blanks: Blanks): LetterDraft {
  if (view.state === 'surrendered') return { subject: 'rejected.subject', body: ['reason', 'rejected.surrendered'] };
  const isRefund = view.facts.transfer?.kind === 'refund';
  return {
    subject: 'rejected.subject',
    body: [
      view.kind === 'unallocated' ? 'rejected.lead_unallocated' : 'rejected.lead',
      isRefund ? 'rejected.refund' : 'rejected.unclaimed',
    ],
    rows: isRefund
      ? [
          ['refunded_sum', blanks['refund'] ?? ''],
          ['refund_cost', blanks['cost'] ?? ''],
        ]
      : [],
  };
}

function reversed(view: OrderView, blanks: Blanks): LetterDraft {
  const rows: LetterDraft['rows'] = [['taken_back', blanks['undone'] ?? '']];
  const isOwed = view.positions.receivable > 0n;
  return { subject: 'reversed.subject', body: isOwed ? ['reversed.owed'] : ['reversed.lead', 'reversed.again'], rows };
}

/**
 * Returns the letter to a customer who has to act: the situation and its choices, the sum in question, the deadline, and what
 * happens without an answer.
 */
function requested(view: OrderView, situation: Situation | undefined, blanks: Blanks): LetterDraft {
  const choose: LetterDraft['rows'] = [
    ['arrived', blanks['here'] ?? ''],
    ['choose_by', blanks['until'] ?? ''],
  ];
  const otherwise = canRefund(view) ? 'needs_you.else_refund' : 'needs_you.else_keep';
  switch (situation) {
    case 'short':
      return {
        subject: 'needs_you.subject_short',
        body: [
          'needs_you.short',
          blanks['short_got'] ? 'needs_you.short_else_exchange' : 'needs_you.short_else_choose',
          'needs_you.short_sent',
        ],
        rows: [
          ['arrived', blanks['came'] ?? ''],
          ['missing', blanks['due'] ?? ''],
          ['send_by', blanks['lock'] ?? ''],
        ],
      };
    case 'no_reserve':
      return { subject: 'needs_you.subject', body: ['needs_you.no_reserve', otherwise], rows: choose };
    case 'late':
      return {
        subject: 'needs_you.subject',
        body: ['reason', canRefund(view) ? 'needs_you.late' : 'needs_you.late_unroutable', otherwise],
        rows: choose,
      };
    case 'unallocated':
      return {
        subject: 'needs_you.subject_unallocated',
        body: [...unallocatedBody(view), otherwise],
        rows: choose,
      };
    case 'account':
    case 'refund_account':
      return {
        subject: 'needs_you.subject_account',
        body: ['reason', 'needs_you.account', 'needs_you.else_keep'],
        rows: [
          ['waiting', blanks['failed'] ?? ''],
          ['deadline', blanks['until'] ?? ''],
        ],
      };
    case 'unclaimed':
      return {
        subject: 'needs_you.subject_unclaimed',
        body: ['needs_you.unclaimed'],
        rows: [['waiting', blanks['unclaimed'] ?? '']],
      };
    case 'too_small':
      return {
        subject: 'needs_you.subject_small',
        body: ['needs_you.too_small'],
        rows: [['waiting', blanks['unclaimed'] ?? '']],
      };
    default:
      return {
        subject: 'needs_you.subject_paused',
        body: ['needs_you.paused'],
        rows: [['you_receive', blanks['promised'] ?? '']],
      };
  }
}

/**
 * Returns all sums and times that letters may name, in the order's language; an empty text for each that the order doesn't have.
 * `isNamed`: adds the network to a sum if its unit exists on several networks.
 */
function sumsOf(
  view: OrderView,
  locale: StoredOrder['locale'],
  { isNamed, at }: { readonly isNamed: boolean; readonly at: LetterClock },
): Blanks {
  const { give, get, pinned, positions, facts, payments } = view;
  const write = isNamed ? writeSumNamed : writeSum;
  const given = (parts: bigint): string => (parts > 0n ? write({ ...give, parts }, locale) : '');
  const got = (parts: bigint): string => (get && parts > 0n ? write({ ...get, parts }, locale) : '');
  const sides = amountsOf(view);
  const came = give.parts - missing(view);
  const ours = facts.sent ?? facts.transfer;
  const until = deadlineFor(view);
  const isPayout = sends(view) === 'payout';
  return {
    ordered: given(sides.give.parts),
    promised: got(sides.get?.parts ?? 0n),
    given: given(facts.exchange?.give ?? 0n),
    here: given(positions.in),
    back: given(positions.in - refundCostOf(view)),
    came: given(came),
    due: given(missing(view)),
    short_got: shortGot(view, came, got),
    out: ours?.kind === 'payout' ? got(ours.parts) : '',
    refund: ours?.kind === 'refund' ? given(ours.parts) : '',
    cost: ours?.kind === 'refund' ? given(ours.cost) : '',
    failed: isPayout ? got(positions.out) : given(positions.in - refundCostOf(view)),
    unclaimed: [got(positions.unclaimedOut), given(positions.unclaimedIn)].filter(Boolean).join(', '),
    undone: given(payments.reduce((parts, one) => (one.status === 'reversed' ? parts + one.parts : parts), 0n)),
    owed: given(positions.receivable),
    txid: facts.sent?.txid ?? '',
    keep: (rules().keepRate / 60_000).toString(),
    lock: at(pinned.lockUntil),
    until: until ? at(until) : '',
  };
}

/** Returns a late order's coupon for the letter: its code, its worth and its last day. */
function couponBlanks(coupon: Given | undefined, locale: StoredOrder['locale'], at: LetterClock): Blanks {
  if (!coupon) return { coupon: '', worth: '', good_until: '' };
  return {
    coupon: coupon.code,
    worth: `${writeDecimal(format(roundTo(money(REWARD_UNIT, coupon.parts), 2, 'down'), 2), locale)}\u00a0USD`,
    good_until: at(coupon.until),
  };
}

/** Returns the payout for the underpayment when the lock ends; an empty text if the customer will be asked to choose. */
function shortGot(view: OrderView, came: bigint, got: (parts: bigint) => string): string {
  if (!promisesShort(view, came)) return '';
  return got(breakdownFor(withinTerms(view, came), view.pinned.terms)?.get.parts ?? 0n);
}
