// Status of an account holder, for the people who decide about one withdrawal.

import { type Freeze, holderById } from '../auth/index.ts';
import { owedBy, shownHolder } from '../compliance/index.ts';
import { accounts, balance } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { addressOf, isListOn } from './store.ts';

/** Status of an account holder that people see before they approve a withdrawal. Debts are in parts of their unit. */
export interface HolderStatus {
  readonly frozen: Freeze | undefined;
  readonly debts: readonly { readonly unit: string; readonly parts: bigint }[];
  readonly isBlocked: boolean;
  /** State of the withdrawal's receiving account in the holder's allow-list; `off` if the list is off. */
  readonly allowList: 'off' | 'listed' | 'not_listed' | 'too_new';
}

/** Returns the status of an account holder who withdraws from the wallet of a unit to an account. */
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
 * Returns a holder's current freeze by the stored row. The row's MAC is not checked: one altered row must not break a list of
 * many holders.
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
