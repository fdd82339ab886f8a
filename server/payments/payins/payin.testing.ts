// Payments and poll results as plain values, for tests of the code that decides about payments.

import assert from 'node:assert/strict';
import type { Db } from '../../platform/index.ts';
import type { ObservedPayment } from '../../rails/rail.ts';
import type { Depth } from '../rails/finality.ts';
import type { PollTerms, Payin } from './payin.ts';
import { savePayins } from './payin-store.ts';
import { finalityOf } from '../rails/settings.ts';

const policy = finalityOf('bitcoin');
export const START = new Date(Date.UTC(2026, 10, 20, 12));
export const at = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
export const termsAt = (now: Date): PollTerms => ({
  now,
  policy,
  giveUpMs: 14 * 86_400_000,
  alarmMs: 10 * 60_000,
});

export const observedPayment = (
  confirmations: number,
  given: { isFeeOk?: boolean; isReplaceable?: boolean } = {},
): ObservedPayment => ({
  key: 't:0',
  currency: 'BTC',
  to: 'place',
  parts: 100n,
  txid: 't',
  from: ['someone'],
  status:
    confirmations === 0
      ? { at: 'mempool', isReplaceable: given.isReplaceable ?? false, isFeeOk: given.isFeeOk ?? true }
      : { at: 'block', height: 10, hash: 'h', minedAt: START, confirmations, isFinalised: false },
});

export const fresh = {
  id: 'p',
  number: 1,
  owner: { kind: 'order', id: 'o' },
  customer: 'c',
  unit: 'BTC',
  place: 'hot',
  isForeign: false,
  seenAfter: null,
} as const;
/** Depth that a payment worth 900 USD needs on Bitcoin. */
export const depth: Depth = { confirmations: 2, isFinalised: false };

/** Returns a final payment, as it is stored. */
export const arrived = (
  given: Pick<Payin, 'id' | 'number' | 'owner' | 'currency' | 'unit' | 'parts' | 'seenAt'> & Partial<Payin>,
): Payin => ({
  ...{ key: `${given.id}:0`, customer: 'c', place: 'hot', isForeign: false, txid: given.id, from: [], inputs: [], source: null },
  ...{
    fee: 0n,
    taken: 0n,
    status: 'final',
    isBack: false,
    isFeeOk: true,
    usd: 100_000n,
    height: 1,
    block: 'b',
    confirmations: 9,
  },
  ...{ isFinalised: true, needed: 9, isDeep: true, isFollowed: false, isDecided: false, firstConfirmedAt: null, finalAt: null },
  ...{ missingSince: null, seenAfter: null, isMissingReported: false },
  ...given,
});

/** Stores final payments to an owner's address, without notifying the owner. */
export async function recordArrived(
  db: Db,
  { owner, currency, unit }: Pick<Payin, 'owner' | 'currency' | 'unit'>,
  came: readonly { readonly payinId: string; readonly parts: string }[],
): Promise<void> {
  const place = await db.row<{ rail: string; number: number }>(
    'select rail, number::int from receiving_address where owner_id = $1',
    [owner.id],
  );
  assert.ok(place);
  await db.tx((tx) => {
    const of = { number: place.number, owner, currency, unit, seenAt: tx.now };
    return savePayins(
      tx,
      place.rail,
      came.map(({ payinId, parts }) => arrived({ ...of, id: payinId, parts: BigInt(parts) })),
    );
  });
}
