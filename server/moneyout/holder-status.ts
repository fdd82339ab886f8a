// Status of a holder with regard to one outgoing sum, for the people who decide about it.

import { type Freeze, holderById } from '../auth/index.ts';
import { owedBy, shownHolder } from '../compliance/index.ts';
import { accounts, balance } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { addressOf, isListOn } from './store.ts';

/** Status of a holder that people see before they approve a withdrawal. Sums are parts of their units. */
export interface HolderStatus {
  readonly frozen: Freeze | undefined;
  readonly debts: readonly { readonly unit: string; readonly parts: bigint }[];
  readonly isBlocked: boolean;
  /** State of the target in the holder's allow-list; `off` if the list is off. */
  readonly allowList: 'off' | 'listed' | 'not_listed' | 'too_new';
}

/** Returns the status of a holder for money that goes from their wallet of a unit to an account. */
export async function statusOf(
  db: Statements,
  { holderId, unit, to }: { readonly holderId: string; readonly unit: string; readonly to: { currency: string; key: string } },
  now: Date,
): Promise<HolderStatus> {
  const holder = await shownHolder(db, holderId);
  const owed = await owedBy(db, new Map([[holderId, { subject: { email: '', accounts: [], holder }, payers: [] }]]));
  const shown = owed.get(holderId)?.shown ?? [];
  const elsewhere = shown.filter(({ about }) => about !== 'deposit' && about !== 'block');
  const here = await balance(db, accounts.receivable(holderId, unit));
  return {
    frozen: await freezeNow(db, holderId, now),
    debts: [...(here > 0n ? [{ unit, parts: here }] : []), ...elsewhere],
    isBlocked: shown.some(({ about }) => about === 'block'),
    allowList: await listedAs(db, holderId, to, now),
  };
}

/**
 * Returns the current freeze by the stored row, without checking its MAC: a view of many holders must not fail because of one.
 */
async function freezeNow(db: Statements, holderId: string, now: Date): Promise<Freeze | undefined> {
  const freeze = (await holderById(db, holderId))?.freeze;
  return freeze && freeze.until > now ? freeze : undefined;
}

async function listedAs(
  db: Statements,
  holderId: string,
  to: { currency: string; key: string },
  now: Date,
): Promise<HolderStatus['allowList']> {
  if (!(await isListOn(db, holderId, now))) return 'off';
  const listed = to.key === '' ? undefined : await addressOf(db, holderId, to);
  if (!listed) return 'not_listed';
  return listed.usableAt > now ? 'too_new' : 'listed';
}
