import type { Sum } from '../../../features/money.tsx';
import { m } from '../../../features/words.ts';
import { filled } from '../../../server/document/page-words.ts';
import { failedWith } from '../../../server/document/failure.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { writeDeadline } from '../../../ui/base/time.ts';
import { pageUrl } from '../../pages.ts';
import { storedInvoice } from '../pay/pay-cookie.ts';
import { type Invoice, awaitsPayment, isMarked, isPartlyPaid, isTimeOver, isUnfinished, mayChoose } from '../pay/pay-data.ts';
import type { Line, ReturnedView, Way } from './returned-shown.ts';
import { RETURNED_WORDS } from './returned-words.ts';

/** Returns the invoice with a number if this browser has left it for a payment system; otherwise undefined. */
export async function ownInvoice(visit: Visit, number: string): Promise<Invoice | undefined> {
  const id = storedInvoice(visit, number);
  if (id === undefined) return undefined;
  try {
    return await visit.client.paymentInvoice({ id });
  } catch (error) {
    if (failedWith(error, 'invoice_unknown', 'validation')) return undefined;
    throw error;
  }
}

const WAITS = { seal: 'brand', icon: 'hourglass-medium' } as const;
const BACK = { seal: 'grey', icon: 'arrow-u-up-left' } as const;
const ENDED = { seal: 'grey', icon: 'timer' } as const;

/**
 * Returns the page's content for an invoice whose buyer is back from a payment system. The invoice's state alone says whether it
 * is paid; the URL says only whether the buyer left without paying.
 */
export function ofInvoice(visit: Visit, invoice: Invoice, way: Way): ReturnedView {
  return { ...stateOf(visit, invoice, way), label: m.checkout_head({ number: invoice.number }), ...contentOf(visit, invoice) };
}

function stateOf({ locale, now }: Visit, invoice: Invoice, way: Way): Pick<ReturnedView, 'title' | 'seal' | 'icon' | 'lead'> {
  const { invoice: words } = RETURNED_WORDS[locale];
  const { state, mark } = invoice;
  const say = (text: string, params?: Parameters<typeof filled>[2]): string => filled(text, locale, params);
  if (isMarked(invoice)) {
    const title = mark === 'settled' ? m.checkout_marked_settled() : m.checkout_marked_invalid();
    return { ...ENDED, icon: mark === 'settled' ? 'check' : 'prohibit', title, lead: say(words.marked) };
  }
  if (isUnfinished(invoice) && invoice.late) return { ...WAITS, title: m.checkout_late(), lead: m.checkout_late_text() };
  switch (state) {
    case 'open':
      if (isTimeOver(invoice, Date.parse(now)))
        return { ...WAITS, title: m.checkout_time_over(), lead: m.checkout_time_over_text() };
      if (awaitsPayment(invoice)) return { ...WAITS, title: m.checkout_late_wait(), lead: m.checkout_waits() };
      if (isPartlyPaid(invoice)) return { ...WAITS, title: m.checkout_choose_rest(), lead: say(words.partly) };
      if (way === 'paid') {
        const name = invoice.option?.network ?? '';
        return { ...WAITS, title: say(words.waiting_title), lead: say(words.waiting, { name }) };
      }
      return {
        ...{ ...BACK, title: say(words.unpaid_title) },
        lead: say(words.unpaid, { time: writeDeadline(invoice.expires_at, Date.parse(now), locale) }),
      };
    case 'confirming':
      return { ...WAITS, title: m.checkout_confirming(), lead: say(words.confirming) };
    case 'settled':
      return { seal: 'brand', icon: 'check', title: m.checkout_settled(), lead: say(words.settled) };
    case 'short':
      return { ...ENDED, title: m.checkout_short(), lead: say(words.partly) };
    case 'expired':
      return { ...ENDED, title: m.checkout_expired(), lead: say(words.ended) };
    case 'cancelled':
      return { ...ENDED, icon: 'prohibit', title: m.checkout_cancelled(), lead: say(words.ended) };
    case 'invalid':
      return { ...ENDED, icon: 'prohibit', title: m.checkout_invalid(), lead: say(words.ended) };
  }
}

/** Returns the lines with what is paid and what is left, and the links to the shop and to the invoice. */
function contentOf({ locale, now }: Visit, invoice: Invoice): Pick<ReturnedView, 'lines' | 'ways'> {
  const { invoice: words } = RETURNED_WORDS[locale];
  const { id, number, store, currency, credited, due, state, return_url: shop } = invoice;
  const line = (label: string, value: Line['value'], isTotal = false): Line => ({
    ...{ label: filled(label, locale), value },
    ...(isTotal && { isTotal }),
  });
  const sum = (amount: string): { sum: Sum } => ({ sum: { amount, currency } });
  const isPaid = state === 'settled';
  const isPayable = mayChoose(invoice) && !isTimeOver(invoice, Date.parse(now)) && !isMarked(invoice);
  const isAsked = isPayable && !awaitsPayment(invoice) && due !== undefined;
  const open = { label: filled(words.ways.open, locale), href: pageUrl(locale, 'pay', { id }) };
  const other = shop
    ? { label: filled(words.ways.shop, locale), href: shop }
    : { label: filled(words.ways.ask, locale), href: pageUrl(locale, 'contact', { order: number }) };
  return {
    lines: [
      line(words.label, number),
      line(words.store, store.name),
      line(words.paid, sum(credited), !isAsked),
      ...(isAsked ? [line(words.due, sum(due), true)] : []),
    ],
    ways: isPaid && shop ? [open, other] : [other, open],
  };
}
