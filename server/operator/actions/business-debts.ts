// The desk writes off what a business owes and nobody repays.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { lockBusiness, lockDebt, writeOffDebt } from '../../gate/index.ts';
import type { Db } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, type Wanted, actAs } from '../people/two-people.ts';

/**
 * Writes off what a business owes in a unit; takes two people. Throws `not_found`, `record_altered`, `action_not_open` if it owes
 * nothing, and the errors of `actAs`.
 */
export async function writeOffOfBusiness(
  db: Db,
  person: Person,
  { id, unit, evidence, reason }: Input<Routes['operatorBusinessWriteOff']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const business = await lockBusiness(tx, id);
    if (!business) throw new Problem('not_found');
    const debt = await lockDebt(tx, id, unit);
    const wanted: Wanted = {
      ...{ action: 'business_write_off', subject: id, reason, permission: 'debts.settle', people: 2, key },
      // A request is bound to the sum: the second person must write off the same amount.
      body: { unit, evidence, ...(debt && { amount: format(money(unit, debt.parts)) }) },
      check() {
        if (business.isAltered || debt?.isAltered) throw new Problem('record_altered');
        if (!debt) throw new Problem('action_not_open');
      },
    };
    return actAs(tx, person, wanted, (people, action) => writeOffDebt(tx, action, { businessId: id, unit, people, evidence }));
  });
}
