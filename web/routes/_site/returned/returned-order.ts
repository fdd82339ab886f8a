import { discountName, feeName } from '../../../features/calculator/fee-name.ts';
import { type Currency, findCurrency } from '../../../features/currency.ts';
import { type Sum, writeMoney } from '../../../features/money.tsx';
import type { Order } from '../../../features/order/order.ts';
import { m } from '../../../features/words.ts';
import { shownCurrencies } from '../../../server/document/currencies.ts';
import { filled } from '../../../server/document/page-words.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { writePercent, writeRate } from '../../../ui/base/amount.ts';
import { writeDeadline } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import type { Line, ReturnedView, Way } from './returned-shown.ts';
import { RETURNED_WORDS, type ReturnedWords } from './returned-words.ts';

/** Order, with helpers that make the texts about it. */
interface Notice {
  readonly visit: Visit;
  readonly order: Order;
  readonly words: ReturnedWords;
  readonly currencies: readonly Currency[];
  readonly say: (text: string, params?: Readonly<Record<string, string | number>>) => string;
  readonly text: (sum: Sum) => string;
  readonly time: (at: string) => string;
}

type OrderState = Pick<ReturnedView, 'title' | 'seal' | 'icon' | 'lead'>;

/**
 * Returns the page's content for an order whose customer is back from a payment system: a sentence about its state, figures, and
 * two links.
 */
export async function ofOrder(visit: Visit, order: Order, way: Way): Promise<ReturnedView> {
  const { locale, now } = visit;
  const currencies = shownCurrencies(await visit.client.currencies({}));
  const notice: Notice = {
    visit,
    order,
    words: RETURNED_WORDS[locale],
    currencies,
    say: (text, params) => filled(text, locale, params),
    text: (sum) => writeMoney(sum, currencies, locale),
    time: (at) => writeDeadline(at, Date.parse(now), locale),
  };
  return {
    ...said(notice, way),
    label: m.order_number({ id: order.id }),
    lines: linesOf(notice, way),
    ways: waysOf(notice, way),
  };
}

const WAITS = { seal: 'brand', icon: 'hourglass-medium' } as const;
const ENDED = { seal: 'grey', icon: 'timer' } as const;
const BACK = { seal: 'grey', icon: 'arrow-u-up-left' } as const;

function said(notice: Notice, way: Way): OrderState {
  const { order, words, say, text, time, currencies } = notice;
  const { name } = findCurrency(currencies, order.give.currency);
  switch (order.status) {
    case 'waiting':
      return way === 'paid'
        ? { ...WAITS, title: say(words.paid.title), lead: say(words.paid.known_lead, { name }) }
        : { ...BACK, title: say(words.unpaid.title), lead: say(words.unpaid.known_lead, { time: time(order.expires_at) }) };
    case 'seen':
    case 'confirming':
      return { ...WAITS, title: `${m.headline_seen()} ${text(order.arrived ?? order.give)}`, lead: say(words.seen, { name }) };
    case 'checking':
      return { ...WAITS, title: m.headline_checking(), lead: say(words.checking) };
    case 'choose':
      return { ...WAITS, icon: 'list-checks', title: m.headline_choose(), lead: say(words.choose) };
    case 'paying':
      return { ...WAITS, title: `${m.headline_paying()} ${text(order.get ?? order.give)}`, lead: say(words.paying) };
    case 'done':
      return { seal: 'brand', icon: 'check', title: doneTitle(notice), lead: doneLead(notice) };
    case 'expired':
      return { ...ENDED, title: say(words.expired_title), lead: say(words.expired, { time: time(order.expires_at) }) };
    case 'cancelled':
      return { ...ENDED, icon: 'prohibit', title: m.headline_cancelled(), lead: say(words.cancelled) };
    case 'refunding':
      return { ...BACK, title: `${m.headline_refunding()} ${text(refundOf(order))}`, lead: say(words.refunding) };
    case 'refunded':
      return { ...BACK, title: `${m.headline_refunded()} ${text(refundOf(order))}`, lead: say(words.refunded) };
    case 'rejected':
      return { ...BACK, icon: 'prohibit', title: m.headline_rejected(), lead: say(words.rejected) };
  }
}

/** Returns the title for a finished order, which says where the money is. */
function doneTitle({ order, words: { done }, say, text, currencies }: Notice): string {
  const amount = text(order.get ?? order.give);
  if (order.voucher) return say(done.voucher, { amount });
  if (order.receive?.wallet) return say(done.wallet, { amount });
  if (!order.get || !order.receive) return say(done.other, { amount });
  const { kind, name } = findCurrency(currencies, order.get.currency);
  return kind === 'crypto' ? say(done.address, { amount }) : say(done.account, { amount, name });
}

