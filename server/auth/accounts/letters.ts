import type { Locale } from '@kurs/contract';
import { mail } from '../../deliveries/index.ts';
import { type Tx, letterWords, newId } from '../../platform/index.ts';
import type { Freeze } from './freeze.ts';
import type { Holder } from './holder.ts';
import { letterTimes } from './letter-times.ts';
import { storeNotice } from './notices.ts';

/** Security events of which an account holder is notified. */
export type Notice =
  | 'password_changed'
  | 'password_set'
  | 'password_was_reset'
  | 'google_linked'
  | 'google_unlinked'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'recovery_used'
  | 'new_device'
  | 'recovery_renewed'
  | 'api_key_made'
  | 'email_changed'
  | 'email_left'
  | 'email_asked_for'
  | 'closing_begun'
  | 'closing_called_off'
  | 'closing_stopped'
  | 'closed';

/**
 * Keys of the texts for a holder who didn't make the change. Only for notices whose usual advice (sign in, set a new password)
 * doesn't apply.
 */
const NOT_YOU: { readonly [N in Notice]?: string } = { email_left: 'not_you_left', email_asked_for: 'not_you_asked' };

/**
 * Notices that are sent by letter, but not shown in the account's list of notices. The list shows `email_changed` instead of
 * `email_left`, and a closed account has no list.
 */
const ONLY_BY_LETTER: ReadonlySet<Notice> = new Set(['email_left', 'closed']);

/**
 * Queues a letter with a one-time code. `kind`: key of the letter's texts, mostly the code's purpose. `ip`: network address of
 * the request, which the letter shows. `email`: e-mail address that the letter is about, if any.
 */
export function queueCode(
  tx: Tx,
  kind: string,
  {
    to,
    locale,
    name,
    code,
    ip,
    email = '',
  }: { to: string; locale: Locale; name: string; code: string; ip: string; email?: string },
): void {
  const words = letterWords(locale, kind, { name });
  mail.queue(tx, {
    ...{ to, locale, name, key: `code ${newId()}` },
    subject: words('subject'),
    paragraphs: [words('lead', { email })],
    code,
    facts: [[letterWords(locale, 'account', { name })('from'), ip]],
    keep: words('keep'),
  });
}

/** Details of a notice. */
interface NoticeDetails {
  readonly holder: Holder;
  readonly name: string;
  /** Network address of the request; undefined if the product itself acted. */
  readonly ip?: string;
  readonly freeze?: Freeze;
  readonly email?: string;
  /** Name that the holder gave to an API key. */
  readonly called?: string;
  readonly until?: Date;
  /** API keys that are still valid, in the form of `namedKeys`. */
  readonly keys?: readonly string[];
  /** Valid API keys of stores that the holder made, in the form of `namedKeysMadeBy`. */
  readonly storeKeys?: readonly string[];
}

/**
 * Stores a notice about the account's security, and queues a letter about the change, its time, the network address and any
 * freeze.
 */
export async function queueNotice(
  tx: Tx,
  notice: Notice,
  { holder, name, ip, freeze, email = '', called = '', until, keys = [], storeKeys = [] }: NoticeDetails,
): Promise<void> {
  const { locale, email: to } = holder;
  const words = letterWords(locale, 'account', { name });
  const at = letterTimes(holder);
  const id = newId();
  mail.queue(tx, {
    ...{ to, locale, name, key: `notice ${id}` },
    subject: words(`${notice}.subject`),
    paragraphs: [
      words(`${notice}.lead`, { email, called, ...(until && { until: at(until) }) }),
      ...(freeze ? [words('frozen', { until: at(freeze.until) })] : []),
      ...(keys.length === 0 ? [] : [words('keys', { keys: keys.join(', ') })]),
      ...(storeKeys.length === 0 ? [] : [words('store_keys', { keys: storeKeys.join(', ') })]),
      ...(ip === undefined ? [] : [words(NOT_YOU[notice] ?? 'not_you')]),
    ],
    facts: [[words('when'), at(tx.now)], ...(ip === undefined ? [] : [[words('from'), ip] as const])],
    keep: words('keep'),
  });
  if (!ONLY_BY_LETTER.has(notice)) await storeNotice(tx, { id, holderId: holder.id, kind: notice, ip });
}
