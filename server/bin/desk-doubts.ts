// The desk tool's part of sends that nobody can tell of.

import { readFile } from 'node:fs/promises';
import type { Client } from '@kurs/contract/client';

export const DOUBTS_HELP = `  doubts                                      sends of which nobody can tell whether they happened, and whose they are
  sent ID --evidence FILE --reason "…"        it was sent, by the payment system's own statement: two people
  not-sent ID --evidence FILE --reason "…"    it was not: it never goes out again, its money goes back: two people`;

/** What a command of these needs of the tool. */
export interface DoubtsTool {
  readonly client: Client;
  readonly evidence: string | undefined;
  readonly key: { readonly idempotencyKey: string };
  readonly isJson: boolean;
  readonly table: (rows: readonly object[]) => void;
  readonly show: (answer: unknown) => void;
  readonly need: (value: string | undefined, what: string) => string;
  readonly reason: () => string;
}

type Command = (tool: DoubtsTool, args: readonly string[]) => Promise<void>;

const decide =
  (act: 'sent' | 'not_sent'): Command =>
  async ({ client, evidence, key, show, need, reason }, [id]) => {
    const statement = await readFile(need(evidence, '--evidence'), 'utf8');
    show(await client.operatorDoubt({ id: need(id, 'the send'), act, evidence: statement, reason: reason() }, key));
  };

/** The commands by their names. */
export const DOUBTS: Readonly<Record<string, Command>> = {
  async doubts({ client, isJson, table }) {
    const found = await client.operatorDoubts({});
    table(isJson ? found : found.map(({ to, ...row }) => ({ ...row, to: Object.values(to).join(' ') })));
  },
  sent: decide('sent'),
  'not-sent': decide('not_sent'),
};
