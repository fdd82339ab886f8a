// The desk books what disputes cost it, which the business then owes, and writes off what a business owes and nobody repays.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { bookDisputeCost, disputable, lockBusiness, lockDebt, writeOffDebt } from '../../gate/index.ts';
import type { Db } from '../../platform/index.ts';
import type { Person } from '../people/roles.ts';
import { type Acted, type Wanted, actAs } from '../people/two-people.ts';
import { partsOf } from './money/typed-amount.ts';

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

/**
 * Books what a dispute about a payment cost the desk at its payment system; takes two people. Throws `not_found` if no store of the
 * business was settled such a payment that can be taken back for months, `validation` at `amount`, `record_altered`,
 * `rates_unavailable`, and the errors of `actAs`.
 */
export async function bookCostOfDispute(
  db: Db,
  person: Person,
  { id, payment, amount, evidence, reason }: Input<Routes['operatorBusinessDisputeCost']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const business = await lockBusiness(tx, id);
    const about = business && (await disputable(tx, id, payment));
    if (!about) throw new Problem('not_found');
    const { unit } = about.currency;
    const parts = partsOf(unit, amount);
    const wanted: Wanted = {
      ...{ action: 'business_dispute_cost', subject: id, reason, permission: 'debts.settle', people: 2, key },
      // The second person sees what was booked for this payment already: the same cost must not be booked twice.
      body: { payment, amount: format(money(unit, parts)), booked: format(money(unit, about.booked)), evidence },
      check() {
        if (business.isAltered || about.isAltered) throw new Problem('record_altered');
      },
    };
    return actAs(tx, person, wanted, (people, action) => bookDisputeCost(tx, action, about, { parts, people, evidence }));
  });
}
