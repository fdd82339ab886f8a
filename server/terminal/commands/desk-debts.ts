// The desk tool's commands for debts, and for payments that were silently taken back.

import { readFile } from 'node:fs/promises';
import type { Client } from '@kurs/contract/client';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const DEBTS_HELP: readonly Usage[] = [
  ['payins TX|ID|KX-…', 'payments by transaction or id, or those of an order'],
  [
    'take-back ID --evidence FILE --reason "…" [--amount N]',
    'take back a payment that its payment system silently took back, or that never arrived: two people',
  ],
  ['restore ID --evidence FILE --reason "…"', 'undo take-back and let the payment system decide again: two people'],
  ['debts', 'debts after payments were taken back, and their debtors'],
  ['repay KX-… --order KX-… --reason "…"', 'settle an order’s debt from another payment (--order): two people'],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const DEBTS: Readonly<Record<string, Command>> = {
  async payins({ client, isJson, table, need }, args) {
    const found = await client.operatorPayins({ q: need(args[0], 'the transaction, the payment’s id or the order’s number') });
    table(
      isJson
        ? found
        : found.map(({ amount, taken, from, ...row }) => ({
            ...row,
            amount: `${amount.amount} ${amount.currency}`,
            taken: taken.amount,
            from: from.join(' '),
          })),
    );
  },
  'take-back': async (tool, args) =>
    tool.show(await tool.client.operatorPayin(await payinInput(tool, 'take_back', args), tool.key)),
  restore: async (tool, args) => tool.show(await tool.client.operatorPayin(await payinInput(tool, 'restore', args), tool.key)),
  async repay(tool, args) {
    const input = {
      debt: tool.need(args[0], 'the order'),
      from: tool.need(tool.flags.order, '--order'),
      reason: tool.need(tool.flags.reason, '--reason'),
    };
    tool.show(await tool.client.operatorRepay(input, tool.key));
  },
  async debts({ client, isJson, table }) {
    const found = await client.operatorDebts({});
    table(
      isJson
        ? found
        : found.map(({ owed, known_by: by, ...row }) => ({
            ...row,
            owed: `${owed.amount} ${owed.currency}`,
            'known by': by.join(' '),
          })),
    );
  },
};

async function payinInput(
  { need, flags }: SupportTool,
  action: 'take_back' | 'restore',
  args: readonly string[],
): Promise<Parameters<Client['operatorPayin']>[0]> {
  const evidence = await readFile(need(flags.evidence, '--evidence'), 'utf8');
  const amount = flags.amount === undefined ? {} : { amount: flags.amount };
  return { id: need(args[0], 'the payment'), action, ...amount, evidence, reason: need(flags.reason, '--reason') };
}
