// Deposits at payment systems. The holder requests a deposit first, and then pays it at the system's own pages or with a voucher.

import { randomBytes } from 'node:crypto';
import { type Input, Problem, type Routes, fieldProblem, returnPages } from '@kurs/contract';
import { type Money, format, larger, money, orderNumber, roundTo, zero } from '@kurs/money';
import {
  customerOf,
  isReversible,
  levelOf,
  requirePayerLevel,
  reserveLimits,
  shownHolder,
  takesReversible,
} from '../../compliance/index.ts';
import {
  type CurrencyInfo,
  checkGivenAccount,
  currencies,
  enterVoucher,
  isEnteredTwice,
  openPayin,
  payKindOf,
  voucherFields,
} from '../../payments/index.ts';
import { type Context, type Db, type Sealer, type Tx, alsoAbout, isDuplicate, newId } from '../../platform/index.ts';
import { sendingTerms } from '../../pricing/index.ts';
import { type DepositRequest, isDue } from './deposit-request.ts';
import { addRequest, requestById, lockRequest, openRequests, reversiblesOf } from './deposit-request-store.ts';
import { requestCurrencies, isUnitHere } from './open-deposit.ts';
import { requireDeposits } from '../purpose.ts';
import { depositRequestMs } from '../settings.ts';
import { openWallet } from '../store.ts';
import { sumOf, worthOf } from '../withdrawals/withdraw.ts';

export interface RequestDeps {
  readonly db: Db;
  readonly sealer: Sealer;
}

type Holder = { readonly id: string; readonly email: string };
type Wanted = Input<Routes['walletDepositAsk']>;

/** Maximum number of open deposit requests per holder. */
const MAX_OPEN = 10;
/** Maximum number of retries for a request whose random number is already taken. */
const TRIES = 5;

/**
 * Returns the minimum deposit in a payment system's currency: the larger of the minimum that can be sent out again, and the
 * currency's smallest sum.
 */
export function minOf({ code, unit, dust }: CurrencyInfo): Money {
  const min = money(unit, dust);
  const terms = sendingTerms(code, zero(unit));
  return terms ? larger(terms.smallest, min) : min;
}

/**
 * Requests a deposit at a payment system. A worker prepares the payment there within a second. No money moves. Throws
 * `validation` on the wrong field, `deposits_closed` if the system currently takes no deposits, and `rate_limited` if the
 * holder has too many open requests. Throws the problems of limits on reversible payments.
 */
export async function requestDeposit({ db }: RequestDeps, holder: Holder, wanted: Wanted, context: Context): Promise<string> {
  const info = wayOf(wanted);
  await requireDeposits(db, info.rail);
  const sum = payKindOf(info.code) === 'voucher' ? undefined : requireSum(info, wanted.amount);
  const payer = info.payerFields ?? info.fields;
  const account =
    payer.length === 0 ? { fields: {} } : await checkGivenAccount(db, info.code, wanted.payer ?? {}, 'payer', payer);
  for (let left = TRIES; ; left -= 1) {
    try {
      return await db.tx((tx) => ask(tx, holder, { info, sum, payer: account.fields }, context));
    } catch (error) {
      if (left === 0 || !isDuplicate(error, 'wallet_receiving_address_number_key')) throw error;
    }
  }
}

function wayOf({ currency: unit, rail }: Wanted): CurrencyInfo {
  if (!isUnitHere(unit)) throw fieldProblem('currency', 'currency_unknown');
  const found = requestCurrencies(unit).find((one) => one.rail === rail);
  if (!found) throw fieldProblem('rail', 'rail_unknown');
  return found;
}

function requireSum(info: CurrencyInfo, amount: string | undefined): Money {
  if (amount === undefined) throw fieldProblem('amount', 'required');
  const sum = sumOf(info.unit, amount);
  if (roundTo(sum, info.payDigits, 'down').parts !== sum.parts)
    throw fieldProblem('amount', 'amount_decimals', { currency: info.unit, decimals: String(info.payDigits) });
  const min = minOf(info);
  if (sum.parts < min.parts)
    throw fieldProblem('amount', 'deposit_below_min', { min: format(min, info.payDigits), unit: info.unit });
  return sum;
}

