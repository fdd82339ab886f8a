// Legs that every kind of owner posts: a conversion by a price between named accounts, its reversal, and payments that a rail
// takes back. Pure: free money and balances are arguments.

import { type Component, totalOf } from '@kurs/money';
import { type AccountRef, type Leg, accounts } from '../ledger/index.ts';

/** Returns a leg, or none if the amount is not positive. */
export function move(from: AccountRef, to: AccountRef, parts: bigint): Leg[] {
  return parts > 0n ? [{ from, to, parts }] : [];
}

/** Returns the smaller of two amounts. */
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Accounts that components of a price move. */
export const COMPONENT_ACCOUNTS = {
  'income:spread': (unit: string) => accounts.income('spread', unit),
  'income:fee': (unit: string) => accounts.income('fee', unit),
  'spent:discount': (unit: string) => accounts.spent('discount', unit),
} as const satisfies Record<Component['account'], (unit: string) => AccountRef>;

/**
 * Amounts that a conversion books: its components, the amount exchanged after them, the amount got, and the provision for a
 * reversal.
 */
export interface BookedPrice {
  readonly components: readonly Component[];
  readonly exchanged: bigint;
  readonly got: bigint;
  readonly provision: bigint;
}

/** Accounts of a conversion: the source of the given amount, the source of the promised amount, and where that goes. */
export interface ConversionAccounts {
  readonly given: AccountRef;
  readonly promised: AccountRef;
  readonly got: AccountRef;
}

/**
 * Returns the legs of a conversion: two transfers through the desk's free money. Of the given amount, price and costs become
 * income, discounts are added (a leg for each line), and the desk gets the rest. The promised amount goes to its receiver.
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
 * Returns the legs of a reversed conversion: the same amounts, a leg for each line. Discounts come back into the desk's free
 * money, as the nightly close may have paid them from there already. The part of the exchanged amount that the desk (`free`)
 * can't return is a loss. `left`: rest of the got amount that is still there.
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
  const fromFree = min(price.exchanged, free + totalOf(price.components, 'discount'));
  return [
    ...move(got, accounts.deskFree(got.unit), min(price.got, left)),
    ...move(accounts.provisionReversal(unit), accounts.income('spread', unit), price.provision),
    ...lines,
    ...move(desk, given, fromFree),
    ...move(accounts.spent('loss', unit), given, price.exchanged - fromFree),
  ];
}

/**
 * Returns the legs of a payment that its rail takes back. The amounts leave the accounts in the given order for the custody where
 * the payment arrived, up to its balance (`held`). The rest is owed to the rail, so the event is never refused.
 */
export function takenBack(
  from: readonly (readonly [account: AccountRef, parts: bigint])[],
  { place, rail, held }: { readonly place: AccountRef; readonly rail: string; readonly held: bigint },
): Leg[] {
  let left = held > 0n ? held : 0n;
  return from.flatMap(([account, parts]) => {
    const out = min(left, parts);
    left -= out;
    return [...move(account, place, out), ...move(account, accounts.owedRail(rail, account.unit), parts - out)];
  });
}
