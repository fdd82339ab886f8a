// The desk's decisions about a business. The caller holds its locked row, and has checked the decision.

import { Problem } from '@kurs/contract';
import { levelOf } from '../../compliance/index.ts';
import type { Tx } from '../../platform/index.ts';
import { type Business, type BusinessAction, DECISIONS, OPEN, OWNER_LEVEL } from './business.ts';
import { saveBusiness } from './business-store.ts';
import { type LetterSender, mailDecision } from './letters.ts';
import type { ReversibleTerms } from './reversible.ts';

/**
 * Throws if an action on a business is not open: `record_altered` for an altered business, `action_not_open` in its present
 * state, and `owner_level_low` if approval needs a higher level of its owner.
 */
export async function requireDecidable(tx: Tx, business: Business, action: BusinessAction): Promise<void> {
  if (business.isAltered) throw new Problem('record_altered');
  const { from, to } = DECISIONS[action];
  if (!from.includes(business.state)) throw new Problem('action_not_open');
  if (to !== 'approved') return;
  const level = await levelOf(tx, business.holderId);
  if (level < OWNER_LEVEL) throw new Problem('owner_level_low', { params: { level: String(OWNER_LEVEL), has: String(level) } });
}

/** Carries an action out and queues the letter to the owner. `note`: words that the owner reads; empty for none. */
export async function decide(
  tx: Tx,
  sender: LetterSender,
  business: Business,
  { action, note }: { readonly action: BusinessAction; readonly note: string },
): Promise<Business> {
  const decided = { ...business, state: DECISIONS[action].to, stateAt: tx.now, note };
  await saveBusiness(tx, decided);
  await mailDecision(tx, sender, decided, action);
  return decided;
}

/** Throws `record_altered` for an altered business, and `action_not_open` for a refused or closed one. */
export function requireLimitable({ state, isAltered }: Business): void {
  if (isAltered) throw new Problem('record_altered');
  if (!OPEN.includes(state)) throw new Problem('action_not_open');
}

/** Sets a business's own day limit in cents. With `undefined`, the limit of all businesses holds again. */
export const setDayLimit = (tx: Tx, business: Business, dayUsd: bigint | undefined): Promise<void> =>
  saveBusiness(tx, { ...business, dayUsd });

/** Sets a business's terms of methods whose payments can be taken back for months. */
export const setReversible = (tx: Tx, business: Business, reversible: ReversibleTerms): Promise<void> =>
  saveBusiness(tx, { ...business, reversible });
