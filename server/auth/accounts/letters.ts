import type { Locale } from '@kurs/contract';
import { mail } from '../../deliveries/index.ts';
import { type Tx, letterWords, newId } from '../../platform/index.ts';
import type { Freeze } from './freeze.ts';
import type { Holder } from './holder.ts';
import { letterTimes } from './letter-times.ts';
import { keepNotice } from './notices.ts';

/** What an account holder is told of as it happens. */
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

/** What to do about what one has not done oneself, where signing in and setting a new password isn’t it. */
const NOT_YOU: { readonly [N in Notice]?: string } = { email_left: 'not_you_left', email_asked_for: 'not_you_asked' };

/**
 * Mailed only and absent from the account's notices: the new address gets the same letter, and a closed account has no
 * list.
 */
const ONLY_BY_LETTER: ReadonlySet<Notice> = new Set(['email_left', 'closed']);

/**
 * Queues the letter with a code: `kind` names its words, the purpose of the code for most. It says from where it was asked for.
 * `email`: the address that it speaks of, where it speaks of one.
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

/** What a letter tells of beside what has happened. */
interface Told {
  readonly holder: Holder;
  readonly name: string;
  /** The network address; undefined where nobody caused it. */
  readonly ip?: string;
  readonly freeze?: Freeze;
  readonly email?: string;
  /** What its holder calls a key. */
  readonly called?: string;
  readonly until?: Date;
  /** Keys that still open something, as letters name them. */
  readonly keys?: readonly string[];
}

/** Stores a change of an account's security and queues its letter: what changed, when, from where, and what it freezes. */
export async function queueNotice(
  tx: Tx,
  notice: Notice,
  { holder, name, ip, freeze, email = '', called = '', until, keys = [] }: Told,
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
      ...(ip === undefined ? [] : [words(NOT_YOU[notice] ?? 'not_you')]),
    ],
    facts: [[words('when'), at(tx.now)], ...(ip === undefined ? [] : [[words('from'), ip] as const])],
    keep: words('keep'),
  });
  if (!ONLY_BY_LETTER.has(notice)) await keepNotice(tx, { id, holderId: holder.id, kind: notice, ip });
}
