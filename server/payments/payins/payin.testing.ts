// Payments and looks at them as values, for tests of what a look does.

import type { ObservedPayment } from '../../rails/rail.ts';
import { depthFor } from '../rails/finality.ts';
import type { LookTerms } from './payin.ts';
import { finalityOf } from '../rails/settings.ts';

const policy = finalityOf('bitcoin');
export const START = new Date(Date.UTC(2026, 10, 20, 12));
export const at = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
export const termsAt = (now: Date): LookTerms => ({
  now,
  policy,
  giveUpMs: 14 * 86_400_000,
  alarmMs: 10 * 60_000,
});

export const observedPayment = (
  confirmations: number,
  given: { feeOk?: boolean; replaceable?: boolean } = {},
): ObservedPayment => ({
  key: 't:0',
  currency: 'BTC',
  to: 'place',
  parts: 100n,
  txid: 't',
  from: ['someone'],
  standing:
    confirmations === 0
      ? { at: 'mempool', replaceable: given.replaceable ?? false, feeOk: given.feeOk ?? true }
      : { at: 'block', height: 10, hash: 'h', minedAt: START, confirmations, finalised: false },
});

export const fresh = {
  id: 'p',
  number: 1,
  owner: { kind: 'order', id: 'o' },
  customer: 'c',
  unit: 'BTC',
  place: 'hot',
  foreign: false,
  seenAfter: null,
} as const;
export const depth = depthFor(policy, 90_000n);
