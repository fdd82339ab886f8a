// The desk tool's commands for alarms.

import { moment } from '../desk-print.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const ALARMS_HELP: readonly Usage[] = [
  ['alarms [--all]', 'open alarms, since when, and what to do; --all: also earlier messages'],
];

/** Commands by their names. */
export const ALARMS: Readonly<Record<string, (tool: SupportTool) => Promise<void>>> = {
  async alarms({ client, flags, isJson, show, table }) {
    const { open, reported } = await client.operatorAlarms({ all: flags.all ? '1' : '0' });
    if (isJson) return show({ open, reported });
    table(
      open.map(({ alarm, words, to_do: toDo, since, last_told: last }) => ({
        alarm,
        since: moment(since),
        'told last': moment(last),
        'what is the matter': words,
        'what to do': toDo,
      })),
    );
    if (flags.all) table(reported.map(({ at, notice, alarm, words }) => ({ at: moment(at), reported: notice, alarm, words })));
  },
};
