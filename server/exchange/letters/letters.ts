import { Problem, sitePath } from '@kurs/contract';
import { timezonesOf, updateProfile, withoutProgressLetters } from '../../auth/index.ts';
import type { Given } from '../../coupons/index.ts';
import { type Letter, type Sender, mail } from '../../deliveries/index.ts';
import type { Db, Tokens, Tx } from '../../platform/index.ts';
import { composeLetter } from './compose-letter.ts';
import type { LetterKind } from './letter-kind.ts';
import type { StoredOrder } from '../order/store/order-store.ts';

export type { Sender };

/** A letter about an order. Letters with the same order, kind and `once` are mailed only once. `code`: the one-time code in the letter. */
export interface AboutOrder {
  readonly order: StoredOrder;
  readonly kind: LetterKind;
  readonly once?: string;
  readonly code?: string | undefined;
  /** Key of the letter, in place of one by order, kind and `once`. */
  readonly key?: string;
  readonly coupon?: Given | undefined;
}

/**
 * Queues letters about orders, each in the language of its order and in the time zone of its holder. An order without an address
 * gets none.
 */
export async function queueAbout(tx: Tx, sender: Sender, ...all: readonly AboutOrder[]): Promise<void> {
  const letters = all.filter(({ order }) => order.email !== '');
  const holders = new Set(letters.flatMap(({ order }) => order.holderId ?? []));
  const timezones = await timezonesOf(tx, [...holders]);
  mail.queue(tx, ...letters.map((one) => letterAbout(sender, one, timezones.get(one.order.holderId ?? ''))));
}

/**
 * Returns the letters that may go out, with their keys. Money of an invoice can come from anybody, with an address that anybody can
 * have typed: an address gets at most three letters a day about such money, receipts included.
 */
export async function lettersOfToday(tx: Tx, all: readonly AboutOrder[]): Promise<AboutOrder[]> {
  const allowed: AboutOrder[] = [];
  const taken = new Set<string>();
  for (const one of all) {
    const { order } = one;
    const isTyped = order.view.pinned.paidFor !== undefined && order.holderId === undefined && order.email !== '';
    const key = isTyped ? (await mail.freeKeys(tx, order.email)).find((free) => !taken.has(free)) : undefined;
    if (key !== undefined) taken.add(key);
    if (key !== undefined || !isTyped) allowed.push({ ...one, ...(key !== undefined && { key }) });
  }
  return allowed;
}

function letterAbout(sender: Sender, about: AboutOrder, timezone?: string): Letter {
  const { order, kind, once = '', code, coupon } = about;
  const { open, ...words } = composeLetter(order, kind, { code, coupon, timezone });
  const link = { url: linkTo(sender, order), words: open };
  const offAt = isProgress(order, kind) ? offLink(sender, order) : undefined;
  const key = about.key ?? `order ${order.view.id} ${kind} ${once}`.trim();
  const { email: to, locale } = order;
  return { ...words, to, locale, name: sender.name, link, ...(code !== undefined && { code }), offAt, key };
}

/** A letter to send, with its order at the time of the event that caused the letter. */
export interface WantedLetter {
  readonly order: StoredOrder;
  readonly kind: LetterKind;
  readonly once: string;
}

/**
 * Returns the letters with the coupons that late orders have earned. The letter about a completed order names the coupon. If that
 * letter is not sent now, the coupon gets a letter of its own.
 */
export function lettersWith(
  due: readonly WantedLetter[],
  given: readonly (Given & { readonly of: StoredOrder })[],
): AboutOrder[] {
  const earned = (order: StoredOrder) => given.find((one) => one.earnedBy === order.view.id && !one.isAgain);
  const reported = new Set(due.flatMap(({ order, kind }) => (kind === 'done' ? [order.view.id] : [])));
  return [
    ...due.map((one) => ({ ...one, ...(one.kind === 'done' && { coupon: earned(one.order) }) })),
    ...given.filter(({ earnedBy, isAgain }) => isAgain || !reported.has(earnedBy)).map((coupon) => lateCoupon(coupon.of, coupon)),
  ];
}

/** Returns a letter that is only about the coupon for a late order. */
export const lateCoupon = (order: StoredOrder, coupon: Given): AboutOrder => ({
  ...{ order, kind: 'late_coupon', once: coupon.code, coupon },
});

/** Letters that report an order's progress and need no action. */
const PROGRESS: ReadonlySet<LetterKind> = new Set(['placed', 'received', 'done']);

/** True if the order's holder may have switched off this letter. */
const isProgress = (order: StoredOrder, kind: LetterKind): order is StoredOrder & { holderId: string } =>
  PROGRESS.has(kind) && order.holderId !== undefined;

/** Returns the letters that their customers want: an account holder may have switched off letters about orders' progress. */
export async function wantedLetters<L extends { readonly order: StoredOrder; readonly kind: LetterKind }>(
  tx: Tx,
  letters: readonly L[],
): Promise<readonly L[]> {
  const holders = letters.flatMap(({ order, kind }) => (isProgress(order, kind) ? [order.holderId] : []));
  if (holders.length === 0) return letters;
  const without = await withoutProgressLetters(tx, [...new Set(holders)]);
  return letters.filter(({ order, kind }) => !(isProgress(order, kind) && without.has(order.holderId)));
}

/** Returns the URL of an order's page, with its secret. */
export function linkTo({ tokens, url }: Sender, order: StoredOrder): string {
  const token = tokens.make('order', order.view.id, order.tokenVersion);
  return url + sitePath(order.locale, `order?id=${order.number}&token=${token}`);
}

/** Kind of the token that switches off a holder's letters. */
const SWITCH = { kind: 'letters', version: 1 } as const;

/** Returns the URL of the page that switches off a holder's letters about orders' progress, without signing in. */
function offLink({ tokens, url }: Sender, { holderId, locale }: { holderId: string; locale: StoredOrder['locale'] }): string {
  const token = tokens.make(SWITCH.kind, holderId, SWITCH.version);
  return url + sitePath(locale, `letters?holder=${holderId}&token=${token}`);
}

/** Switches off a holder's letters about orders' progress. Throws `not_found` if the token isn't the holder's. */
export async function switchLettersOff(
  db: Db,
  tokens: Tokens,
  { holder, token }: { holder: string; token: string },
): Promise<void> {
  if (!tokens.check(token, SWITCH.kind, holder, SWITCH.version)) throw new Problem('not_found');
  await updateProfile(db, holder, { hasProgressLetters: false });
}
