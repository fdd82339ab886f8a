// The desk tool's commands for the brake: stopping and starting across all payment systems.

import { moment } from '../desk-print.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const STOPS_HELP: readonly Usage[] = [
  ['stops', 'what is stopped across all payment systems, by whom and since when'],
  [
    'stop orders|deposits|invoices|payouts|all --reason "…"',
    'accept no new orders or deposits, or hold payouts, at once; payments for existing ones are still credited',
  ],
  [
    'start orders|deposits|invoices|payouts|all [--code 123456] --reason "…"',
    'start again: two people; or within 15 minutes the person who stopped alone, with an authenticator’s code, if no alarm has opened since',
  ],
];

type Stops = Awaited<ReturnType<SupportTool['client']['operatorStops']>>;

const stopRow = ({ what, by, since, alone_until: until }: Stops[number]): object => ({
  stopped: what,
  by,
  since: moment(since),
  'taken back alone until': until === undefined ? 'two people' : moment(until),
});

const shown = ({ isJson, show, table }: SupportTool, answer: object, stopped: Stops): void => {
  if (isJson) return show(answer);
  const { status, request } = answer as { status?: string; request?: string };
  if (request !== undefined) show({ status, request });
  table(stopped.map(stopRow), 'Nothing is stopped.');
};

/** Commands by their names. */
export const STOPS: Readonly<Record<string, (tool: SupportTool, args: readonly string[]) => Promise<void>>> = {
  async stops(tool) {
    const stopped = await tool.client.operatorStops({});
    shown(tool, stopped, stopped);
  },
  async stop(tool, [what]) {
    const { client, flags, key, need } = tool;
    const answer = await client.operatorStop({ what: need(what, 'what'), reason: need(flags.reason, '--reason') }, key);
    shown(tool, answer, answer.stopped);
  },
  async start(tool, [what]) {
    const { client, flags, key, need } = tool;
    const code = flags.code === undefined ? {} : { code: flags.code };
    const answer = await client.operatorStart({ what: need(what, 'what'), ...code, reason: need(flags.reason, '--reason') }, key);
    shown(tool, answer, answer.stopped);
  },
};
