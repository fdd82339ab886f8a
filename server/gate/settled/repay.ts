// Debts of businesses: they arise when a settled payment is taken back after its money had left the store, and are repaid from what
// the stores receive, in the journal that settles.

import { type UnitOfWork, min, move } from '../../collecting/index.ts';
import { debtorOf, noteDebt } from '../../compliance/index.ts';
import { type AccountRef, type Leg, accounts } from '../../ledger/index.ts';
import { currencies } from '../../payments/index.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { type Debtor, debtAccount, isOfPerson, notedAs, partyOf } from '../stores/debtor.ts';
import { type StoreDebt, isDebtAltered, lockDebts, saveDebts } from './debt-rows.ts';

/** Returns all units of the desk's currencies. */
export const allUnits = (): string[] => [...new Set(currencies().map(({ unit }) => unit))];

/** Store whose balance receives money. */
export type Receiving = Debtor & { readonly id: string };

/** A journal of the unit of work that moves money of a store. */
export interface StoreJournal {
  readonly journalId: string;
  readonly store: Invoice['store'];
  readonly legs: readonly Leg[];
}

/** Returns the net amount that legs move from one account to any other, in parts. */
const takenFrom = (legs: readonly Leg[], { name }: AccountRef): bigint =>
  legs.reduce((sum, { from, to, parts }) => sum + (from.name === name ? parts : 0n) - (to.name === name ? parts : 0n), 0n);

/**
 * Stores the debts that arise by journals, and adds to each journal that brings a store money the legs that repay a debt in that
 * unit. Call it once per unit of work, after the journals are collected.
 */
export async function changeDebts(work: UnitOfWork, journals: readonly StoreJournal[]): Promise<void> {
  const moving = journals.filter(({ store, legs }) => isMoving(store, legs));
  if (moving.length === 0) return;
  const debts = await Debts.lock(
    work,
    moving.map(({ store }) => store),
  );
  for (const { store, legs } of moving)
    for (const unit of unitsOf(legs)) debts.add(store, unit, takenFrom(legs, debtAccount(store, unit)));
  for (const { journalId, store, legs } of moving)
    for (const unit of unitsOf(legs))
      if (takenFrom(legs, accounts.merchant(store.id, unit)) < 0n) work.extend(journalId, await debts.repay(store, unit));
  await debts.save();
}

const unitsOf = (legs: readonly Leg[]): string[] => [...new Set(legs.map(({ from }) => from.unit))];

/** True if legs move the balance of a store, or what its owner owes. */
const isMoving = (store: Invoice['store'], legs: readonly Leg[]): boolean =>
  unitsOf(legs).some((unit) =>
    [accounts.merchant(store.id, unit), debtAccount(store, unit)].some(({ name }) =>
      legs.some(({ from, to }) => from.name === name || to.name === name),
    ),
  );

/**
 * Returns the parts of a debt by stores after `parts` were added because of a store. A negative amount, which the store repays, lowers
 * its own part first, then those of other stores in the order of their ids.
 */
export function byStoreAfter(before: ReadonlyMap<string, bigint>, storeId: string, parts: bigint): ReadonlyMap<string, bigint> {
  const after = new Map(before);
  if (parts > 0n) return after.set(storeId, (before.get(storeId) ?? 0n) + parts);
  let left = -parts;
  for (const id of [storeId, ...[...before.keys()].toSorted()]) {
    const own = after.get(id) ?? 0n;
    const repaid = min(own, left);
    left -= repaid;
    if (own === repaid) after.delete(id);
    else after.set(id, own - repaid);
  }
  return after;
}

/** Debts of the owners of some stores, locked. */
export class Debts {
  readonly #work: UnitOfWork;
  readonly #debts: Map<string, StoreDebt>;
  readonly #changed = new Set<string>();

  private constructor(work: UnitOfWork, found: readonly StoreDebt[]) {
    this.#work = work;
    this.#debts = new Map(found.map((debt) => [`${debt.party} ${debt.unit}`, debt]));
  }

  static async lock(work: UnitOfWork, debtors: readonly Debtor[]): Promise<Debts> {
    return new Debts(work, await lockDebts(work.tx, [...new Set(debtors.map(partyOf))].toSorted()));
  }

  /** Adds to what the owner of a store owes, because of the store; a negative amount is repaid. */
  add(store: Receiving, unit: string, parts: bigint): void {
    if (parts === 0n) return;
    const party = partyOf(store);
    const key = `${party} ${unit}`;
    const known = this.#debts.get(key) ?? { party, unit, parts: 0n, byStore: new Map(), isAltered: false };
    if (isDebtAltered(known)) return;
    this.#debts.set(key, { ...known, parts: known.parts + parts, byStore: byStoreAfter(known.byStore, store.id, parts) });
    this.#changed.add(key);
  }

  /**
   * Notes that a debt of a store's owner is repaid from the store's balance, at most with all of it. Returns the legs. `more`: amount
   * that is about to come to the balance, and that no journal of the unit of work has yet.
   */
  async repay(store: Receiving, unit: string, more = 0n): Promise<Leg[]> {
    const debt = this.#debts.get(`${partyOf(store)} ${unit}`);
    if (!debt || debt.parts === 0n || isDebtAltered(debt)) return [];
    const balance = accounts.merchant(store.id, unit);
    const parts = min(debt.parts, (await this.#work.shown(balance)) + more);
    this.add(store, unit, -parts);
    return move(balance, debtAccount(store, unit), parts);
  }

  /** Stores the changed debts. What a person owes also stops that person everywhere else. */
  async save(): Promise<void> {
    const { tx } = this.#work;
    const changed = [...this.#changed].toSorted().flatMap((key) => this.#debts.get(key) ?? []);
    await saveDebts(tx, changed);
    for (const { party, unit, parts } of changed.filter(isOfPerson))
      await noteDebt(tx, { id: notedAs({ party, unit }), about: 'store', unit, parts }, await debtorOf(tx, party));
  }
}
