// The desk tool's commands for payments to invoices that wait for a person.

import type { Input, Routes } from '@kurs/contract';
import { moment } from '../desk-print.ts';
import type { Usage } from '../desk-usage.ts';
import type { SupportTool } from './desk-support.ts';

type Action = Input<Routes['operatorHeldPayment']>['action'];

export const HELD_HELP: readonly Usage[] = [
  ['held', 'payments to invoices whose sender a person must check'],
  [
    'held ID release|refuse --reason "…"',
    'let a payment count for its invoice · refuse it: its payer gets it back, by the order that this opens',
  ],
  ['held ID freeze --reason "…"', 'freeze a payment by law: two people; `unfreeze` and `surrender` then take its order'],
  ['held ID ask_papers|papers_came --reason "…"', 'request papers of its payer · record that they came'],
];

/** Commands by their names. */
export const HELD: Readonly<Record<string, (tool: SupportTool, args: readonly string[]) => Promise<void>>> = {
  async held({ client, flags, isJson, table, need, key, show }, [id, action]) {
    if (id !== undefined) {
      const decision = { id, action: need(action, 'the action') as Action, reason: need(flags.reason, '--reason') };
      return show(await client.operatorHeldPayment(decision, key));
    }
    const found = await client.operatorHeldPayments({});
    const rows = found.map(({ amount, counts, from, back_to: to, since, until, papers = '', email = '', ...row }) => ({
      ...{ ...row, email, papers, amount: `${amount.amount} ${amount.currency}`, counts: `${counts.amount} ${counts.currency}` },
      ...{ from: from.join(' '), 'back to': to ? Object.values(to).join(' ') : 'its payer names it' },
      ...{ since: moment(since), until: moment(until) },
    }));
    table(isJson ? found : rows, 'No payment to an invoice waits for a person.');
  },
};
