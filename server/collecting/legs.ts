// Legs that every kind of owner posts: a conversion at a price, its reversal, and a payment that its rail takes back. Pure:
// balances are passed as arguments.

import { type Component, totalOf } from '@kurs/money';
import { type AccountRef, type Leg, accounts } from '../ledger/index.ts';

/** Returns a leg; none if the amount is not positive. */
export function move(from: AccountRef, to: AccountRef, parts: bigint): Leg[] {
  return parts > 0n ? [{ from, to, parts }] : [];
}

/** Returns the smaller of two amounts. */
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Ledger accounts of price components. */
export const COMPONENT_ACCOUNTS = {
  'income:spread': (unit: string) => accounts.income('spread', unit),
  'income:fee': (unit: string) => accounts.income('fee', unit),
  'spent:discount': (unit: string) => accounts.spent('discount', unit),
} as const satisfies Record<Component['account'], (unit: string) => AccountRef>;

/** Amounts that a conversion books. */
export interface BookedPrice {
  /** Lines of the price: fees, costs and discounts. */
  readonly components: readonly Component[];
  /** Rest of the given amount after fees, costs and discounts, which is exchanged. */
  readonly exchanged: bigint;
  /** Amount received. */
  readonly got: bigint;
  /** Part of the spread that is set aside, in case the payment is reversed. */
  readonly provision: bigint;
}

/** Ledger accounts of a conversion. */
export interface ConversionAccounts {
  /** Account that pays the given amount. */
  readonly given: AccountRef;
  /** Account that pays the promised amount. */
  readonly promised: AccountRef;
  /** Account that receives the promised amount. */
  readonly got: AccountRef;
}

/**
 * Returns the legs of a conversion, one for each line of the price. Fees and costs go from the given amount to income, and
 * discounts are added to it. The rest is exchanged: it becomes the desk's free money. The promised amount goes to its receiver.
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
 * Returns the legs of a reversed conversion: the same amounts the other way, one for each line. Discounts go back into the desk's
 * free money, since the nightly close may have paid them from there. If the desk's free money (`free`) doesn't cover the
 * exchanged amount, the missing part is a loss. `left`: part of the received amount that is still there.
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
 * Returns the legs of a payment that its rail takes back. The accounts of `from` pay in the given order, up to `held`: the
 * balance of the custody account where the payment arrived. The rest is booked as owed to the rail, so the ledger never refuses
 * the journal.
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
