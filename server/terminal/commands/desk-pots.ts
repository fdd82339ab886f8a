// The desk tool's commands for pots and prizes.

import { readFileSync } from 'node:fs';
import { UsageError } from '../command.ts';
import { potRow } from '../desk-rows.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const POTS_HELP: readonly Usage[] = [
  ['pots', 'money set aside for rewards, coupons and prizes'],
  [
    'pot affiliate|earn|late AMOUNT [--back] --reason "…"',
    'set free money aside (USDT), or take it back; above a limit per day two people',
  ],
  ['earn on|off --reason "…"', 'switch draws and paid tasks; initially off with real money'],
  ['earn-table FILE --reason "…"', 'replace the table of prizes (JSON: prize and weight of each row): two people'],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** Commands by their names. */
export const POTS: Readonly<Record<string, Command>> = {
  async pots({ client, isJson, table }) {
    const found = await client.operatorPots({});
    table(isJson ? found : found.map(potRow));
  },
  async pot({ client, flags, need, key, show }, args) {
    const pot = need(args[0], 'affiliate, earn or late') as 'late';
    const [amount, reason] = [need(args[1], 'the amount'), need(flags.reason, '--reason')];
    show(await client.operatorPot({ pot, amount, back: flags.back ?? false, reason }, key));
  },
  async earn(tool, [word]) {
    if (word !== 'on' && word !== 'off') throw new UsageError('earn on, or earn off');
    await put(tool, 'earn.on', String(word === 'on'));
  },
  async 'earn-table'(tool, [file]) {
    await put(tool, 'earn.table', readFileSync(tool.need(file, 'the file'), 'utf8'));
  },
};

/** Changes a setting of prizes. */
async function put({ client, flags, need, key: idempotency, show }: SupportTool, key: string, value: string): Promise<void> {
  const reason = need(flags.reason, '--reason');
  show(await client.operatorSettingChange({ key, value, apply: true, reason }, idempotency));
}
