// Limits on unpaid orders of partners' programs: all keys of an account count as one network, for any number of customers.

import { Problem } from '@kurs/contract';
import { holderById } from '../../auth/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { levelOf } from '../customers/level.ts';
import { type Partner, partnerKey } from '../customers/subject.ts';
import { partnerSettings as settings } from './partner-settings.ts';
import { countExpired } from './unpaid-store.ts';

const DAY_MS = 86_400_000;
/** Minimum verification level of a partner. */
const LEVEL = 1;

/** Throws `partner_not_yet` unless an account is old enough, and its holder's level high enough, for its programs to act. */
export async function requirePartner(
  db: Statements,
  { holderId, now }: { readonly holderId: string; readonly now: Date },
): Promise<void> {
  const holder = await holderById(db, holderId);
  const days = settings.get('partner.age_days');
  const isOld = holder !== undefined && holder.createdAt.getTime() + days * DAY_MS <= now.getTime();
  if (!isOld || (await levelOf(db, holder.id)) < LEVEL) throw new Problem('partner_not_yet', { params: { days: String(days) } });
}

/** Returns a partner, with the maximum number of open orders given the number of paid ones. */
export function partnerOf(id: string, paid: number): Partner {
  const few = settings.get('partner.open_new');
  return { id, maxOpen: paid >= few ? settings.get('partner.open_known') : few };
}

/** Returns the number of paid orders that makes a partner known. */
export const partnerKnownAt = (): number => settings.get('partner.open_new');

/** Returns true if too many of a partner's orders have expired unpaid in 24 hours. */
export async function areManyExpired(tx: Tx, partner: Partner): Promise<boolean> {
  const expired = await countExpired(tx, partnerKey(partner), new Date(tx.now.getTime() - DAY_MS));
  return expired >= settings.get('partner.expiries_day');
}

/**
 * Returns the name of the total that unpaid orders of all partners hold in a unit, and its maximum share of the reserve in
 * percent.
 */
export const heldByPartners = (unit: string): readonly [total: string, percent: number] => [
  `${unit} partners`,
  settings.get('partner.reserve_percent'),
];
