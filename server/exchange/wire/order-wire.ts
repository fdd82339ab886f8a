import { arrivedOf, isInLock, observedPayments } from '../../collecting/index.ts';
import { isWalletAccount } from '../calculation/calculation.ts';
import { type Output, type Routes, say } from '@kurs/contract';
import { money } from '@kurs/money';
import { screens } from '../../compliance/index.ts';
import { type PayoutStatus, currencyOf, isPrepared, paymentCode, paymentUri } from '../../payments/index.ts';
import {
  type Offer,
  type OrderState,
  type OrderView,
  type Payment,
  type RailAccount,
  type Side,
  IN_FLIGHT,
  WORDS,
  sends,
  wordOf,
} from '../order/order.ts';
import { promisesShort, missing } from '../order/money/payment-coverage.ts';
import { canClaim, canRefund, canSendAgain, refundCostOf } from '../order/money/sent-back.ts';
import { goesToPayerOnly } from '../order/money/give-back.ts';
import { moneyWire, offerPriceWire, orderPriceWire } from './price-wire.ts';
import type { Rules } from '../order/events/events.ts';
import type { OrderEventRow, StoredOrder } from '../order/store/order-store.ts';
import { deadlineOf } from '../machine/timers.ts';

export type OrderWire = Exclude<Output<Routes['trackOrder']>, { link_mailed: true }>;
type ChoiceWire = OrderWire['choices'][number];
type TransferWire = OrderWire['transfers'][number];

/** Data that the contract's form of an order needs in addition to the order. */
export interface WireContext {
  readonly now: Date;
  /** Language of the names of account fields. */
  readonly locale: 'en' | 'ru';
  /** Maximum durations of a choice, a `soft` hold, an approval and an offer, in ms. */
  readonly spans: Pick<Rules, 'choice' | 'hold' | 'approval' | 'offer'>;
  readonly events: readonly OrderEventRow[];
  /** The other orders that share the order's payment address, with the secrets of their pages. */
  readonly related: readonly { readonly order: StoredOrder; readonly token: string }[];
  /** True if the payout has been paused long enough for the customer to take a full refund instead. */
  readonly isPaused: boolean;
  /** State of the voucher that the order's payout bought; `none` if there is none. */
  readonly voucher: 'none' | 'unseen' | 'seen';
  /** Status of the payout that is being sent. */
  readonly payout: PayoutStatus | undefined;
  /** True if the payout waits until a payment is deep. */
  readonly isShallow: boolean;
  /** Currencies that the customer can name as the order's direction. Empty if it has a direction. */
  readonly directions: readonly string[];
  /** Current confirmations of the order's payments that are not final, by payment id, as their rail reports them. */
  readonly confirmations: ReadonlyMap<string, number>;
}

const CHOOSING = new Set(['choosing', 'undelivered']);
const PAYABLE = new Set(['awaiting', 'seen', 'choosing']);

