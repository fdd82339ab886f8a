// The desk tool's commands for sends in doubt and sends found late.

import { readFile } from 'node:fs/promises';
import type { Client } from '@kurs/contract/client';
import type { Usage } from '../desk-usage.ts';

export const DOUBTS_HELP: readonly Usage[] = [
  ['doubts', 'sends that may or may not have happened, and their owners'],
  ['sent ID --evidence FILE --reason "…"', 'decide that it was sent, by the payment system’s statement: two people'],
  [
    'not-sent ID --evidence FILE --reason "…"',
    'decide that it was not sent: it never goes out again, and its money goes back. Two people',
  ],
  ['found-late', 'transfers found after they had counted as not sent: perhaps paid twice'],
  [
    'counts ID --evidence FILE --reason "…"',
    'count it as the payment: it settles an order’s next payout (approve, retry), which is not sent; a withdrawal is charged to its wallet. Two people',
  ],
  ['give-up ID --evidence FILE --reason "…"', 'write it off as a loss: it was paid twice and won’t come back. Two people'],
];

/** Parts of the tool that these commands use. */
export interface DoubtsTool {
  readonly client: Client;
  readonly evidence: string | undefined;
  readonly key: { readonly idempotencyKey: string };
  readonly isJson: boolean;
  readonly table: (rows: readonly object[], none?: string) => void;
  readonly show: (answer: unknown) => void;
  readonly need: (value: string | undefined, what: string) => string;
  readonly reason: () => string;
}

type Command = (tool: DoubtsTool, args: readonly string[]) => Promise<void>;

const decide =
  (action: 'sent' | 'not_sent'): Command =>
  async ({ client, evidence, key, show, need, reason }, [id]) => {
    const statement = await readFile(need(evidence, '--evidence'), 'utf8');
    show(await client.operatorDoubt({ id: need(id, 'the send'), action, evidence: statement, reason: reason() }, key));
  };

const settle =
  (action: 'counts' | 'write_off'): Command =>
  async ({ client, evidence, key, show, need, reason }, [id]) => {
    const statement = await readFile(need(evidence, '--evidence'), 'utf8');
    show(
      await client.operatorFoundLateAction(
        { id: need(id, 'what turned up'), action, evidence: statement, reason: reason() },
        key,
      ),
    );
  };

/** Commands by their names. */
export const DOUBTS: Readonly<Record<string, Command>> = {
  async doubts({ client, isJson, table }) {
    const found = await client.operatorDoubts({});
    table(isJson ? found : found.map(({ to, ...row }) => ({ ...row, to: Object.values(to).join(' ') })));
  },
  sent: decide('sent'),
  'not-sent': decide('not_sent'),
  'found-late': async ({ client, table }) => table(await client.operatorFoundLate({})),
  counts: settle('counts'),
  'give-up': settle('write_off'),
};
