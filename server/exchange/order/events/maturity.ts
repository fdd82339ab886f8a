// Maturity of completed orders: the moment from which an order is treated as irreversible. Rewards and prizes wait for this
// moment.

import { maturitySettings as settings } from './maturity-settings.ts';
import type { OrderPublished } from './order-published.ts';

const DAY_MS = 86_400_000;

/** Returns the number of days until a completed order matures, by how it was paid. */
export const matureDays = (): { readonly final: number; readonly provider: number; readonly reversible: number } =>
  settings.get('affiliates.mature_days');

/** Returns when an order that was completed at `completedAt` matures, by how it was paid. */
export function maturesAt({ way, isReversible }: OrderPublished['paidBy'], completedAt: Date): Date {
  const { final, provider, reversible } = settings.get('affiliates.mature_days');
  const isFinal = way === 'chain' || way === 'wallet';
  const wait = isReversible ? reversible : isFinal ? final : provider;
  return new Date(completedAt.getTime() + wait * DAY_MS);
}