/** Returns an order in the contract's form, for anyone who has its secret. */
export function orderWire(stored: StoredOrder, context: WireContext): OrderWire {
  const { view } = stored;
  const restOf = restOfOrder(view, context.related);
  const waits = waitsForPoll(view, context.now) ? 'looking' : context.isShallow ? 'shallow' : undefined;
  const plain = reasonOf(view) ?? waits;
  const reason = restOf !== undefined && plain === 'unallocated' ? 'rest' : plain;
  const arrived = arrivedOf(view);
  const due = amountDue(view, context.now);
  const shortAt = due > 0n ? shortAtOf(view) : undefined;
  const appliedTo = context.related.find(({ order }) => order.view.id === view.facts.becameOrder)?.order.number;
  return {
    id: stored.number,
    kind: view.kind,
    status: wordOf(view),
    ...(reason !== undefined && { reason }),
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    expires_at: view.pinned.lockUntil.toISOString(),
    late: view.facts.isLate,
    held: view.positions.reserve > 0n || view.facts.exchange !== undefined,
    ...orderPriceWire(view),
    ...(arrived > 0n && { arrived: moneyWire({ ...view.give, parts: arrived }) }),
    ...(due > 0n && arrived > 0n && { due: moneyWire({ ...view.give, parts: due }) }),
    ...(shortAt !== undefined && { short_at: shortAt }),
    ...(view.receive && view.get && { receive: accountWire(view.get, view.receive) }),
    ...(view.refund && view.refund.key !== '' && { refund: accountWire(view.give, view.refund) }),
    email: stored.email,
    ...(stored.email === '' && { needs_email: true }),
    ...payNow(stored, due, context.locale),
    ...(due > 0n && view.facts.payWay === 'refused' && { pay_refused: true }),
    ...(view.facts.entry && { entry: view.facts.entry }),
    ...(context.voucher !== 'none' && { voucher: context.voucher }),
    transfers: [
      ...view.payments.map((payment) => paymentWire(view, payment, context.confirmations)),
      ...ownTransfers(stored, context.payout),
    ],
    // The code that confirms a choice is mailed, so a choice needs an address first.
    choices: stored.email === '' ? [] : choicesOf(view, context),
    ...deadlineWire(view, context, shortAt),
    screening: screens() ? 'done' : 'none',
    ...(view.pinned.promised && { promised_minutes: view.pinned.promised.seconds / 60 }),
    can_cancel: view.state === 'awaiting' && observedPayments(view).length === 0,
    timeline: context.events.map(timelineWire),
    related: context.related.map(({ order: { number: id, view: other }, token }) => ({
      ...{ id, token, kind: other.kind, give: moneyWire(other.give) },
    })),
    ...(appliedTo !== undefined && { applied_to: appliedTo }),
    ...(restOf !== undefined && { rest_of: restOf }),
    ...(view.pinned.paidFor && { paid_for: view.pinned.paidFor.number }),
    seq: view.version,
    ...confirmationsWire(context.confirmations),
  };
}

/**
 * Returns how to pay the amount due: an address, the provider's page, or fields for a voucher. Empty if nothing is due, or while
 * the provider prepares the payment.
 */
export function payNow(stored: StoredOrder, dueParts: bigint, locale: 'en' | 'ru'): Pick<OrderWire, 'pay'> {
  const { view, payTo } = stored;
  const { give, pinned, facts } = view;
  if (dueParts <= 0n || payTo === undefined) return {};
  const common = {
    amount: moneyWire({ ...give, parts: dueParts }).amount,
    currency: give.currency,
    network: networkOf(give),
    expires_at: pinned.lockUntil.toISOString(),
  };
  if (!isPrepared(give.currency)) {
    const due = money(give.unit, dueParts);
    const uri = paymentUri(give.currency, payTo, due);
    const code = paymentCode(give.currency, payTo, due);
    const memo = stored.payMemo === undefined ? {} : { memo: stored.payMemo };
    return { pay: { kind: 'address', address: payTo, ...common, uri, code, ...memo } };
  }
  const { payWay } = facts;
  if (payWay === undefined || payWay === 'refused') return {};
  if (payWay.kind === 'voucher') {
    const named = (label: string): string => say(locale, label, { network: common.network }) ?? label;
    const fields = payWay.fields.map((field) => ({ ...field, label: named(field.label) }));
    return { pay: { kind: 'voucher', ...common, fields } };
  }
  // A provider's payment page can be paid only once, so it can't be used for the rest.
  if (arrivedOf(view) > 0n) return {};
  return { pay: { kind: 'redirect', ...common, method: payWay.method, url: payWay.url, fields: { ...payWay.fields } } };
}

/**
 * Returns the amount still to pay, in parts given; 0 if no more is requested. After a part was paid, the rest is requested only
 * while paying it keeps the locked rate.
 */
export function amountDue(view: OrderView, now: Date): bigint {
  const rest = PAYABLE.has(view.state) ? missing(view) : 0n;
  return arrivedOf(view) === 0n || keepsRate(view, now) ? rest : 0n;
}

const keepsRate = ({ facts, pinned }: OrderView, now: Date): boolean => !facts.isLate && now < pinned.lockUntil;

/** Usual delay, in ms, until timers and polls have found a payment that was made in time. */
const MOMENT_MS = 60_000;

/** True if an order is not expired although its lock is over, because no poll could check yet if it was paid in time. */
export function waitsForPoll({ state, facts, pinned }: OrderView, now: Date): boolean {
  return state === 'awaiting' && !facts.isLate && now.getTime() > pinned.lockUntil.getTime() + MOMENT_MS;
}

