// The desk tool's part of debts.

import type { SupportTool } from './desk-support.ts';

export const DEBTS_HELP = `  debts                                       what is owed after payments were taken back, and by whom`;

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** The commands by their names. */
export const DEBTS: Readonly<Record<string, Command>> = {
  async debts({ client, isJson, table }) {
    const found = await client.operatorDebts({});
    table(isJson ? found : found.map(({ owed, known_by: by, ...row }) => ({ ...row, owed: `${owed.amount} ${owed.currency}`, 'known by': by.join(' ') }))); // prettier-ignore
  },
};
