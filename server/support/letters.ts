import { say } from '@kurs/contract';
import { type Sender, type StoredOrder, linkTo } from '../exchange/index.ts';
import { type Tx, mail, newId, writeLetter } from '../platform/index.ts';
import type { Thread } from './store.ts';

/** The secret of a ticket's page. */
export const TICKET_VERSION = 1;

/** The address of a ticket's page, with its secret. */
export function ticketLink({ tokens, url }: Sender, { id, number, locale }: Thread): string {
  const token = tokens.make('ticket', id, TICKET_VERSION);
  return `${url}/${locale === 'ru' ? 'Ru' : 'En'}/contact-us/ticket?id=${number}&token=${token}`;
}

/** Queues the letter that a ticket is ours, or that it waits for its link to be opened. */
export async function queueOpened(tx: Tx, sender: Sender, ticket: Thread): Promise<void> {
  const { locale, number, email } = ticket;
  const words = wordsOf(locale, 'ticket');
  const isWaiting = ticket.status === 'unconfirmed';
  const kind = isWaiting ? 'unconfirmed' : 'opened';
  const letter = writeLetter({
    ...{ locale, name: sender.name },
    subject: words(`${kind}.subject`, { id: number }),
    paragraphs: [words(`${kind}.lead`), ...(isWaiting ? [words('unconfirmed.not_you')] : [])],
    facts: [[words('number'), number]],
    link: { url: ticketLink(sender, ticket), words: words(isWaiting ? 'unconfirmed.open' : 'open') },
    keep: words('keep'),
  });
  await mail.queue(tx, { to: email, locale, ...letter, key: `ticket ${ticket.id}` });
}

/** Queues the letter with the desk's answer to a ticket. */
export async function queueAnswer(tx: Tx, sender: Sender, ticket: Thread, text: string): Promise<void> {
  const { locale, number, email } = ticket;
  const words = wordsOf(locale, 'ticket');
  const letter = writeLetter({
    ...{ locale, name: sender.name },
    subject: words('answered.subject', { id: number }),
    paragraphs: paragraphsOf(text),
    facts: [[words('number'), number]],
    link: { url: ticketLink(sender, ticket), words: words('open') },
    keep: words('keep'),
  });
  await mail.queue(tx, { to: email, locale, ...letter, key: `ticket ${ticket.id} ${newId()}` });
}

/** Queues the letter with what the desk said in a chat while its customer did not look. */
export async function queueUnread(
  tx: Tx,
  sender: Sender,
  { order, seq, texts }: { readonly order: StoredOrder; readonly seq: number; readonly texts: readonly string[] },
): Promise<void> {
  const { locale, number, email, view } = order;
  const words = wordsOf(locale, 'chat');
  const letter = writeLetter({
    ...{ locale, name: sender.name },
    subject: words('subject', { id: number }),
    paragraphs: [words('lead'), ...texts.flatMap(paragraphsOf)],
    link: { url: `${linkTo(sender, order)}&chat=1`, words: words('open') },
    keep: words('keep'),
  });
  await mail.queue(tx, { to: email, locale, ...letter, key: `chat ${view.id} ${seq}` });
}

const paragraphsOf = (text: string): string[] => text.split(/\n+/).filter((line) => line.trim() !== '');

const wordsOf =
  (locale: Thread['locale'], room: string) =>
  (key: string, params: Readonly<Record<string, string>> = {}): string => {
    const found = say(locale, `mail.${room}.${key}`, params);
    if (found === undefined) throw new Error(`No words for mail.${room}.${key} in ${locale}`);
    return found;
  };
