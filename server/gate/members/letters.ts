import { sitePath } from '@kurs/contract';
import { type Reader, letterTimes } from '../../auth/index.ts';
import { type Sender, mail } from '../../deliveries/index.ts';
import { type Tx, letterWords } from '../../platform/index.ts';
import type { Store } from '../stores/store.ts';
import type { Invitation } from './invitation.ts';

/** Queues the letter with an invitation to a store. `letter`: its key; `by`: e-mail address of the member who invites. */
export function queueInvitation(
  tx: Tx,
  { name, url }: Sender,
  { email: to, role, expiresAt }: Invitation,
  { letter, store, by, reader }: { readonly letter: string; readonly store: Store; readonly by: string; readonly reader: Reader },
): void {
  const { locale } = reader;
  const words = letterWords(locale, 'store', { name, store: store.name, by });
  mail.queue(tx, {
    ...{ to, locale, name, key: letter },
    subject: words('invited.subject'),
    paragraphs: [words('invited.lead'), words('invited.then'), words('invited.not_you')],
    facts: [
      [words('store'), store.name],
      [words('role'), words(`roles.${role}`)],
      [words('until'), letterTimes(reader)(expiresAt)],
    ],
    link: { url: url + sitePath(locale, 'dashboard/business'), words: words('invited.open') },
    keep: words('invited.keep'),
  });
}
