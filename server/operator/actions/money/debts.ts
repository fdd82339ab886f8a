// Debts, as the desk sees them and settles them from other payments.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { holderById } from '../../../auth/index.ts';
import { type Debt, openDebts } from '../../../compliance/index.ts';
import { type KnownOwner, type OwnerKind, knownOwners } from '../../../collecting/index.ts';
import { type Sender, readOrder, repayDebt, repayable } from '../../../exchange/index.ts';
import type { Db } from '../../../platform/index.ts';
import { foundLateById } from '../../../payments/index.ts';
import { depositById } from '../../../wallets/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';

type DebtShown = Output<Routes['operatorDebts']>[number];

const MAX = 500;
/** Beginning of the key of an account holder. */
const HOLDER = 'holder:';

/** Returns the open debts, the oldest first. */
export async function debtsView(db: Db, owners: readonly OwnerKind[]): Promise<Output<Routes['operatorDebts']>> {
  const debts = await openDebts(db, MAX);
  // `about` is a kind of owner, or names a payment or deposit of a lower room.
  const known = await knownOwners(
    db,
    owners,
    debts.map(({ id, about }) => ({ kind: about, id })),
  );
  return Promise.all(
    debts.map(async ({ id, about, unit, parts, since, keys }) => {
      const of = known({ kind: about, id });
      return {
        id: of?.number ?? id,
        // The rooms that record debts write no other values to `about`.
        about: about as DebtShown['about'],
        owed: { amount: format(money(unit, parts)), currency: unit },
        email: of?.email ?? (await emailOf(db, owners, { about, id, keys })),
        known_by: keys.filter((key) => !key.startsWith('order:')),
        since: since.toISOString(),
      };
    }),
  );
}

async function emailOf(
  db: Db,
  owners: readonly OwnerKind[],
  { about, id, keys }: Pick<Debt, 'about' | 'id'> & { readonly keys: readonly string[] },
): Promise<string> {
  const found = about === 'payout' ? await foundLateById(db, id) : undefined;
  const of: KnownOwner | undefined = found && (await knownOwners(db, owners, [found.owner]))(found.owner);
  if (of) return of.email;
  const ofStore = about === 'store' ? keys.find((key) => key.startsWith(HOLDER))?.slice(HOLDER.length) : undefined;
  const holderId = ofStore ?? found?.party ?? (await depositById(db, id))?.holderId;
  return (holderId !== undefined && (await holderById(db, holderId))?.email) || '';
}

/**
 * Settles an order's debt from another payment; takes two operators. Throws `order_not_found`, `action_not_open` if the payment
 * has another unit or can't be used, and the errors of `actAs`.
 */
export async function repay(
  db: Db,
  sender: Sender,
  person: Person,
  { debt, from, reason }: Input<Routes['operatorRepay']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const [owing, paying] = [await readOrder(tx, debt), await readOrder(tx, from)];
    if (!owing || !paying) throw new Problem('order_not_found');
    const parts = repayable(owing.view, paying.view);
    const check = (): void => {
      if (parts === 0n) throw new Problem('action_not_open');
    };
    // A request is bound to the sum: the second person must settle the same amount.
    const body = { from, amount: format(money(owing.view.give.unit, parts)) };
    const wanted = {
      action: 'debt_repay',
      subject: debt,
      reason,
      permission: 'debts.settle',
      people: 2,
      body,
      key,
      check,
    } as const;
    return actAs(tx, person, wanted, async (by) => void (await repayDebt(tx, sender, { debt, from, by, reason })));
  });
}
