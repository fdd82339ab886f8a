import { fieldProblem } from '@kurs/contract';
import { type CurrencyInfo, canSend, currencies, isChain, isPrepared, openPayin } from '../../payments/index.ts';
import { customerOf } from '../../compliance/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import { requireDeposits } from '../purpose.ts';
import { type WalletAddress, addAddress, openWallet, addressFor } from '../store.ts';

/** Currencies that a wallet of a unit is paid into at an address of its own: those of chains. */
export function depositCurrencies(unit: string): CurrencyInfo[] {
  return currencies().filter((currency) => currency.unit === unit && isChain(currency.code));
}

/**
 * Currencies in which a wallet of a unit is paid into at a payment system, each payment asked for first. What could never
 * be sent out again isn't taken.
 */
export function requestCurrencies(unit: string): CurrencyInfo[] {
  return currencies().filter(({ unit: of, code }) => of === unit && !isChain(code) && isPrepared(code) && canSend(code));
}

/** Whether any currency of this process has the unit: else no wallet of it can be opened. */
export const isUnitHere = (unit: string): boolean => currencies().some((currency) => currency.unit === unit);

export interface DepositAt {
  readonly currency: CurrencyInfo;
  readonly address: WalletAddress;
}

/**
 * Opens a holder's wallet of a unit, and their own address to pay into it: always the same one of a currency. `rail` says by
 * which, where the unit has several. Undefined where the unit can't be paid in at an address.
 * Throws `validation` for a unit or rail that there isn't, `direction_closed` where the rail takes nothing now.
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
