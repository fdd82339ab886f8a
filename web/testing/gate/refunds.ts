// Sample refunds as their claimants see them, for tests of the claim page.

import type { Output, Routes } from '@kurs/contract';

type Page = Output<Routes['refundPage']>;
type Claim = Page['claims'][number];

export const AT = '2026-11-30T07:00:00.000Z';
export const REFUND_ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';

/** Returns a claim of a refund. */
export const claimIn = (status: Claim['status'], more: Partial<Claim> = {}): Claim => ({
  ...{ id: REFUND_ID, status, claimed: { amount: '15.00', currency: 'USDT' }, fee: { amount: '0.40', currency: 'USDT' } },
  ...{ receives: { amount: '14.60', currency: 'USDT' }, method: 'USDT_TRC20', network: 'TRC-20', at: AT },
  ...{ to: { address: 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb' }, to_payment: false, payment_reversed: false, ...more },
});

/** Returns a refund of 15 USDT with claims. `left`: sum that nobody has claimed. */
export const refundIn = (state: Page['state'], claims: Claim[], left = '0'): Page => ({
  ...{ id: REFUND_ID, number: 'KR-7F3Q-2M8C', state, store: { name: 'Tea shop' }, amount: { amount: '15.00', currency: 'USDT' } },
  ...{ left: left === '0' ? [] : [{ amount: left, currency: 'USDT' }], expires_at: AT, needs_code: false, bounded: false },
  ...{ methods: [], claims, version: 3, test: false },
});
