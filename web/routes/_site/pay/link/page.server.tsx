import { randomUUID } from 'node:crypto';
import { data, redirect } from 'react-router';
import { readTyped } from '@kurs/money';
import { findCurrency } from '../../../../features/currency.ts';
import { placed } from '../../../../features/rest-of.ts';
import { unreadable } from '../../../../features/unreadable.ts';
import { m } from '../../../../features/words.ts';
import { shownCurrencies } from '../../../../server/document/currencies.ts';
import { failedWith, isCallError } from '../../../../server/document/failure.ts';
import { givePartsTo } from '../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import { pageUrl } from '../../../pages.ts';
import { keyOf } from '../../contact/page.server.tsx';
import { idOf } from '../submit-form.ts';
import { LINK_PANEL, type LinkAnswer, type LinkData, type NoLink, type PayLink } from './link-data.ts';
import { LinkPanel } from './link-panel.tsx';

/** Loads the page of a link. An unknown link has a page of its own with the status 404, which may be framed as well. */
export async function load(visit: Visit): Promise<unknown> {
  const found = await readLink(visit);
  if (!found) return data({ head: { title: m.link_missing() } } satisfies NoLink, { status: 404 });
  const { picture, ...link } = found;
  const head = { title: link.title };
  // The API may have another origin than the site.
  const shown = picture === undefined ? undefined : (visit.config.api ?? '') + picture;
  givePartsTo(head, { [LINK_PANEL]: <LinkPanel link={link} picture={shown} /> });
  const { url, config } = visit;
  return { head, path: url.pathname, link, key: randomUUID(), isSandbox: config.mode === 'sandbox' } satisfies LinkData;
}

/** Makes the invoice of the link and leads to its page. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const link = await readLink(visit);
  if (!link) return redirect(visit.url.pathname, 303);
  const typed = (form.get('amount') ?? '').trim();
  const refuse = (answer: Omit<LinkAnswer, 'typed'>, status: number) =>
    data({ typed, ...answer } satisfies LinkAnswer, { status });
  const sum = link.amount === undefined ? await readSum(visit, typed, link.currency) : {};
  if (sum.error !== undefined) return refuse({ error: sum.error }, 422);
  try {
    const { id } = await visit.client.paymentLinkPay({ id: link.id, ...sum }, keyOf(form));
    return redirect(pageUrl(visit.locale, 'pay', { id }), 303);
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    const { at, rest } = placed(error, link.amount === undefined ? ['amount'] : []);
    return refuse(
      { ...(at['amount'] !== undefined && { error: at['amount'] }), ...(rest !== undefined && { message: rest }) },
      error.status,
    );
  }
}

/** Reads a sum that was typed in the language of the page. */
async function readSum(visit: Visit, text: string, code: string): Promise<{ amount?: string; error?: string }> {
  const { payDigits } = findCurrency(shownCurrencies(await visit.client.currencies({})), code);
  const amount = readTyped(text, visit.locale, payDigits);
  if (amount === undefined) return { error: unreadable(text) };
  return amount === '' ? { error: m.link_sum_missing() } : { amount };
}

/** Returns the link that the URL names; undefined if there is none. */
async function readLink(visit: Visit): Promise<PayLink | undefined> {
  try {
    return await visit.client.paymentLink({ id: idOf(visit) });
  } catch (error) {
    if (failedWith(error, 'link_unknown', 'validation')) return undefined;
    throw error;
  }
}
