import { type Input, Problem, type Routes, fieldProblem } from '@kurs/contract';
import { levelOf } from '../../compliance/index.ts';
import { type Db, type KeepAnswer, newId } from '../../platform/index.ts';
import { settings } from '../settings.ts';
import type { Business } from './business.ts';
import type { BusinessRow } from './business-mac.ts';
import { addBusiness } from './business-store.ts';
import { type LetterSender, mailDecision } from './letters.ts';
import { NOT_REVERSIBLE } from './reversible.ts';

/** Verification level from which an account holder may apply. */
const APPLY_LEVEL = 1;

/**
 * Stores an account holder's application for a business, and queues a letter about it. Throws `validation` on `country` if the
 * desk doesn't serve it, `business_exists` if the account has an open business, and `level_needed`. `keep`: stores the answer of the
 * call with the application.
 */
export async function apply(
  db: Db,
  sender: LetterSender,
  holderId: string,
  application: Input<Routes['businessApply']>,
  keep?: KeepAnswer<Business>,
): Promise<Business> {
  if (settings.get('gate.countries_refused').includes(application.country)) throw fieldProblem('country', 'country_refused');
  return db.tx(async (tx) => {
    const row: BusinessRow = {
      ...application,
      ...{ id: newId(), holderId, state: 'applied', stateAt: tx.now, note: '', dayUsd: undefined, createdAt: tx.now },
      reversible: NOT_REVERSIBLE,
    };
    if (!(await addBusiness(tx, row))) throw new Problem('business_exists');
    // Read behind the new row, which waits for a concurrent closing of the account: a closed account has no level.
    if ((await levelOf(tx, holderId)) < APPLY_LEVEL)
      throw new Problem('level_needed', { params: { level: String(APPLY_LEVEL) } });
    const business = { ...row, isAltered: false };
    await mailDecision(tx, sender, business);
    await keep?.(tx, business);
    return business;
  });
}
