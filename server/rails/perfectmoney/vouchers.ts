import { readEach } from '../odd.ts';
import { partsRead } from '../provider/amounts.ts';
import type { PerfectMoneyClient } from './client.ts';
import { SCALE, currencyOf } from './config.ts';

/** A voucher of the list. `payee` and `activated` are empty until somebody has activated it. */
export interface Voucher {
  readonly number: string;
  readonly code: string;
  /** Our currency; undefined if we don't have it. */
  readonly currency: string | undefined;
  readonly batch: string;
  readonly payer: string;
  readonly payee: string;
  readonly activated: string;
  /** Worth in cents. */
  readonly parts: bigint;
}

/** A movement on our account. `parts` and `fee` in cents, without sign. */
export interface Movement {
  readonly time: string;
  readonly type: string;
  readonly batch: string;
  readonly currency: string | undefined;
  readonly parts: bigint;
  readonly fee: bigint;
  readonly payer: string;
  readonly payee: string;
  readonly memo: string;
}

const VOUCHER_COLUMNS = [
  ...['Created', 'e-Voucher number', 'Activation code', 'Currency', 'Batch'],
  ...['Payer Account', 'Payee Account', 'Activated', 'Amount'],
];
const HISTORY_COLUMNS = [
  ...['Time', 'Type', 'Batch', 'Currency', 'Amount', 'Fee'],
  ...['Payer Account', 'Payee Account', 'Payment ID', 'Memo'],
];

/** First and last day of a list. */
export interface Days {
  readonly from: Date;
  readonly to: Date;
}

/** Returns a number of days before and after a time, and one more at each end, since Perfect Money's day may differ from ours. */
export const daysAround = (at: Date, before: number, after: number): Days => ({
  from: new Date(at.getTime() - (before + 1) * DAY_MS),
  to: new Date(at.getTime() + (after + 1) * DAY_MS),
});

const DAY_MS = 86_400_000;

function range({ from, to }: Days): Record<string, string> {
  const [start, end] = [from, to].map((day) => day.toISOString().slice(0, 10).split('-')) as [string[], string[]];
  return {
    ...{ startyear: start[0] ?? '', startmonth: start[1] ?? '', startday: start[2] ?? '' },
    ...{ endyear: end[0] ?? '', endmonth: end[1] ?? '', endday: end[2] ?? '' },
  };
}

/**
 * Lists vouchers by number or by days (`evcsv`). Logs and leaves out rows with an invalid amount. Throws `PerfectMoneyRefusal` or
 * `Unreachable`.
 */
export async function listVouchers(client: PerfectMoneyClient, request: Days | { readonly number: string }): Promise<Voucher[]> {
  const fields = 'number' in request ? { ev_number: request.number } : range(request);
  const rows = await client.list('evcsv', VOUCHER_COLUMNS, fields);
  return readEach(
    'perfectmoney',
    'evcsv',
    rows,
    ([, number = '', code = '', currency = '', batch = '', payer = '', payee = '', activated = '', amount = '']) => ({
      ...{ number, code, batch, payer, payee, activated },
      currency: currencyOf(currency),
      parts: partsRead(amount, SCALE),
    }),
  );
}

/**
 * Lists movements of some days, optionally of one batch (`historycsv`). Logs and leaves out rows with an invalid amount. Throws
 * `PerfectMoneyRefusal` or `Unreachable`.
 */
export async function listMovements(client: PerfectMoneyClient, days: Days, batch?: string): Promise<Movement[]> {
  const fields = { ...range(days), ...(batch !== undefined && { batchfilter: batch }) };
  const rows = await client.list('historycsv', HISTORY_COLUMNS, fields);
  return readEach(
    'perfectmoney',
    'historycsv',
    rows,
    ([time = '', type = '', number = '', currency = '', amount = '', fee = '', payer = '', payee = '', , memo = '']) => ({
      ...{ time, type, batch: number, payer, payee, memo },
      currency: currencyOf(currency),
      parts: partsRead(unsigned(amount), SCALE),
      fee: partsRead(fee === '' ? '0' : unsigned(fee), SCALE),
    }),
  );
}

/** Removes the sign that outgoing amounts may have. */
const unsigned = (amount: string): string => amount.replace(/^[-+]/, '');

const TIME = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP]M))?$/i;

/** Reads a time of a list (`11/22/26 14:05`, GMT); undefined for any other text. */
export function momentOf(text: string): Date | undefined {
  const match = TIME.exec(text);
  if (!match) return undefined;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = match
    .slice(1, 6)
    .map((digits) => Number.parseInt(digits ?? '0', 10));
  const half = match[7]?.toUpperCase();
  const hours = half === undefined ? hour : (hour % 12) + (half === 'PM' ? 12 : 0);
  const seconds = Number.parseInt(match[6] ?? '0', 10);
  return new Date(Date.UTC(year < 100 ? 2_000 + year : year, month - 1, day, hours, minute, seconds));
}
