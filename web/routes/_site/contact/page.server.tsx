import { FILES_OF_MESSAGE } from '@kurs/contract/support';
import { randomUUID } from 'node:crypto';
import { data, redirect } from 'react-router';
import { crumbList } from '../../../features/blocks/crumbs.tsx';
import { m } from '../../../features/words.ts';
import type { Head } from '../../../server/document/document.ts';
import { isCallError } from '../../../server/document/failure.ts';
import { filled } from '../../../server/document/page-words.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { pageUrl } from '../../pages.ts';
import { Contact, type ContactAnswer } from './contact-parts.tsx';
import { CONTACT_WORDS } from './contact-words.ts';

/** Data that the browser gets: the head only, since the server renders the whole page. */
export interface ContactData {
  readonly head: Head;
}

type OpenInput = Parameters<Visit['client']['ticketOpen']>[0];

/** Result of the form that was submitted by the same request. `submit` stores it, and `load` renders it. */
const answers = new WeakMap<Visit, ContactAnswer>();

/** True if a fixed token passes the robot check: in the sandbox, unless a third-party check is configured. */
const sandboxPass = ({ config }: Visit): boolean => config.mode === 'sandbox' && !config.botCheck;

/** Loads the contact page: form, opening hours and other ways to get help. */
export async function load(visit: Visit): Promise<ContactData> {
  const { locale, config, client, url } = visit;
  const words = CONTACT_WORDS[locale];
  const { topics, median_minutes: medianMinutes } = await client.supportDetails({});
  const answer = answers.get(visit) ?? {};
  const order = (url.searchParams.get('order') ?? '').slice(0, 20);
  const topic = topics.find((one) => one === url.searchParams.get('topic')) ?? '';
  const isChecked = !sandboxPass(visit);
  const fill = (text: string): string => filled(text, locale);
  const title = fill(words.head.title);
  const head: Head = {
    title: answer.message === undefined ? title : m.error_title({ title }),
    description: fill(words.head.description),
    jsonLd: {
      '@context': 'https://schema.org',
      '@graph': [crumbList(visit, fill(words.title)), { '@type': 'ContactPage', name: title, inLanguage: locale }],
    },
  };
  const view = { locale, words, config, topics, medianMinutes, answer, order, topic, key: randomUUID(), isChecked };
  givePartsTo(head, { contact: <Contact view={view} /> });
  return { head };
}

/** Opens a ticket and redirects to its page. If the form is refused, renders it again with the typed values. */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const { client, locale, files } = visit;
  const typed = (name: string): string => (form.get(name) ?? '').trim();
  const values = Object.fromEntries(['order', 'topic', 'text', 'email'].map((name) => [name, typed(name)]));
  const token = typed('bot_token') || (sandboxPass(visit) ? 'sandbox' : '');
  if (visit.hasTooLargeFiles) return tooLarge(visit, answers, values);
  const input: OpenInput = {
    ...(typed('order') !== '' && { order: typed('order') }),
    topic: typed('topic') as OpenInput['topic'],
    text: typed('text'),
    email: typed('email'),
    files: [...files],
    ...(token !== '' && { bot_token: token }),
  };
  try {
    const ticket = await client.ticketOpen(input, keyOf(form));
    if (ticket.token !== undefined)
      return redirect(pageUrl(locale, 'ticket', { id: ticket.id, token: ticket.token, sent: '1' }), 303);
    answers.set(visit, { mailed: { id: ticket.id, email: input.email } });
    return null;
  } catch (error) {
    if (!isCallError(error) || (error.status >= 500 && error.code !== 'bot_check_unavailable')) throw error;
    const { errors, message, work } = error;
    answers.set(visit, { errors, values, message, hasFiles: files.length > 0, ...(work !== undefined && { work }) });
    return data(null, { status: error.status });
  }
}

/** Renders the page again with the typed values after files were too large. The error at the file field states the limits. */
export function tooLarge(visit: Visit, answers: WeakMap<Visit, ContactAnswer>, values: ContactAnswer['values'] = {}): unknown {
  const { files_wrong: wrong, files_too_large: message } = CONTACT_WORDS[visit.locale].form;
  const bounds = { max: FILES_OF_MESSAGE.max, size: FILES_OF_MESSAGE.bytes / 1024 / 1024 };
  const said = `${filled(message, visit.locale)} ${filled(wrong, visit.locale, bounds)}`;
  answers.set(visit, { errors: { files: [said] }, message: said, values });
  return data(null, { status: 413 });
}

/** Returns the idempotency key that a form contains; undefined if it is not well-formed. */
export function keyOf(form: URLSearchParams): { idempotencyKey: string } | undefined {
  const key = form.get('key') ?? '';
  return /^[\w-]{16,64}$/.test(key) ? { idempotencyKey: key } : undefined;
}
