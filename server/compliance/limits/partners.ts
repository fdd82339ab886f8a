// What programs of partners may leave unpaid: an owner's keys count as one network, of however many customers.

import { Problem } from '@kurs/contract';
import { holderById } from '../../auth/index.ts';
import type { Statements, Tx } from '../../platform/index.ts';
import { levelOf } from '../customers/level.ts';
import { type Partner, partnerKey } from '../customers/subject.ts';
import { partnerSettings as settings } from './partner-settings.ts';
import { countExpired } from './unpaid-store.ts';

const DAY_MS = 86_400_000;
/** The verification level that a partner has at the least. */
const LEVEL = 1;

/** Throws `partner_not_yet` unless an account is old enough, and its holder known well enough, for its programs to act. */
export async function requirePartner(
  db: Statements,
  { holderId, now }: { readonly holderId: string; readonly now: Date },
): Promise<void> {
  const holder = await holderById(db, holderId);
  const days = settings.get('partner.age_days');
  const isOld = holder !== undefined && holder.createdAt.getTime() + days * DAY_MS <= now.getTime();
  if (!isOld || (await levelOf(db, holder.id)) < LEVEL) throw new Problem('partner_not_yet', { params: { days: String(days) } });
}

/** How many orders of a partner's may be open, of whose so many were paid. */
export function partnerOf(id: string, paid: number): Partner {
  const few = settings.get('partner.open_new');
  return { id, mostOpen: paid >= few ? settings.get('partner.open_known') : few };
}

/** So many paid orders make a partner known. */
export const partnerKnownAt = (): number => settings.get('partner.open_new');

/** Whether too many of a partner's orders have expired unpaid in 24 hours. */
export async function areManyExpired(tx: Tx, partner: Partner): Promise<boolean> {
  const expired = await countExpired(tx, partnerKey(partner), new Date(tx.now.getTime() - DAY_MS));
  return expired >= settings.get('partner.expiries_day');
}

/** The total that unpaid orders of all partners hold in a unit is part of, and its share of the reserve in percent. */
export const heldByPartners = (unit: string): readonly [total: string, percent: number] => [
  `${unit} partners`,
  settings.get('partner.reserve_percent'),
];
