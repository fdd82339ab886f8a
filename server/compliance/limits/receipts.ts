// Receipts of businesses by reversible payments. They count towards the desk's total, and towards a maximum of each business. The
// payer's limits don't hold for them.

import { type Money, money } from '@kurs/money';
import type { Owner, Statements, Tx } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import { lockKeys } from './keys.ts';
import { usedUnder, writeUses } from './limit-store.ts';
import { EVERYBODY, exposureLimit } from './reversible.ts';

const DAY = 24 * 3_600_000;
/** Days for which a receipt counts towards the maximum of its business. */
export const RECEIPT_DAYS = 180;

const keyOf = (businessId: string): string => `reversible:business:${businessId}`;

/** A business with its maximum of receipts in cents. `owner`: receipt whose own sum is left out. */
export interface ReceiptBound {
  readonly businessId: string;
  readonly maxUsd: bigint;
  readonly owner?: Owner | undefined;
}

/** Returns what a business may still receive by reversible payments: by its own maximum, and by the desk's total. Never below 0. */
export async function receiptsLeft(
  db: Statements,
  { businessId, maxUsd, owner }: ReceiptBound,
  now: Date,
): Promise<Money<'USD'>> {
  const since = (days: number): Date => new Date(now.getTime() - days * DAY);
  const own = await usedUnder(db, keyOf(businessId), owner, since(RECEIPT_DAYS));
  const all = await usedUnder(db, EVERYBODY, owner, since(settings.get('compliance.exposure_days')));
  const rests = [maxUsd - own, exposureLimit().parts - all];
  const least = rests.reduce((a, b) => (a < b ? a : b));
  return money('USD', least > 0n ? least : 0n);
}

/** Locks the sums of businesses and the desk's total, so that of two receipts at once the second sees the first. */
export const lockReceipts = (tx: Tx, businessIds: readonly string[]): Promise<void> =>
  lockKeys(tx, [...new Set([...businessIds.map(keyOf), EVERYBODY])].sort());

/**
 * Counts a receipt of a business, from the first time at which it was counted. Returns false, and counts nothing, if it exceeds the
 * business's maximum or the desk's total. A receipt counts until its time is over, even if its payment is taken back: `dropUses` is
 * for receipts that the business doesn't get.
 */
export async function countReceipt(
  tx: Tx,
  bound: ReceiptBound & { readonly owner: Owner; readonly usd: bigint },
): Promise<boolean> {
  const { businessId, owner, usd } = bound;
  await lockReceipts(tx, [businessId]);
  if (usd > (await receiptsLeft(tx, bound, tx.now)).parts) return false;
  writeUses(tx, [{ owner, keys: [keyOf(businessId), EVERYBODY], usd }]);
  return true;
}
