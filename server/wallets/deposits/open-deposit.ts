import { fieldProblem } from '@kurs/contract';
import { type CurrencyInfo, canSend, currencies, isChain, isPrepared, openPayin } from '../../payments/index.ts';
import { customerOf } from '../../compliance/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { requireDeposits } from '../purpose.ts';
import { type WalletAddress, addAddress, openWallet, addressFor } from '../store.ts';

/** Returns those currencies of a unit that are on a chain: a holder pays them to an address of the wallet's own. */
export function depositCurrencies(unit: string): CurrencyInfo[] {
  return currencies().filter((currency) => currency.unit === unit && isChain(currency.code));
}

/**
 * Returns the currencies of a unit whose deposits are requested at a payment system, one payment at a time. A currency that can't
 * be sent out again is left out.
 */
export function requestCurrencies(unit: string): CurrencyInfo[] {
  return currencies().filter(({ unit: of, code }) => of === unit && !isChain(code) && isPrepared(code) && canSend(code));
}

/** Returns true if this process has a currency of the unit. Otherwise no wallet of the unit can be opened. */
export const isUnitHere = (unit: string): boolean => currencies().some((currency) => currency.unit === unit);

export interface DepositAt {
  readonly currency: CurrencyInfo;
  readonly address: WalletAddress;
}

/**
 * Opens a holder's wallet of a unit, and the address for paying into the wallet. Each currency's address stays the same. `rail`
 * selects the currency if the unit has several. Returns undefined if the unit has no addresses. Throws `validation` for an
 * unknown unit or rail, `deposits_closed` if the rail takes no new deposits.
 */
export async function openDeposit(
  tx: Tx,
  holder: { readonly id: string; readonly email: string },
  { unit, rail }: { readonly unit: string; readonly rail: string | undefined },
): Promise<DepositAt | undefined> {
  if (!isUnitHere(unit)) throw fieldProblem('currency', 'currency_unknown');
  const ways = depositCurrencies(unit);
  const currency = rail === undefined ? ways[0] : ways.find((one) => one.rail === rail);
  if (rail !== undefined && !currency) throw fieldProblem('rail', 'currency_unknown');
  await openWallet(tx, holder.id, unit);
  if (!currency) return undefined;
  const known = await addressFor(tx, { holderId: holder.id, unit, currency: currency.code });
  if (known) return { currency, address: known };
  await requireDeposits(tx, currency.rail);
  const id = newId();
  const { to, memo } = await openPayin(tx, {
    owner: { kind: 'wallet', id },
    currency: currency.code,
    parts: 0n,
    customerKey: customerOf({ email: holder.email, holder }),
  });
  const address = { id, holderId: holder.id, currency: currency.code, to, memo };
  await addAddress(tx, address);
  return { currency, address };
}
