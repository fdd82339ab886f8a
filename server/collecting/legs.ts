// Legs that everybody who collects posts: a conversion by a price between named accounts, its reverse, and what a rail takes
// back. Pure: what is free and what is there are arguments.

import { type Component, totalOf } from '@kurs/money';
import { type AccountRef, type Leg, accounts } from '../ledger/index.ts';

/** A leg, or none where nothing moves. */
export function move(from: AccountRef, to: AccountRef, parts: bigint): Leg[] {
  return parts > 0n ? [{ from, to, parts }] : [];
}

/** The lesser of two sums. */
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The accounts that components of a price move. */
export const COMPONENT_ACCOUNTS = {
  'income:spread': (unit: string) => accounts.income('spread', unit),
  'income:fee': (unit: string) => accounts.income('fee', unit),
  'spent:discount': (unit: string) => accounts.spent('discount', unit),
} as const satisfies Record<Component['account'], (unit: string) => AccountRef>;

/**
 * What a conversion books: its components, what is exchanged after them, what that brings, and what is set aside for a
 * reversal.
 */
export interface BookedPrice {
  readonly components: readonly Component[];
  readonly exchanged: bigint;
  readonly got: bigint;
  readonly provision: bigint;
}

/** Between which accounts: where what is given stands, where what is got was promised, and where that goes. */
export interface ConversionAccounts {
  readonly given: AccountRef;
  readonly promised: AccountRef;
  readonly got: AccountRef;
}

/**
 * A conversion by a price: two transfers through the desk's free money. Given: the desk's price and costs become income,
 * discounts come in addition, a leg for each line; the rest is the desk's. Got: the promise becomes its receiver's.
 */
export function conversion({ given, promised, got }: ConversionAccounts, price: BookedPrice): Leg[] {
  const { unit } = given;
  const lines = price.components.flatMap(({ kind, account, amount }) => {
    const other = COMPONENT_ACCOUNTS[account](unit);
    return kind === 'discount' ? move(other, given, amount) : move(given, other, amount);
  });
  return [
    ...lines,
    ...move(given, accounts.deskFree(unit), price.exchanged),
    ...move(accounts.income('spread', unit), accounts.provisionReversal(unit), price.provision),
    ...move(promised, got, price.got),
  ];
}

/**
 * A conversion turned round: the same amounts, a leg for each line. Discounts come back into the desk's free money (the nightly
 * close may have paid them from there already); of what was exchanged, what the desk (`free`) can't give any more is a loss.
 * `left`: what is still there of what was got.
 */
export function conversionBack(
  { given, got }: Pick<ConversionAccounts, 'given' | 'got'>,
  price: BookedPrice,
  { free, left }: { readonly free: bigint; readonly left: bigint },
): Leg[] {
  const { unit } = given;
  const desk = accounts.deskFree(unit);
  const lines = price.components.flatMap(({ kind, account, amount }) =>
    kind === 'discount' ? move(given, desk, amount) : move(COMPONENT_ACCOUNTS[account](unit), given, amount),
  );
  const fromFree = least(price.exchanged, free + totalOf(price.components, 'discount'));
  return [
    ...move(got, accounts.deskFree(got.unit), least(price.got, left)),
    ...move(accounts.provisionReversal(unit), accounts.income('spread', unit), price.provision),
    ...lines,
    ...move(desk, given, fromFree),
    ...move(accounts.spent('loss', unit), given, price.exchanged - fromFree),
  ];
}

/**
 * What a rail takes back leaves these accounts, in their order, for the place where it arrived, as far as that holds it
 * (`held`); the rest is owed to the rail. Such an event is never refused.
 */
export function takenBack(
  from: readonly (readonly [account: AccountRef, parts: bigint])[],
  { place, rail, held }: { readonly place: AccountRef; readonly rail: string; readonly held: bigint },
): Leg[] {
  let left = held > 0n ? held : 0n;
  return from.flatMap(([account, parts]) => {
    const out = least(left, parts);
    left -= out;
    return [...move(account, place, out), ...move(account, accounts.owedRail(rail, account.unit), parts - out)];
  });
}
