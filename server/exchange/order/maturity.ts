// When a completed order counts as not to be taken back any more: rewards and prizes wait for that.

import { z } from 'zod';
import { defineSettings } from '../../platform/index.ts';
import type { OrderPublished } from './order-published.ts';

const days = z.int().min(1).max(3_650);
const DAY_MS = 86_400_000;

const settings = defineSettings('affiliates', {
  'affiliates.mature_days': {
    schema: z.strictObject({ final: days, provider: days, reversible: days }),
    initial: { final: 7, provider: 14, reversible: 180 },
    unit: 'days',
    looser: 'down',
    words:
      'days after which a completed order counts as not to be taken back: paid over a chain or from a wallet (final), by a payment system or voucher (provider), or by a payment that can be taken back (reversible)',
  },
});

/** When an order that was completed at a moment is mature, by how it was paid. */
export function maturesAt({ way, isReversible }: OrderPublished['paidBy'], completedAt: Date): Date {
  const { final, provider, reversible } = settings.get('affiliates.mature_days');
  const isFinal = way === 'chain' || way === 'wallet';
  const wait = isReversible ? reversible : isFinal ? final : provider;
  return new Date(completedAt.getTime() + wait * DAY_MS);
}
