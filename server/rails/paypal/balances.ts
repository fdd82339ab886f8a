import type { z } from 'zod';
import { readEach, timeOf } from '../odd.ts';
import { Unreachable } from '../provider/index.ts';
import type { RailBalance } from '../rail.ts';
import { CURRENCIES, codeOf, partsOf } from './amounts.ts';
import type { PayPal } from './client.ts';
import * as shapes from './shapes.ts';

/**
 * Returns the account's balances with their time (`GET /v1/reporting/balances`). They may be three hours old, and need the
 * permission for transaction search. A currency that PayPal doesn't list has a balance of 0. Logs and leaves out an unreadable
 * balance. Throws `Unreachable` without a usable answer.
 */
export async function readBalances(paypal: PayPal): Promise<RailBalance[]> {
  const found = await paypal.read('/v1/reporting/balances', shapes.balances);
  if (!found) throw new Unreachable('PayPal gives no balances');
  const asOf = timeOfBalances(found);
  return readEach('paypal', 'balances', CURRENCIES, (currency) => {
    const listed = found.balances.find((one) => one.currency === codeOf(currency));
    const held = listed && shapes.balance.parse(listed);
    const of = (sum: { currency_code: string; value: string } | undefined): bigint =>
      // An overdrawn account has nothing to pay with.
      sum && !sum.value.startsWith('-') ? (partsOf(currency, sum.currency_code, sum.value) ?? 0n) : 0n;
    const [parts, payable] = [of(held?.total_balance), of(held?.available_balance)];
    return { currency, place: 'hot', parts, payable: payable < parts ? payable : parts, ...(asOf && { asOf }) };
  });
}

/**
 * Returns the time of balances (Transaction Search v1, `balances_response`): the earlier of `as_of_time`, the requested time,
 * and `last_refresh_time`, since no later change is in them. Undefined if PayPal gives neither, or an invalid time.
 */
function timeOfBalances({ as_of_time: of, last_refresh_time: made }: z.output<typeof shapes.balances>): Date | undefined {
  const times = readEach('paypal', 'time of balances', [of, made], (one) => {
    const text = shapes.balanceTime.parse(one);
    return text === undefined ? undefined : timeOf(Date.parse(text));
  });
  if (times.length < 2) return undefined;
  const known = times.flatMap((one) => one ?? []);
  return known.length === 0 ? undefined : new Date(Math.min(...known.map((one) => one.getTime())));
}
