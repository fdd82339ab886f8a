// How a holder stands as to one action, for those who decide about it.

import { type Freeze, holderById } from '../auth/index.ts';
import { owedBy, shownHolder } from '../compliance/index.ts';
import { accounts, balance } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { addressOf, isListOn } from './store.ts';

/** What people see of a holder before they let the holder's money out. Sums are parts of their units. */
export interface OutStanding {
  readonly frozen: Freeze | undefined;
  readonly debts: readonly { readonly unit: string; readonly parts: bigint }[];
  readonly isBlocked: boolean;
  /** Whether the address is on their allow-list, and old enough there; or the list is off. */
  readonly allowList: 'off' | 'listed' | 'not_listed' | 'too_new';
}

/** How a holder stands as to money that goes from their wallet of a unit to an account. */
export async function standingOf(
  db: Statements,
  { holderId, unit, to }: { readonly holderId: string; readonly unit: string; readonly to: { currency: string; key: string } },
  now: Date,
): Promise<OutStanding> {
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

/** What freezes a holder, by the row as it stands: a view of many fails by none of them. */
async function freezeNow(db: Statements, holderId: string, now: Date): Promise<Freeze | undefined> {
  const freeze = (await holderById(db, holderId))?.freeze;
  return freeze && freeze.until > now ? freeze : undefined;
}

async function listedAs(
  db: Statements,
  holderId: string,
  to: { currency: string; key: string },
  now: Date,
): Promise<OutStanding['allowList']> {
  if (!(await isListOn(db, holderId, now))) return 'off';
  const listed = to.key === '' ? undefined : await addressOf(db, holderId, to);
  if (!listed) return 'not_listed';
  return listed.usableAt > now ? 'too_new' : 'listed';
}
