// Coin that a contract handed on to one of our addresses: the desk lists it, and two people name the transaction that brought it.

import { type Input, type Output, Problem, type Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { type KnownOwner, type OwnerKind, knownOwners } from '../../../collecting/index.ts';
import { type Growth, bookArrival, checkHandedOn, growths } from '../../../payments/index.ts';
import { type Db, requirePermission } from '../../../platform/index.ts';
import type { Person } from '../../people/roles.ts';
import { type Acted, actAs } from '../../people/two-people.ts';
import { partsOf } from './typed-amount.ts';

type ArrivalRow = Output<Routes['operatorArrivals']>[number];

/** Returns coin at our addresses that is credited to nobody, the oldest first. */
export async function arrivalsView(db: Db, owners: readonly OwnerKind[]): Promise<ArrivalRow[]> {
  const open = await growths(db);
  const known = await knownOwners(
    db,
    owners,
    open.map(({ owner }) => owner),
  );
  return open.map((one) => rowOf(one, known(one.owner)));
}

function rowOf({ to: place, rail: network, unit, parts, blocks, since }: Growth, of: KnownOwner | undefined): ArrivalRow {
  const amount = { amount: format(money(unit, parts)), currency: unit };
  return {
    ...{ place, network, amount, after_block: blocks.after, up_to_block: blocks.upTo, since: since.toISOString() },
    ...{ email: of?.email ?? '', ...(of?.number !== undefined && { order: of.number }) },
  };
}

/**
 * Books the coin that a transaction handed on to an address; takes two people. Each call reads the transaction from the chain.
 * Throws `not_found` if the address has no unbooked coin, `validation` at `amount`, and the errors of `checkHandedOn`,
 * `bookArrival` and `actAs`.
 */
export async function actOnArrival(
  db: Db,
  person: Person,
  { place, txid, amount, evidence, reason }: Input<Routes['operatorArrival']>,
  key?: string,
): Promise<Acted> {
  requirePermission(person, 'arrivals.book');
  const [growth] = await growths(db, place);
  if (!growth) throw new Problem('not_found');
  const parts = partsOf(growth.unit, amount);
  // Calls the network, so no transaction may be open.
  await checkHandedOn(growth, { txid, parts });
  const check = (): void => {
    if (parts > growth.parts) throw new Problem('not_enough_there');
  };
  const wanted = { action: 'arrival_book', subject: place, reason, permission: 'arrivals.book', people: 2, key, check } as const;
  const body = { txid, amount, evidence };
  return db.tx((tx) => actAs(tx, person, { ...wanted, body }, (by) => bookArrival(tx, growth, { txid, parts, by, evidence })));
}
