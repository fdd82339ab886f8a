// The desk tool's command for coins that the books don't know: scans a chain for our own addresses.

import { setTimeout as pause } from 'node:timers/promises';
import { CallError } from '@kurs/contract/client';
import { UsageError } from '../command.ts';
import type { Usage } from '../desk-usage.ts';
import type { SupportTool } from './desk-support.ts';

export const SCAN_HELP: readonly Usage[] = [
  [
    'scan RAIL [--from INDEX] [--gap N] --reason "…"',
    'find our own addresses that were ever used on a chain, until N in a row (11000) are unused, and add unknown ones to the books',
  ],
];

/** Default gap: a restore skips 10 000 indexes, and unpaid addresses add to that. */
const GAP = 11_000;
/** Indexes per call. */
const TOGETHER = 100;
/** Pauses in ms before a call is repeated that the chain did not answer. */
const PAUSES = [1_000, 5_000, 15_000, 30_000];
const REPORT_EACH = 1_000;

type Used = Awaited<ReturnType<SupportTool['client']['operatorScan']>>['used'];

/** Repeats a call that the chain did not answer. */
async function insisting<T>(call: () => Promise<T>, pauses = PAUSES): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const [ms, ...more] = pauses;
    if (!(error instanceof CallError) || error.code !== 'unavailable' || ms === undefined) throw error;
    await pause(ms);
    return insisting(call, more);
  }
}

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const SCAN: Readonly<Record<string, Command>> = {
  async scan({ client, flags, need, show, print, table, isJson }, [name]) {
    const rail = need(name, 'the payment system: bitcoin, evm, bsc or tron');
    const reason = need(flags.reason, '--reason');
    const [first, gap] = [wholeNumber(flags.from ?? '0'), wholeNumber(flags.gap ?? String(GAP))];
    const used: Used = [];
    let last = first - 1;
    for (let from = first; from <= last + gap; from += TOGETHER) {
      const count = Math.min(TOGETHER, last + gap - from + 1);
      const found = await insisting(() => client.operatorScan({ rail, from, count, reason })).catch((error: unknown) => {
        process.stderr.write(`${rail} was scanned up to the index ${from - 1}. To go on: --from ${from}\n`);
        throw error;
      });
      used.push(...found.used);
      last = Math.max(last, ...found.used.map(({ index }) => index));
      if (!isJson && (from - first) % REPORT_EACH === 0 && from > first) print(`${from} …`);
    }
    if (isJson) return show({ used });
    table(used.map(rowOf), 'None of our own addresses was ever used.');
    const sums = sumsOf(used);
    print(
      `last used index: ${last < first ? 'none' : last}; known to the books before: ${used.filter((one) => !one.new).length} of ${used.length}`,
    );
    if (sums > 0)
      print('What lies there shows as a difference within two minutes: npm run desk -- reserves, then difference and clear.');
  },
};

const rowOf = ({ index, change, address, holds, new: isNew }: Used[number]): object => ({
  address: `${change ? 'change' : 'receiving'} ${index}`,
  at: address,
  holds: holds.map(({ amount, currency }) => `${amount} ${currency}`).join(', ') || 'nothing',
  books: isNew ? 'taken now' : 'known',
});

/** Number of addresses that hold money. */
const sumsOf = (used: Used): number => used.filter(({ holds }) => holds.length > 0).length;

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`“${text}” is no whole number.`);
  return Number.parseInt(text, 10);
}
