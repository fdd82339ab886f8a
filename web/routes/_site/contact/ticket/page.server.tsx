import { randomUUID } from 'node:crypto';
import { data, redirect } from 'react-router';
import { m } from '../../../../features/words.ts';
import type { Head } from '../../../../server/document/document.ts';
import { failedWith, isCallError, notThere } from '../../../../server/document/failure.ts';
import { filled } from '../../../../server/document/page-words.ts';
import { givePartsTo } from '../../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import { pageUrl } from '../../../pages.ts';
import { type ContactData, keyOf, tooLarge } from '../page.server.tsx';
import type { ContactAnswer } from '../contact-parts.tsx';
import { CONTACT_WORDS } from '../contact-words.ts';
import { type Ticket, TicketPart } from './ticket-parts.tsx';

interface Key {
  readonly id: string;
  readonly token: string;
}

const answers = new WeakMap<Visit, ContactAnswer>();

function ticketKey({ url }: Visit): Key | undefined {
  const [id, token] = [url.searchParams.get('id'), url.searchParams.get('token')];
  return id && token ? { id, token } : undefined;
}

/** Loads the ticket that the URL names. Without a valid key in the URL, redirects to the contact form. */
export async function load(visit: Visit): Promise<ContactData | Response> {
  const { locale, config, url } = visit;
  const key = ticketKey(visit);
  if (!key) return redirect(pageUrl(locale, 'contact'));
  const words = CONTACT_WORDS[locale];
  const ticket = await ticketOf(visit, key);
  const answer = answers.get(visit) ?? {};
  const title = filled(words.ticket.head, locale, { id: ticket.id });
  const head: Head = { title: answer.message === undefined ? title : m.error_title({ title }) };
  const isNew = url.searchParams.has('sent') && ticket.messages.length === 1;
  const view = {
    locale,
    words,
    name: config.name,
    api: config.api ?? '',
    ticket,
    token: key.token,
    isNew,
    answer,
    key: randomUUID(),
  };
  givePartsTo(head, { contact: <TicketPart view={view} /> });
  return { head };
}

async function ticketOf(visit: Visit, key: Key): Promise<Ticket> {
  try {
    return await visit.client.ticketRead(key);
  } catch (error) {
    if (!failedWith(error, 'ticket_not_found', 'validation')) throw error;
    const { missing_title: title, missing } = CONTACT_WORDS[visit.locale].ticket;
    return notThere(visit, filled(title, visit.locale), filled(missing, visit.locale));
  }
}

/** Adds the customer's message to the ticket. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { client, locale, files } = visit;
  const key = ticketKey(visit);
  if (!key) return redirect(pageUrl(locale, 'contact'), 303);
  const text = (form.get('text') ?? '').trim();
  if (visit.hasTooLargeFiles) return tooLarge(visit, answers, { text });
  try {
    await client.ticketReply({ ...key, text, files: [...files] }, keyOf(form));
    return redirect(pageUrl(locale, 'ticket', { ...key }), 303);
  } catch (error) {
    if (!isCallError(error) || error.status >= 500 || error.code === 'ticket_not_found') throw error;
    answers.set(visit, { errors: error.errors, values: { text }, message: error.message, hasFiles: files.length > 0 });
    return data(null, { status: error.status });
  }
}
