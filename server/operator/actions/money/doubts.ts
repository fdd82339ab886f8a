// Sends in doubt and sends found late: the lists, and decisions by two people.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type OwnerKind, knownOwners } from '../../../collecting/index.ts';
import {
  type Owner,
  countFound,
  currencyOf,
  doubts,
  foundLate,
  foundLateById,
  payoutStatuses,
  resolvePayout,
  writeOffFound,
} from '../../../payments/index.ts';
import type { Db, Statements } from '../../../platform/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';

const MAX = 500;

/** Returns the sends in doubt, the oldest first. */
export async function doubtsView(db: Db, kinds: readonly OwnerKind[]): Promise<Output<Routes['operatorDoubts']>> {
  const found = await doubts(db, MAX);
  const owners = await ownerWords(
    db,
    kinds,
    found.map(({ owner }) => owner),
  );
  return found.map(({ id, owner, rail, currency, unit, parts, to, reason, isKnown, mayReport, since }) => ({
    ...{ id, owner: owners(owner), rail, currency, to: { ...to }, reason },
    amount: format(money(unit, parts)),
    ...{ used: isKnown, may_tell: mayReport, since: since.toISOString() },
  }));
}

/**
 * Returns a function that names an owner for people: by the owner's number, or by kind and id for an owner without a number.
 */
export async function ownerWords(
  db: Statements,
  kinds: readonly OwnerKind[],
  owners: readonly Owner[],
): Promise<(owner: Owner) => string> {
  const known = await knownOwners(db, kinds, owners);
  return (owner) => known(owner)?.number ?? `${owner.kind} ${owner.id}`;
}

/**
 * Decides a send in doubt by its rail's statement; takes two people. Throws `not_found`, `action_not_open` if the send is no
 * longer in doubt, and the errors of `actAs`.
 */
export async function actOnDoubt(
  db: Db,
  person: Person,
  { id, action, evidence, reason }: Input<Routes['operatorDoubt']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const payout = (await payoutStatuses(tx, [id])).get(id);
    if (!payout) throw new Problem('not_found');
    const check = (): void => {
      if (payout.status !== 'in_doubt') throw new Problem('action_not_open');
    };
    const wanted = {
      action: `doubt_${action}`,
      subject: id,
      reason,
      permission: 'doubts.decide',
      people: 2,
      body: { evidence },
      // A request is bound to the payout's last attempt: a statement made before that attempt proves nothing.
      about: payout.at.toISOString(),
      key,
      check,
    } as const;
    return actAs(tx, person, wanted, ([first = '', second = '']) =>
      resolvePayout(tx, id, action, { statement: evidence, by: [first, second] }),
    );
  });
}

/** Returns the sends found late that nobody has settled, the oldest first. */
export async function foundLateView(db: Db, kinds: readonly OwnerKind[]): Promise<Output<Routes['operatorFoundLate']>> {
  const found = await foundLate(db, MAX);
  const owners = await ownerWords(
    db,
    kinds,
    found.map(({ owner }) => owner),
  );
  return found.map(({ id, owner, purpose, currency, unit, parts, txid, status, foundAt }) => ({
    ...{ id, owner: owners(owner), rail: currencyOf(currency)?.rail ?? '', purpose, currency },
    ...{ amount: format(money(unit, parts)), txid, status, found_at: foundAt.toISOString() },
  }));
}

/**
 * Settles a send found late: accepts it as the payment, or writes it off. Throws `not_found`, `action_not_open` if the send is
 * settled, `not_enough_there` if the wallet no longer has the money, and the errors of `actAs`.
 */
export async function actOnFoundLate(
  db: Db,
  kinds: readonly OwnerKind[],
  person: Person,
  { id, action, evidence, reason }: Input<Routes['operatorFoundLateAction']>,
  key?: string,
): Promise<Acted> {
  return db.tx(async (tx) => {
    const one = await foundLateById(tx, id);
    if (!one) throw new Problem('not_found');
    const check = (): void => {
      if (one.status !== 'open' && (one.status !== 'counted' || action === 'counts')) throw new Problem('action_not_open');
    };
    const name = action === 'counts' ? 'found_late_counts' : 'found_late_write_off';
    const wanted = {
      action: name,
      subject: id,
      reason,
      permission: 'doubts.decide',
      people: 2,
      body: { evidence },
      about: `${one.status} ${one.parts} ${one.foundAt.toISOString()}`,
      key,
      check,
    } as const;
    return actAs(tx, person, wanted, async (by, actionId) => {
      if (action === 'write_off') return writeOffFound(tx, actionId, { id, by, evidence });
      const owner = kinds.find(({ kind }) => kind === one.owner.kind);
      await countFound(tx, actionId, { id, by, evidence }, owner?.payFound?.[one.purpose]);
    });
  });
}
