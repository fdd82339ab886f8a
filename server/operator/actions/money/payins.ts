// Payments that their rail silently took back, or that never arrived: search, and decisions by two people.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type KnownOwner, type OwnerKind, knownOwners, ownerByNumber } from '../../../collecting/index.ts';
import { type Payin, decidePayin, isOpenTo, payinById, payinsBy } from '../../../payments/index.ts';
import type { Db } from '../../../platform/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';
import { partsOf } from './typed-amount.ts';

type PayinRow = Output<Routes['operatorPayins']>[number];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the payments that match a transaction, a payment's id or an order's number. */
export async function payinsView(
  db: Db,
  owners: readonly OwnerKind[],
  { q }: Input<Routes['operatorPayins']>,
): Promise<PayinRow[]> {
  const numbered = await ownerByNumber(db, owners, q);
  const found = await payinsBy(db, { txid: q, ...(UUID.test(q) && { id: q }), owner: numbered?.owner.id });
  const known = await knownOwners(
    db,
    owners,
    found.map(({ owner }) => owner),
  );
  return found.map((one) => rowOf(one, known(one.owner)));
}

function rowOf(one: Payin, of: KnownOwner | undefined): PayinRow {
  const { id, unit, parts, taken, currency, status, isDecided, txid, from, seenAt } = one;
  return {
    ...{ id, by: currency, status, decided: isDecided, txid, from: [...from], seen_at: seenAt.toISOString() },
    ...{ email: of?.email ?? '', ...(of?.number !== undefined && { order: of.number }) },
    amount: { amount: format(money(unit, parts)), currency: unit },
    taken: { amount: format(money(unit, taken)), currency: unit },
  };
}

/**
 * Records that a payment was taken back or never arrived, or undoes that decision; takes two people. The order or wallet is then
 * handled as after any reversal. Throws `not_found`, `action_not_open` if the payment's state doesn't allow the action,
 * `validation` at `amount`, and the errors of `actAs`.
 */
export async function actOnPayin(
  db: Db,
  person: Person,
  { id, action, amount, evidence, reason }: Input<Routes['operatorPayin']>,
  key?: string,
): Promise<Acted & { readonly state: string }> {
  return db.tx(async (tx) => {
    const one = await payinById(tx, id);
    if (!one) throw new Problem('not_found');
    let state: string = one.status;
    const parts = amount === undefined ? undefined : partsOf(one.unit, amount);
    const check = (): void => {
      if (!isOpenTo(one, { word: action, parts })) throw new Problem('action_not_open');
    };
    const body = { amount, evidence };
    // A request is bound to the payment's current status and the amount taken back.
    const about = `${one.status} ${one.taken}`;
    const wanted = {
      action: `payin_${action}`,
      subject: id,
      reason,
      permission: 'payins.decide',
      people: 2,
      body,
      about,
      key,
      check,
    } as const;
    const acted = await actAs(tx, person, wanted, async (by, actionId) => {
      state = (await decidePayin(tx, { id: actionId, payinId: id, word: action, parts, evidence, by })).status;
    });
    return { ...acted, state };
  });
}