/** Returns the reason for the order's status, as a key of the words under `reasons`; undefined if the status needs no reason. */
export function reasonOf(view: OrderView): string | undefined {
  const { state, facts, kind, pinned } = view;
  if (kind === 'unallocated' && state === 'choosing') return pinned.paidFor ? `invoice_${pinned.paidFor.why}` : 'unallocated';
  if (state === 'choosing') {
    const arrived = view.payments.reduce((sum, one) => (one.status === 'final' ? sum + one.parts : sum), 0n);
    if (arrived < view.give.parts && (!facts.isLate || facts.hasLowerRate) && facts.lateFor !== 'checked') return 'short';
    return facts.isLate ? (facts.lateFor ?? 'late') : 'no_reserve';
  }
  if (state === 'undelivered') return sends(view) === 'payout' ? 'account_refused' : 'refund_refused';
  if (state === 'unclaimed') return 'unclaimed';
  if (state === 'holding' && facts.hold?.isDebt) return 'debt';
  if (state === 'holding' && facts.hold?.papers === 'asked') return 'papers';
  if (state === 'holding' || state === 'frozen') return 'check';
  if (state === 'approving') {
    const { people, isDebt } = facts.approval ?? {};
    return isDebt || facts.isStopped ? 'looked_at' : people ? 'approval' : 'clearing';
  }
  if (state === 'applied' && facts.isTakenOver) return 'accepted';
  if (state === 'applied') return facts.ended === 'applied' ? 'debt_paid' : undefined;
  if (state === 'reversed' || state === 'charged_back' || state === 'surrendered') return state;
  return facts.isLate && (state === 'seen' || state === 'awaiting') ? (facts.lateFor ?? 'late') : undefined;
}

/**
 * Returns the sum of the confirmations of an order's payments that are not final. It changes with each block, without a new
 * version of the order.
 */
export function confirmationsWire(confirmations: ReadonlyMap<string, number>): { confirmations?: number } {
  return confirmations.size === 0 ? {} : { confirmations: [...confirmations.values()].reduce((sum, one) => sum + one) };
}

function paymentWire(view: OrderView, payment: Payment, now: WireContext['confirmations']): TransferWire {
  const status = payment.status === 'seen' && payment.confirmations > 0 ? 'confirming' : payment.status;
  return {
    kind: 'payment',
    money: moneyWire({ ...view.give, parts: payment.parts }),
    status,
    txid: payment.txid,
    confirmations: (payment.status === 'seen' ? now.get(payment.id) : undefined) ?? payment.confirmations,
    needed: payment.needed,
    at: payment.seenAt.toISOString(),
    late: !isInLock(view, payment),
  };
}

/**
 * Status of a transfer as customers read it, by the payout's status. The order learns an outcome (failed, sent, final) a moment
 * later; until then, customers read `sending`.
 */
const SENDING: Readonly<Record<PayoutStatus, TransferWire['status']>> = {
  queued: 'queued',
  preparing: 'queued',
  stopped: 'queued',
  sending: 'sending',
  in_doubt: 'sending',
  failed: 'sending',
  sent: 'sending',
  final: 'sending',
};

/** Returns the order's payout or refund that was sent, or is about to be sent. */
function ownTransfers({ view, updatedAt }: StoredOrder, payout: PayoutStatus | undefined): TransferWire[] {
  const { transfer, sent } = view.facts;
  const one = sent ?? transfer;
  if (!one) return [];
  const side = one.kind === 'payout' ? view.get : view.give;
  if (!side) return [];
  const status = IN_FLIGHT.has(view.state) ? (sent ? 'sent' : SENDING[payout ?? 'queued']) : sent ? 'done' : 'queued';
  return [
    {
      kind: one.kind,
      money: moneyWire({ ...side, parts: one.parts }),
      status,
      ...(sent?.txid !== undefined && { txid: sent.txid }),
      at: updatedAt.toISOString(),
    },
  ];
}