interface Ready {
  readonly info: CurrencyInfo;
  readonly sum: Money | undefined;
  readonly payer: Readonly<Record<string, string>>;
}

async function ask(tx: Tx, holder: Holder, { info, sum, payer }: Ready, context: Context): Promise<string> {
  await requireDeposits(tx, info.rail);
  await openWallet(tx, holder.id, info.unit);
  if ((await openRequests(tx, holder.id)) >= MAX_OPEN)
    throw new Problem('rate_limited', { retryAfter: depositRequestMs() / 1_000 });
  const id = newId();
  alsoAbout({ depositId: id });
  if (isReversible(info.code) && sum) await reserveReversible(tx, holder, { id, info, sum }, context);
  const number = orderNumber(randomBytes(5), 'KD');
  const until = new Date(tx.now.getTime() + depositRequestMs());
  const { to, memo } = await openPayin(tx, {
    owner: { kind: 'wallet', id },
    currency: info.code,
    // A voucher has no fixed worth, so the smallest sum of the currency is expected.
    parts: sum?.parts ?? info.dust,
    customerKey: customerOf({ email: holder.email, holder }),
    request: { label: number, back: returnPages(number, context.locale), locale: context.locale, until, payer },
  });
  await addRequest(tx, { id, holderId: holder.id, currency: info.code, to, memo, number, parts: sum?.parts, until });
  return id;
}

/** Adds a reversible deposit to the limits of its payer and to the desk's total of reversible payments. */
async function reserveReversible(
  tx: Tx,
  { id: holderId, email }: Holder,
  { id, info, sum }: { readonly id: string; readonly info: CurrencyInfo; readonly sum: Money },
  { deviceKey: device, ip }: Context,
): Promise<void> {
  if (!takesReversible()) throw new Problem('direction_closed', { params: { reason: 'exposure' } });
  requirePayerLevel(info.code, await levelOf(tx, holderId));
  const codes = currencies()
    .map(({ code }) => code)
    .filter(isReversible);
  const payer = await reversiblesOf(tx, holderId, codes);
  await reserveLimits(
    tx,
    { email, accounts: [], device, ip, holder: await shownHolder(tx, holderId) },
    worthOf(sum),
    { kind: 'wallet', id },
    { payer },
  );
}

/**
 * Stores the voucher that a holder enters for their deposit. A worker redeems the voucher at once, and the voucher's worth
 * arrives like any payment. Throws `not_found`, `order_changed` if nothing is due any more, and `too_many_entries`. Throws
 * `validation` on a field that is missing, malformed or unknown, and for a voucher that was entered before.
 */
export async function redeemDeposit(
  { db, sealer }: RequestDeps,
  holder: Holder,
  input: Input<Routes['walletDepositRedeem']>,
): Promise<string> {
  const found = await requestById(db, holder.id, input.id);
  if (!found) throw new Problem('not_found');
  const fields = voucherFields(entryFields(found.request), input.fields);
  const used = (): Problem => fieldProblem(`fields.${Object.keys(fields)[0] ?? 'number'}`, 'voucher_used');
  try {
    await db.tx(async (tx) => {
      const request = await lockRequest(tx, holder.id, input.id);
      if (!request || tx.now >= request.until || !isDue(request, found.deposits)) throw new Problem('order_changed');
      const entered = await enterVoucher(tx, sealer, { kind: 'wallet', id: request.id }, fields);
      if (entered === 'too_many') throw new Problem('too_many_entries');
      if (entered === 'no_place') throw new Problem('order_changed');
      if (entered === 'used') throw used();
    });
  } catch (error) {
    throw isEnteredTwice(error) ? used() : error;
  }
  return input.id;
}

function entryFields({ way }: DepositRequest) {
  if (way?.kind !== 'voucher') throw new Problem('order_changed');
  return way.fields;
}
