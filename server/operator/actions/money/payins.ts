// Payments that their rails took back without telling, or that never were: what the desk finds, and the word of two people.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type KnownOwner, type OwnerKind, knownOwners, ownerByNumber } from '../../../collecting/index.ts';
import { type Payin, decidePayin, isOpenTo, payinById, payinsBy } from '../../../payments/index.ts';
import type { Db } from '../../../platform/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';
import { partsOf } from './typed-amount.ts';

type Row = Output<Routes['operatorPayins']>[number];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Payments that a statement may mean. */
export async function payinsView(db: Db, owners: readonly OwnerKind[], { q }: Input<Routes['operatorPayins']>): Promise<Row[]> {
  const numbered = await ownerByNumber(db, owners, q);
  const found = await payinsBy(db, { txid: q, ...(UUID.test(q) && { id: q }), owner: numbered?.owner.id });
  const known = await knownOwners(
    db,
    owners,
    found.map(({ owner }) => owner),
  );
  return found.map((one) => rowOf(one, known(one.owner)));
}

function rowOf(one: Payin, of: KnownOwner | undefined): Row {
  const { id, unit, parts, taken, currency, status, decided, txid, from, seenAt } = one;
  return {
    ...{ id, by: currency, status, decided, txid, from: [...from], seen_at: seenAt.toISOString() },
    ...{ email: of?.email ?? '', ...(of?.number !== undefined && { order: of.number }) },
    amount: { amount: format(money(unit, parts)), currency: unit },
    taken: { amount: format(money(unit, taken)), currency: unit },
  };
}

/**
 * Takes a payment back by two people's word, or takes that word back. Its order or wallet is told as of any payment that is
 * taken back. Throws `not_found`, `action_not_open` where it stands otherwise, `validation` on `amount`, and what `actAs` throws.
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
    // Two agree on the payment as it stands.
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
