import { withoutProgressLetters } from '../auth/index.ts';
import { type Tokens, type Tx, mail, writeLetter } from '../platform/index.ts';
import { composeLetter } from './compose-letter.ts';
import type { LetterKind } from './letter-kind.ts';
import type { StoredOrder } from './order-store.ts';

/** What letters say of the desk. */
export interface Sender {
  readonly tokens: Tokens;
  /** The desk's name and the address of its site. */
  readonly name: string;
  readonly url: string;
}

/**
 * Queues a letter about an order in its customer's language. `once` tells letters of one kind apart: the same order,
 * kind and `once` are mailed once. `code` is the one-time code of such a letter.
 */
export async function queueLetter(
  tx: Tx,
  sender: Sender,
  order: StoredOrder,
  kind: LetterKind,
  { once = '', code }: { once?: string; code?: string } = {},
): Promise<void> {
  const { open, ...words } = composeLetter(order, kind, code);
  const link = { url: linkTo(sender, order), words: open };
  const letter = writeLetter({ ...words, locale: order.locale, name: sender.name, link, ...(code !== undefined && { code }) });
  const key = `order ${order.view.id} ${kind} ${once}`.trim();
  await mail.queue(tx, { to: order.email, locale: order.locale, ...letter, key });
}

/** Letters that tell how an order goes on, and ask for nothing. */
const PROGRESS: ReadonlySet<LetterKind> = new Set(['placed', 'received', 'done']);

/** Of letters those that their customers want: an account holder may have chosen to get none about an order's progress. */
export async function wantedLetters<L extends { readonly order: StoredOrder; readonly kind: LetterKind }>(
  tx: Tx,
  letters: readonly L[],
): Promise<readonly L[]> {
  const holders = letters.flatMap(({ order, kind }) =>
    PROGRESS.has(kind) && order.holderId !== undefined ? [order.holderId] : [],
  );
  if (holders.length === 0) return letters;
  const without = await withoutProgressLetters(tx, [...new Set(holders)]);
  return letters.filter(
    ({ order, kind }) => !(PROGRESS.has(kind) && order.holderId !== undefined && without.has(order.holderId)),
  );
}

/** The address of an order's page, with its secret. */
export function linkTo({ tokens, url }: Sender, order: StoredOrder): string {
  const token = tokens.make('order', order.view.id, order.tokenVersion);
  return `${url}/${order.locale === 'ru' ? 'Ru' : 'En'}/order?id=${order.number}&token=${token}`;
}
