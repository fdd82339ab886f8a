// The desk tool's commands for money that is credited to nobody: coin that a contract handed on, and payments without an order.

import { readFile } from 'node:fs/promises';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const ARRIVALS_HELP: readonly Usage[] = [
  ['arrivals', 'coin at our addresses that is credited to nobody: a contract handed it on'],
  [
    'unallocated CUR AMOUNT --email ADDRESS --txid TX [--account ADDRESS] --reason "…"',
    'assign unexplained money without an order to a customer; --account: where to send it back. Two people; then act on it as on an order',
  ],
  [
    'book-arrival PLACE --txid TX --amount N --evidence FILE --reason "…"',
    'name the transaction that handed the coin on: two people',
  ],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const ARRIVALS: Readonly<Record<string, Command>> = {
  async arrivals({ client, isJson, table }) {
    const found = await client.operatorArrivals({});
    table(isJson ? found : found.map(({ amount, ...row }) => ({ ...row, amount: `${amount.amount} ${amount.currency}` })));
  },
  async 'book-arrival'({ client, flags, need, key, show }, args) {
    const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
    const [txid, amount] = [need(flags.txid, '--txid'), need(flags.amount, '--amount')];
    const request = { place: need(args[0], 'the place'), txid, amount, evidence, reason: need(flags.reason, '--reason') };
    show(await client.operatorArrival(request, key));
  },
  async unallocated({ client, flags, need, key, show }, args) {
    const [currency, amount] = [need(args[0], 'the currency'), need(args[1], 'the amount')];
    const account = flags.account === undefined ? {} : { account: { address: flags.account } };
    const of = { email: need(flags.email, '--email'), txid: need(flags.txid, '--txid'), ...account };
    show(await client.operatorUnallocated({ currency, amount, ...of, reason: need(flags.reason, '--reason') }, key));
  },
};
