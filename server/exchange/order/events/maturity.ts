// When a completed order counts as not to be taken back any more: rewards and prizes wait for that.

import { maturitySettings as settings } from './maturity-settings.ts';
import type { OrderPublished } from './order-published.ts';

const DAY_MS = 86_400_000;

/** The days that orders mature in, by how they were paid. */
export const matureDays = (): { readonly final: number; readonly provider: number; readonly reversible: number } =>
  settings.get('affiliates.mature_days');

/** When an order that was completed at a moment is mature, by how it was paid. */
export function maturesAt({ way, isReversible }: OrderPublished['paidBy'], completedAt: Date): Date {
  const { final, provider, reversible } = settings.get('affiliates.mature_days');
  const isFinal = way === 'chain' || way === 'wallet';
  const wait = isReversible ? reversible : isFinal ? final : provider;
  return new Date(completedAt.getTime() + wait * DAY_MS);
}
