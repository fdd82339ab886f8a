// Letters to the owner of a business, about its application and the decisions of the desk.

import { sitePath } from '@kurs/contract';
import { holderById } from '../../auth/index.ts';
import { type Sender, mail } from '../../deliveries/index.ts';
import { type Tx, letterWords } from '../../platform/index.ts';
import type { Business, BusinessAction } from './business.ts';

/** Name of the desk and address of its site, which letters contain. */
export type LetterSender = Pick<Sender, 'name' | 'url'>;

/** Queues the letter about an application, or about a decision of the desk. It has the desk's note, if there is one. */
export async function mailDecision(
  tx: Tx,
  { name, url }: LetterSender,
  { id, holderId, legal_name: business, note, stateAt }: Business,
  action?: BusinessAction,
): Promise<void> {
  const holder = await holderById(tx, holderId);
  if (!holder || holder.isAltered) return;
  const { email: to, locale } = holder;
  const kind = action ?? 'applied';
  const words = letterWords(locale, 'business', { name, business });
  mail.queue(tx, {
    ...{ to, locale, name, key: `business ${id} ${kind} ${stateAt.toISOString()}` },
    subject: words(`${kind}.subject`),
    paragraphs: [words(`${kind}.lead`), ...(note === '' ? [] : [words('note'), note]), words(`${kind}.then`)],
    link: { url: url + sitePath(locale, 'dashboard/business'), words: words('open') },
    keep: words('keep'),
  });
}

/** Queues the letter about a web site (`origin`) of a business that the desk struck now. */
export async function mailStruckSite(
  tx: Tx,
  { name, url }: LetterSender,
  { id, holderId, legal_name: business }: Business,
  origin: string,
): Promise<void> {
  const holder = await holderById(tx, holderId);
  if (!holder || holder.isAltered) return;
  const { email: to, locale } = holder;
  const words = letterWords(locale, 'business', { name, business, site: origin });
  mail.queue(tx, {
    ...{ to, locale, name, key: `business ${id} struck ${origin} ${tx.now.toISOString()}` },
    subject: words('site_struck.subject'),
    paragraphs: [words('site_struck.lead'), words('site_struck.then')],
    link: { url: url + sitePath(locale, 'dashboard/business'), words: words('open') },
    keep: words('keep'),
  });
}
