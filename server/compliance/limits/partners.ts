// Limits of unpaid orders by partners' programs. All API keys of an account are treated as one network, however many customers
// they have.

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

/** Throws `partner_not_yet` if an account is too new, or its holder's level too low, for programs to place orders. */
export async function requirePartner(
  db: Statements,
  { holderId, now }: { readonly holderId: string; readonly now: Date },
): Promise<void> {
  const holder = await holderById(db, holderId);
  const days = settings.get('partner.age_days');
  const isOld = holder !== undefined && holder.createdAt.getTime() + days * DAY_MS <= now.getTime();
  if (!isOld || (await levelOf(db, holder.id)) < LEVEL) throw new Problem('partner_not_yet', { params: { days: String(days) } });
}

/** Returns a partner. The maximum number of open orders depends on `paid`, the number of paid orders. */
export function partnerOf(id: string, paid: number): Partner {
  const few = settings.get('partner.open_new');
  return { id, maxOpen: paid >= few ? settings.get('partner.open_known') : few };
}

/** Returns the minimum number of paid orders of a partner who is known, and may have more open orders than a new one. */
export const partnerKnownAt = (): number => settings.get('partner.open_new');

/** Returns true if so many of a partner's orders have expired unpaid in 24 hours that the limit is reached. */
export async function areManyExpired(tx: Tx, partner: Partner): Promise<boolean> {
  const expired = await countExpired(tx, partnerKey(partner), new Date(tx.now.getTime() - DAY_MS));
  return expired >= settings.get('partner.expiries_day');
}

/**
 * Returns the name of the total of one unit's money that is set aside for unpaid orders of all partners, and the maximum of this
 * total in percent of the reserve.
 */
export const heldByPartners = (unit: string): readonly [total: string, percent: number] => [
  `${unit} partners`,
  settings.get('partner.reserve_percent'),
];