/** Returns the choices that the customer has now, each with the amount that they would get. */
function choicesOf(view: OrderView, { now, spans, isPaused, directions }: WireContext): ChoiceWire[] {
  const { state, facts, positions, give, get, refund } = view;
  const offer = facts.offer && now.getTime() - facts.offer.madeAt.getTime() < spans.offer ? facts.offer : undefined;
  const offered = offer ? [offerWire(view, offer, spans.offer)] : [];
  if (state === 'choosing') {
    const back = positions.in - refundCostOf(view);
    const refunding: ChoiceWire[] = canRefund(view)
      ? [{ choice: 'refund', money: moneyWire({ ...give, parts: back }), needs_code: true }]
      : [];
    const route: ChoiceWire[] =
      refund || view.pinned.isReceiveOnly
        ? []
        : [{ choice: 'give_route', needs_code: true, account: { currency: give.currency } }];
    const direction: ChoiceWire[] =
      directions.length === 0 ? [] : [{ choice: 'name_direction', needs_code: true, currencies: [...directions] }];
    return [...offered, ...refunding, ...route, ...direction];
  }
  if (state === 'undelivered' && sends(view) === 'payout' && get) {
    return [
      {
        choice: 'new_account',
        money: moneyWire({ ...get, parts: positions.out }),
        needs_code: true,
        account: { currency: get.currency },
      },
      ...offered,
    ];
  }
  if (state === 'undelivered') {
    if (!canSendAgain(view) || goesToPayerOnly(view)) return [];
    return [
      {
        choice: 'new_account',
        money: moneyWire({ ...give, parts: positions.in - refundCostOf(view) }),
        needs_code: true,
        account: { currency: give.currency },
      },
    ];
  }
  if (state === 'paying' && isPaused && facts.exchange) {
    return [{ choice: 'refund', money: moneyWire({ ...give, parts: facts.exchange.give }), needs_code: true }];
  }
  if (state !== 'unclaimed') return [];
  const claims: ChoiceWire[] = [];
  if (get && canClaim(view, 'get')) {
    claims.push({
      choice: 'claim_get',
      money: moneyWire({ ...get, parts: positions.unclaimedOut }),
      needs_code: true,
      account: { currency: get.currency },
    });
  }
  if (canClaim(view, 'give') && !goesToPayerOnly(view)) {
    claims.push({
      choice: 'claim_give',
      money: moneyWire({ ...give, parts: positions.unclaimedIn - refundCostOf(view) }),
      needs_code: true,
      account: { currency: give.currency },
    });
  }
  return claims;
}

function offerWire(view: OrderView, offer: Offer, span: number): ChoiceWire {
  const side = offer.choice === 'take_back' ? view.give : { ...(view.get ?? view.give) };
  return {
    choice: offer.choice,
    money: moneyWire({ ...side, parts: offer.parts }),
    offer: offer.number,
    ...offerPriceWire(view, offer),
    expires_at: later(offer.madeAt, span),
    needs_code: offer.choice !== 'continue',
  };
}

/** Returns the number of the order whose excess this unallocated payment is; undefined if it is no order's excess. */
function restOfOrder({ kind, give, facts }: OrderView, related: WireContext['related']): string | undefined {
  if (kind !== 'unallocated' || facts.becameOrder !== undefined) return undefined;
  return related.find(({ order: { view } }) => view.facts.exchange && view.give.currency === give.currency)?.order.number;
}

/** Returns the time at which a short payment is exchanged automatically; undefined if the customer must choose instead. */
export function shortAtOf(view: OrderView): string | undefined {
  const arrived = arrivedOf(view);
  return arrived > 0n && missing(view) > 0n && promisesShort(view, arrived) ? view.pinned.lockUntil.toISOString() : undefined;
}

/**
 * Returns the time until which the customer can choose (`choose_by`) or must wait (`deadline`). `shortAt`: time of the automatic
 * exchange of a short payment, which ends the choice.
 */
function deadlineWire(view: OrderView, { spans }: WireContext, shortAt?: string): { choose_by?: string; deadline?: string } {
  const ends = shortAt ?? deadlineOf(view, spans)?.toISOString();
  if (ends === undefined) return {};
  return CHOOSING.has(view.state) ? { choose_by: ends } : { deadline: ends };
}

function timelineWire({ seq, at, event, to, body }: OrderEventRow): OrderWire['timeline'][number] {
  return { seq, at: at.toISOString(), event, status: WORDS[to as OrderState], params: { ...body } };
}

function accountWire(side: Side, account: RailAccount): NonNullable<OrderWire['receive']> {
  if (isWalletAccount(account)) return { currency: side.currency, network: '', fields: {}, wallet: true };
  return { currency: side.currency, network: networkOf(side), fields: { ...account.fields } };
}

const networkOf = ({ currency }: Side): string => currencyOf(currency)?.network ?? currency;
const later = (from: Date, milliseconds: number): string => new Date(from.getTime() + milliseconds).toISOString();
