// Debts of businesses that nobody repays: two people of the desk write them off as a loss. If a payment comes again that had made the
// debt, its part of the debt stands again, and is repaid from that payment first.

import { Problem } from '@kurs/contract';
import { UnitOfWork, min, move } from '../../collecting/index.ts';
import { type Leg, accounts } from '../../ledger/index.ts';
import { type Statements, type Tx, newId } from '../../platform/index.ts';
import { type Debtor, debtAccount, ofBusiness, partyOf } from '../stores/debtor.ts';
import { type StoreDebt, debtsOf, lockDebts, saveDebts } from './debt-rows.ts';
import { lockWrittenOff, saveWriteOff } from './write-off-rows.ts';

/** Decision of two people about a debt. `evidence`: their statement why it is not repaid. */
export interface WriteOffDecision {
  readonly businessId: string;
  readonly unit: string;
  readonly people: readonly string[];
  readonly evidence: string;
}

/** Returns the debts of a business, in order of their units. */
export const debtsOfBusiness = (db: Statements, businessId: string): Promise<StoreDebt[]> =>
  debtsOf(db, partyOf(ofBusiness(businessId)));

/** Locks a debt of a business, and returns it; undefined if there is none. */
export const lockDebt = async (tx: Tx, businessId: string, unit: string): Promise<StoreDebt | undefined> =>
  (await lockDebts(tx, [partyOf(ofBusiness(businessId))])).find((debt) => debt.unit === unit && debt.parts > 0n);

/**
 * Writes a debt of a business off: it becomes a loss of the desk. `action`: id of the action, of its row and of its journal. Throws
 * `action_not_open`, `record_altered` and `second_person_required`. Posts, so it comes last in its transaction.
 */
export async function writeOffDebt(tx: Tx, action: string, decision: WriteOffDecision): Promise<void> {
  const { businessId, unit, people, evidence } = decision;
  if (people.length < 2) throw new Problem('second_person_required');
  const debt = await lockDebt(tx, businessId, unit);
  if (!debt) throw new Problem('action_not_open');
  if (debt.isAltered) throw new Problem('record_altered');
  const { party, parts } = debt;
  await saveDebts(tx, [{ party, unit, parts: 0n, byStore: new Map() }]);
  await saveWriteOff(tx, { id: action, businessId, unit, parts, recovered: 0n, people, evidence, at: tx.now });
  const work = new UnitOfWork(tx);
  const legs = move(accounts.spent('loss', unit), accounts.receivable(party, unit), parts);
  work.post({ id: action, kind: 'write_off', cause: action, legs });
  await work.commit();
}

/** A journal that makes a written-off loss a debt again. */
export interface DebtAgain {
  readonly journalId: string;
  readonly legs: readonly Leg[];
}

/**
 * Makes what was written off of a store's debt in a unit a debt again, up to `limit`, since a payment came again. Returns the journals
 * that were added to the unit of work; the caller notes the debt by `changeDebts`.
 */
export async function oweAgain(work: UnitOfWork, debtor: Debtor, unit: string, limit: bigint): Promise<DebtAgain[]> {
  const { businessId } = debtor;
  if (businessId === undefined) return [];
  const journals: DebtAgain[] = [];
  let left = limit;
  for (const { isAltered, ...one } of await lockWrittenOff(work.tx, businessId, unit)) {
    const parts = min(one.parts - one.recovered, left);
    if (isAltered || parts <= 0n) continue;
    left -= parts;
    await saveWriteOff(work.tx, { ...one, recovered: one.recovered + parts });
    const legs = move(debtAccount(debtor, unit), accounts.deskFree(unit), parts);
    const journalId = newId();
    work.post({ id: journalId, kind: 'write_off', cause: one.id, legs });
    journals.push({ journalId, legs });
  }
  return journals;
}
