// The desk tool's part of coin that a contract handed on.

import { readFile } from 'node:fs/promises';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from './desk-usage.ts';

export const ARRIVALS_HELP: readonly Usage[] = [
  ['arrivals', 'coin at places of ours that nobody is credited with: a contract handed it on'],
  ['book-arrival PLACE --txid TX --amount N --evidence FILE --reason "…"', 'which transaction it was: two people'],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** The commands by their names. */
export const ARRIVALS: Readonly<Record<string, Command>> = {
  async arrivals({ client, isJson, table }) {
    const found = await client.operatorArrivals({});
    table(isJson ? found : found.map(({ amount, ...row }) => ({ ...row, amount: `${amount.amount} ${amount.currency}` })));
  },
  async 'book-arrival'({ client, flags, need, key, show }, args) {
    const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
    const [txid, amount] = [need(flags.txid, '--txid'), need(flags.amount, '--amount')];
    const asked = { place: need(args[0], 'the place'), txid, amount, evidence, reason: need(flags.reason, '--reason') };
    show(await client.operatorArrival(asked, key));
  },
};
