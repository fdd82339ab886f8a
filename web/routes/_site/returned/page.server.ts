import { redirect } from 'react-router';
import { type Order, isOver } from '../../../features/order/order.ts';
import type { Head } from '../../../server/document/document.ts';
import { failedWith } from '../../../server/document/failure.ts';
import { filled } from '../../../server/document/page-words.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';
import { lastNumber, leftLocale, storedOrder } from '../order/order-cookie.ts';
import { isInvoiceNumber } from '../pay/pay-cookie.ts';
import { isUnfinished } from '../pay/pay-data.ts';
import { ofInvoice, ownInvoice } from './returned-invoice.ts';
import { ofOrder } from './returned-order.ts';
import type { ReturnedView, Way } from './returned-shown.ts';
import { RETURNED_WORDS } from './returned-words.ts';

export interface ReturnedData extends ReturnedView {
  readonly head: Head;
  /**
   * Set if the server can't open the order. `id` is the order's number in the URL, if the URL has a number. This tab may have
   * stored the order's key.
   */
  readonly unknown?: { readonly id?: string };
  /** True if the order is not over yet. The page then polls the order. */
  readonly mayPoll: boolean;
}

/** Interval at which the page reloads in browsers without JavaScript, in seconds. */
const REFRESH_SECONDS = 15;

/**
 * Loads the page to which a payment provider redirects its customer. Nothing is credited here. The browser from which the
 * customer went to the provider has a cookie of the order or invoice, so it shows their state. In any other browser, and after a
 * deposit, the page explains the next steps.
 */
export async function load(visit: Visit, way: Way): Promise<ReturnedData | Response> {
  const locale = leftLocale(visit);
  if (locale !== visit.locale) return redirect(pageUrl(locale, way, Object.fromEntries(visit.url.searchParams)));
  const id = /^[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}$/.exec((visit.url.searchParams.get('id') ?? '').toUpperCase())?.[0];
  const number = id ?? lastNumber(visit);
  const isInvoice = number !== undefined && isInvoiceNumber(number);
  const words = RETURNED_WORDS[locale];
  // The description for search engines and link previews contains nothing about the order.
  const reported = { description: filled(words[way].description, locale), shared: filled(words[way].title, locale) };
  const found = isInvoice ? await invoiceView(visit, number, way) : await orderView(visit, id, way);
  if (!found) {
    const shown = isInvoice ? ofUnknownInvoice(visit, number) : ofNumber(visit, way, id);
    return { head: { title: shown.title, ...reported }, ...shown, unknown: id === undefined ? {} : { id }, mayPoll: false };
  }
  const head = { title: found.title, ...reported, ...(found.mayPoll ? { refresh: REFRESH_SECONDS } : {}) };
  return { head, ...found };
}

type FoundView = ReturnedView & Pick<ReturnedData, 'mayPoll'>;

/** Returns the page's content for this browser's order; undefined if the browser can't open the order. */
async function orderView(visit: Visit, id: string | undefined, way: Way): Promise<FoundView | undefined> {
  const order = await ownOrder(visit, id);
  return order && { ...(await ofOrder(visit, order, way)), mayPoll: !isOver(order) };
}

/** Returns the page's content for an invoice that this browser has left; undefined if it has no cookie for the number. */
async function invoiceView(visit: Visit, number: string, way: Way): Promise<FoundView | undefined> {
  const invoice = await ownInvoice(visit, number);
  return invoice && { ...ofInvoice(visit, invoice, way), mayPoll: isUnfinished(invoice) };
}

/** Returns the page's content for a browser that knows only the number of an invoice. */
function ofUnknownInvoice({ locale }: Visit, number: string): ReturnedView {
  const { invoice: words, ...common } = RETURNED_WORDS[locale];
  const say = (text: string): string => filled(text, locale);
  return {
    ...{ seal: 'brand', icon: 'hourglass-medium', title: say(words.unknown_title), lead: say(words.unknown) },
    label: say(common.label),
    lines: [
      { label: say(words.label), value: number },
      { label: say(common.counts), value: say(common.counts_when) },
      { label: say(words.link), value: say(words.link_where) },
    ],
    ways: [
      { label: say(common.ways.new), href: pageUrl(locale, 'home') },
      { label: say(words.ways.ask), href: pageUrl(locale, 'contact', { order: number }) },
    ],
  };
}

/**
 * Returns the order if this browser has the order's cookie; otherwise undefined. A token in the URL is not accepted, since
 * providers redirect to URLs without tokens.
 */
async function ownOrder(visit: Visit, id: string | undefined): Promise<Order | undefined> {
  const key = storedOrder(visit, id);
  if (!key) return undefined;
  try {
    return (await visit.client.trackOrder(key)) as Order;
  } catch (error) {
    if (failedWith(error, 'order_not_found', 'validation')) return undefined;
    throw error;
  }
}

/**
 * Returns the page's content for a browser that can't open the order and knows at most a number. Deposits and orders have numbers
 * with different beginnings.
 */
function ofNumber({ locale }: Visit, way: Way, id: string | undefined): ReturnedView {
  const words = RETURNED_WORDS[locale];
  const say = (text: string): string => filled(text, locale);
  const number = (label: string) => (id === undefined ? [] : [{ label: say(label), value: id }]);
  const counts = { label: say(words.counts), value: say(words.counts_when) };
  const home = { label: say(words.ways.new), href: pageUrl(locale, 'home') };
  const looks = {
    seal: way === 'paid' ? 'brand' : 'grey',
    icon: way === 'paid' ? 'hourglass-medium' : 'arrow-u-up-left',
  } as const;
  const common = { ...looks, title: say(words[way].title), label: say(words.label) };
  if (id?.startsWith('KD-')) {
    const wallets = { label: say(words.ways.wallets), href: pageUrl(locale, 'wallet') };
    return { ...common, lead: say(words.paid.deposit_lead), lines: [...number(words.deposit), counts], ways: [home, wallets] };
  }
  const asks = { label: say(words.ways.paid), href: pageUrl(locale, 'contact', id === undefined ? {} : { order: id }) };
  const track = { label: say(words.ways.track), href: pageUrl(locale, 'track', id === undefined ? {} : { id }) };
  return {
    ...common,
    lead: say(words[way].lead),
    lines: [...number(words.order), counts, { label: say(words.link), value: say(words.link_where) }],
    ways: [way === 'paid' ? home : asks, track],
  };
}
