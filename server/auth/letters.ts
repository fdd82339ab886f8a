import { type Locale, say } from '@kurs/contract';
import { writeTime } from '@kurs/money';
import { type Tx, mail, newId, writeLetter } from '../platform/index.ts';
import type { Freeze } from './freeze.ts';
import type { Holder } from './holder.ts';

/** The letters with a code. */
export type CodeLetter = 'sign_in' | 'password_reset' | 'verify_email' | 'money_out';

/** What an account holder is told of as it happens. */
export type Notice =
  | 'password_changed'
  | 'password_set'
  | 'password_was_reset'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'recovery_used'
  | 'new_device';

type Words = (key: string, params?: Readonly<Record<string, string>>) => string;

const wordsOf =
  (locale: Locale, room: string, name: string): Words =>
  (key, params = {}) => {
    const found = say(locale, `mail.${room}.${key}`, { name, ...params });
    if (found === undefined) throw new Error(`No words for mail.${room}.${key} in ${locale}`);
    return found;
  };

/** Queues the letter with a code. */
export async function queueCode(
  tx: Tx,
  kind: CodeLetter,
  { to, locale, name, code }: { to: string; locale: Locale; name: string; code: string },
): Promise<void> {
  const words = wordsOf(locale, kind, name);
  const letter = writeLetter({ locale, name, subject: words('subject'), paragraphs: [words('lead')], code, keep: words('keep') });
  await mail.queue(tx, { to, locale, ...letter, key: `code ${newId()}` });
}

/** Queues the letter that tells of a change in an account's security: what, when, from where, and what it freezes. */
export async function queueNotice(
  tx: Tx,
  notice: Notice,
  { holder, name, ip, freeze }: { holder: Holder; name: string; ip: string; freeze?: Freeze },
): Promise<void> {
  const { locale, email: to } = holder;
  const words = wordsOf(locale, 'account', name);
  const at = (moment: Date): string => writeTime(moment.toISOString(), locale);
  const letter = writeLetter({
    locale,
    name,
    subject: words(`${notice}.subject`),
    paragraphs: [words(`${notice}.lead`), ...(freeze ? [words('frozen', { until: at(freeze.until) })] : []), words('not_you')],
    facts: [
      [words('when'), at(tx.now)],
      [words('from'), ip],
    ],
    keep: words('keep'),
  });
  await mail.queue(tx, { to, locale, ...letter, key: `notice ${newId()}` });
}
