// The desk tool's reports: profit, turnover, position, and directions.

import type { Client } from '@kurs/contract/client';
import { csvOf } from '../../platform/index.ts';
import { short } from '../desk-rows.ts';
import type { Usage } from '../desk-usage.ts';
import type { SupportTool } from './desk-support.ts';

const PERIOD = '[--from DAY] [--to DAY] [--by day|direction|rail] [--csv]';

export const REPORTS_HELP: readonly Usage[] = [
  [`profit ${PERIOD}`, 'the desk’s profit in USD after costs, rewards and losses; days are UTC, today by default'],
  [`turnover ${PERIOD}`, 'what customers exchanged in USD; by rail: the one that they paid with'],
  [`position ${PERIOD}`, 'the desk’s own money in each unit at the beginning and end, and its changes'],
];

export const DIRECTIONS_HELP: readonly Usage[] = [
  ['directions', 'all directions: slug, on or off, spread, minimum, maximum, reserve, orders since midnight UTC'],
];

type Command = (tool: SupportTool) => Promise<void>;
type Named = Pick<Awaited<ReturnType<Client['operatorProfit']>>['rows'][number], 'day' | 'direction' | 'rail' | 'other'>;

/** Names of groups without a direction or rail. */
const OTHERS = {
  wallets: 'wallets: fees and costs of deposits and withdrawals',
  rewards: 'coupons, prizes and rewards',
  invoices: 'invoices',
  desk: 'the desk itself: capital, network fees, differences',
  unmatched: 'payments without an order',
  not_set_up: 'payment systems that are not set up',
} as const satisfies Record<NonNullable<Named['other']>, string>;

function requestedOf({ flags: { from, to, by } }: SupportTool): { from?: string; to?: string; by?: 'day' } {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(by !== undefined && { by: by as 'day' }) };
}

/** Returns the cell that names a row. */
const namesOf = ({ day, direction, rail, other }: Named, by = 'all'): Record<string, string> => ({
  [by]: day ?? direction ?? rail ?? (other && OTHERS[other]) ?? '',
});

/** Rounds a sum to cents for people; files and --json have all digits. */
export function cents(sum: string): string {
  const [whole = '0', behind = ''] = sum.replace('-', '').split('.');
  const digits = `${whole}${behind.padEnd(3, '0').slice(0, 3)}`;
  const rounded = ((BigInt(digits) + 5n) / 10n).toString().padStart(3, '0');
  const sign = sum.startsWith('-') && /[1-9]/.test(rounded) ? '-' : '';
  return `${sign}${rounded.slice(0, -2)}.${rounded.slice(-2)}`;
}

interface Report {
  readonly found: object;
  /** Rows with exact sums, and rows for people. */
  readonly exact: readonly Record<string, string>[];
  readonly shown: readonly Record<string, string>[];
  /** Columns with sums, which files contain unchanged. */
  readonly sums: readonly string[];
  readonly total: string;
}

/** Prints a report as received, as a file, or in words. */
async function write({ flags, isJson, show, table, print }: SupportTool, report: Report): Promise<void> {
  if (isJson) return show(report.found);
  if (!flags.csv) {
    // A report without a grouping has no table.
    if (report.shown.length > 0) table(report.shown);
    return print(report.total);
  }
  for await (const text of fileOf(report)) process.stdout.write(text);
}

/** Yields a report as a file for spreadsheet programs: the first line names the columns, sums have all digits. */
export function fileOf({ exact, sums }: Pick<Report, 'exact' | 'sums'>): AsyncGenerator<string> {
  const columns = Object.keys(exact[0] ?? {});
  const cells = exact.map((row) =>
    columns.map((name) => (sums.includes(name) ? { amount: row[name] ?? '' } : (row[name] ?? ''))),
  );
  return csvOf(inOneGroup([columns, ...cells]));
}

async function* inOneGroup<R>(rows: readonly R[]): AsyncGenerator<readonly R[]> {
  if (rows.length > 1) yield rows;
}

const periodOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  from === to ? `on ${from}` : `from ${from} to ${to}`;

/** Commands by their names. */
export const REPORTS: Readonly<Record<string, Command>> = {
  async profit(tool) {
    const found = await tool.client.operatorProfit(requestedOf(tool));
    const rows = found.by ? found.rows : [{ operating: found.operating }];
    const rowOf = (row: (typeof rows)[number], sum: string) => ({ ...namesOf(row, found.by), 'profit USD': sum });
    await write(tool, {
      found,
      exact: rows.map((row) => ({ from: found.from, to: found.to, ...rowOf(row, row.operating) })),
      shown: found.by ? rows.map((row) => rowOf(row, cents(row.operating))) : [],
      sums: ['profit USD'],
      total: `profit ${periodOf(found)} (UTC): ${cents(found.operating)} USD`,
    });
  },
  async turnover(tool) {
    const found = await tool.client.operatorTurnover(requestedOf(tool));
    const rows = found.by ? found.rows : [{ usd: found.usd, exchanges: found.exchanges }];
    const rowOf = (row: (typeof rows)[number], sum: string) => ({
      ...{ ...namesOf(row, found.by), exchanges: `${row.exchanges}`, 'turnover USD': sum },
    });
    await write(tool, {
      found,
      exact: rows.map((row) => ({ from: found.from, to: found.to, ...rowOf(row, row.usd) })),
      shown: found.by ? rows.map((row) => rowOf(row, cents(row.usd))) : [],
      sums: ['exchanges', 'turnover USD'],
      total: `turnover ${periodOf(found)} (UTC): ${cents(found.usd)} USD in ${found.exchanges} exchanges`,
    });
  },
  async position(tool) {
    const found = await tool.client.operatorPosition(requestedOf(tool));
    const { by, from, to } = found;
    const exact = by
      ? found.rows.map(({ unit, change, ...row }) => ({ from, to, ...namesOf(row, by), unit, change }))
      : found.units.map(({ unit, opening, change, closing, usd }) => ({
          from,
          to,
          unit,
          opening,
          change,
          closing,
          'worth USD': usd,
        }));
    const shown = by
      ? found.rows.map(({ unit, change, ...row }) => ({ ...namesOf(row, by), change: short(change, unit) }))
      : found.units.map(({ unit, opening, change, closing, usd }) => ({
          ...{ opening: short(opening, unit), change: short(change, unit), closing: short(closing, unit) },
          'worth USD': cents(usd),
        }));
    const sums = ['opening', 'change', 'closing', 'worth USD'];
    await write(tool, { found, exact, shown, sums, total: `the desk’s own money ${periodOf(found)} (UTC)` });
  },
  async directions({ client, isJson, table }) {
    const found = await client.operatorDirections({});
    table(
      isJson
        ? found
        : found.map(({ slug, from, to, on, closed, spread, min = '', max = '', reserve, orders_today: today }) => ({
            ...{ slug, from, to, on: on ? 'on' : 'off', 'closed by': on ? (closed ?? '') : '' },
            spread: spread.map((step) => `${step.from}=${step.percent}`).join(','),
            ...{ min, max, reserve: short(reserve, to), 'orders today': `${today}` },
          })),
      'There is no direction.',
    );
  },
};
