import { sitePath } from '@kurs/contract';
import type { ChatAddress } from '../collecting/index.ts';
import { type Sender, mail } from '../deliveries/index.ts';
import { type Tx, letterWords, newId } from '../platform/index.ts';
import type { Thread } from './store.ts';

/** Version of the secrets in links to tickets. */
export const TICKET_VERSION = 1;

/** Returns the URL of a ticket's page, with the ticket's secret. */
export function ticketLink({ tokens, url }: Sender, { id, number, locale }: Thread): string {
  const token = tokens.make('ticket', id, TICKET_VERSION);
  return url + sitePath(locale, `contact-us/ticket?id=${number}&token=${token}`);
}

/** Queues the letter that a ticket was received, or that the ticket waits until its writer opens the mailed link. */
export function queueOpened(tx: Tx, sender: Sender, ticket: Thread): void {
  const { locale, number, email } = ticket;
  const words = letterWords(locale, 'ticket');
  const isWaiting = ticket.status === 'unconfirmed';
  const kind = isWaiting ? 'unconfirmed' : 'opened';
  mail.queue(tx, {
    ...{ to: email, locale, name: sender.name, key: `ticket ${ticket.id}` },
    subject: words(`${kind}.subject`, { id: number }),
    paragraphs: [words(`${kind}.lead`), ...(isWaiting ? [words('unconfirmed.not_you')] : [])],
    facts: [[words('number'), number]],
    link: { url: ticketLink(sender, ticket), words: words(isWaiting ? 'unconfirmed.open' : 'open') },
    keep: words('keep'),
  });
}

/** Queues the letter with the desk's answer to a ticket. */
export function queueAnswer(tx: Tx, sender: Sender, ticket: Thread, text: string): void {
  const { locale, number, email } = ticket;
  const words = letterWords(locale, 'ticket');
  mail.queue(tx, {
    ...{ to: email, locale, name: sender.name, key: `ticket ${ticket.id} ${newId()}` },
    subject: words('answered.subject', { id: number }),
    paragraphs: paragraphsOf(text),
    facts: [[words('number'), number]],
    link: { url: ticketLink(sender, ticket), words: words('open') },
    keep: words('keep'),
  });
}

/** Queues the letter with the desk's messages of a chat that the customer hasn't seen. */
export function queueUnread(
  tx: Tx,
  sender: Sender,
  { owner, number, email, locale, url }: ChatAddress,
  { seq, texts }: { readonly seq: number; readonly texts: readonly string[] },
): void {
  const words = letterWords(locale, 'chat');
  mail.queue(tx, {
    ...{ to: email, locale, name: sender.name, key: `chat ${owner.id} ${seq}` },
    subject: words('subject', { id: number }),
    paragraphs: [words('lead'), ...texts.flatMap(paragraphsOf)],
    link: { url, words: words('open') },
    keep: words('keep'),
  });
}

const paragraphsOf = (text: string): string[] => text.split(/\n+/).filter((line) => line.trim() !== '');