const MINUTE = 60_000;
/** Longest duration of an exchange that the text states, in minutes. */
const MAX_MINUTES = 120;

function doneLead({ order, words: { done }, say, time }: Notice): string {
  if (order.voucher === 'unseen') return say(done.lead_voucher);
  const at = payoutOf(order)?.at ?? order.updated_at;
  const minutes = Math.round((Date.parse(at) - Date.parse(order.created_at)) / MINUTE);
  const known = { time: time(at), minutes };
  return say(minutes >= 1 && minutes <= MAX_MINUTES ? done.lead_minutes : done.lead, known);
}

const payoutOf = (order: Order) => order.transfers.findLast(({ kind }) => kind === 'payout');
const refundOf = (order: Order): Sum =>
  order.transfers.findLast(({ kind }) => kind === 'refund')?.money ?? order.arrived ?? order.give;

function linesOf(notice: Notice, way: Way): Line[] {
  const { order, words, say, time } = notice;
  const line = (label: string, value: Line['value']): Line => ({ label: say(label), value });
  const total = (label: string, sum: Sum): Line => ({ ...line(label, { sum }), isTotal: true });
  const number = line(words.order, order.id);
  const nothing = total(words.got, { ...order.give, amount: '0' });
  const receives = order.get ? [total(order.status === 'done' ? words.received : words.receive, order.get)] : [];
  const sent = line(words.sent, { sum: order.arrived ?? order.give });
  switch (order.status) {
    case 'waiting': {
      const request = line(way === 'paid' ? words.waits_for : words.to_pay, { sum: order.due ?? order.give });
      return [number, request, line(words.until, time(order.expires_at)), ...(way === 'paid' ? receives : [nothing])];
    }
    case 'expired':
    case 'cancelled':
      return [number, line(words.waited_for, { sum: order.give }), line(words.if_late, say(words.if_late_then)), nothing];
    case 'refunding':
    case 'refunded':
      return [number, sent, total(words.returns, refundOf(order))];
    case 'choose':
    case 'rejected':
      return [number, sent];
    default:
      // The price's lines are shown only if the whole amount has arrived. The lines would not add up to a partial amount.
      return [number, sent, ...(isWhole(order) ? priceLines(notice) : []), ...referenceLine(notice), ...receives];
  }
}

const isWhole = ({ arrived, give }: Order): boolean => arrived === undefined || arrived.amount === give.amount;

function priceLines({ order, words, say, visit: { locale } }: Notice): Line[] {
  const fees = order.fees.map((fee): Line => {
    const label = feeName(fee.code, fee.percent === undefined ? undefined : writePercent(fee.percent, locale));
    return { label, value: { sum: fee, sign: '−' } };
  });
  const discounts = (order.discounts ?? []).map((sum): Line => ({
    label: discountName(sum.code),
    value: { sum, sign: '+' },
  }));
  const lines = [...fees, ...discounts];
  if (!order.rate) return lines;
  const { base, quote, value } = order.rate;
  return [...lines, { label: say(words.rate), value: `1\u00a0${base} = ${writeRate(value, locale)}\u00a0${quote}` }];
}

function referenceLine({ order, words, say }: Notice): Line[] {
  const reference = order.status === 'done' && !order.voucher ? payoutOf(order)?.txid : undefined;
  return reference === undefined ? [] : [{ label: say(words.reference), value: { code: reference } }];
}

function waysOf({ order, words, say, visit: { locale } }: Notice, way: Way): ReturnedView['ways'] {
  const { ways } = words;
  const open = (label: string, query: Record<string, string> = {}) => ({
    label: say(label),
    href: pageUrl(locale, 'order', { id: order.id, ...query }) + ('chat' in query ? '#chat' : ''),
  });
  const again = (label: string) => ({
    label: say(label),
    href: pageUrl(locale, 'home', order.get ? { from: order.give.currency, to: order.get.currency } : {}),
  });
  switch (order.status) {
    case 'waiting':
      return way === 'paid' ? [again(ways.new), open(ways.open)] : [open(ways.paid, { chat: '1' }), open(ways.back)];
    case 'done':
      return order.voucher === 'unseen' ? [again(ways.again), open(ways.open)] : [open(ways.receipt), again(ways.again)];
    case 'expired':
    case 'cancelled':
      return [open(ways.sent, { chat: '1' }), again(ways.repeat)];
    default:
      return [again(ways.new), open(ways.open)];
  }
}
