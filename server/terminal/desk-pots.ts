// The desk tool's part of what is set aside for coupons, rewards and prizes.

import type { SupportTool } from './desk-support.ts';
import type { Usage } from './desk-usage.ts';

export const POTS_HELP: readonly Usage[] = [
  ['pots', 'what is set aside for rewards, coupons and prizes'],
  [
    'pot affiliate|earn|late AMOUNT [--back] --reason "…"',
    'set free money aside (USDT), or take it back; much of it in a day takes two people',
  ],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

/** The commands by their names. */
export const POTS: Readonly<Record<string, Command>> = {
  async pots({ client, table }) {
    table(await client.operatorPots({}));
  },
  async pot({ client, flags, need, key, show }, args) {
    const pot = need(args[0], 'affiliate, earn or late') as 'late';
    const [amount, reason] = [need(args[1], 'the amount'), need(flags.reason, '--reason')];
    show(await client.operatorPot({ pot, amount, back: flags.back ?? false, reason }, key));
  },
};
