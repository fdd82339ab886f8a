import type { Statements } from '../platform/index.ts';
import type { StoredLetter } from './delivery-macs.ts';
import { type LetterText, opened } from './mail.ts';

/** A queued letter with its decrypted content. */
export interface QueuedLetter extends LetterText {
  readonly key: string;
  readonly recipient: string;
  readonly queuedAt: Date;
}

/**
 * Returns the queued letters, the oldest first. `to`: only letters to this receiver; `key`: only letters whose key matches this
 * pattern.
 */
export async function queuedLetters(
  db: Statements,
  { to, key }: { readonly to?: string; readonly key?: string } = {},
): Promise<QueuedLetter[]> {
  const rows = await db.rows<StoredLetter>(
    `select id, key, recipient, locale, queued_at as "queuedAt", sealed from mail
     where ($1::text is null or recipient = $1) and ($2::text is null or key like $2) order by queued_at, id`,
    [to ?? null, key ?? null],
  );
  return rows.map((row) => ({ key: row.key, recipient: row.recipient, queuedAt: row.queuedAt, ...opened(row) }));
}
