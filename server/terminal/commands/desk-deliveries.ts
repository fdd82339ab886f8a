// The desk tool's commands for deliveries: letters and webhooks.

import { moment } from '../desk-print.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const DELIVERIES_HELP: readonly Usage[] = [
  [
    'deliveries [--to EMAIL] [--by mail|alarms] [--state waiting|taken|given_up|missed] [--page N | --after NEXT]',
    'letters and webhooks, sent or waiting, with the last answers',
  ],
  ['delivery ID', 'all attempts of a delivery'],
  ['replay ID --reason "…"', 'deliver it again, under the same id'],
];

/** Commands by their names. */
export const DELIVERIES: Readonly<Record<string, (tool: SupportTool, args: readonly string[]) => Promise<void>>> = {
  async deliveries({ client, flags, isJson, print, table }) {
    const [state] = flags.state ?? [];
    const filter = {
      ...(flags.to !== undefined && { to: flags.to }),
      ...(flags.by !== undefined && { owner: flags.by }),
      ...(state !== undefined && { state: state as 'waiting' }),
      ...(flags.page !== undefined && { page: flags.page }),
      ...(flags.after !== undefined && { after: flags.after }),
    };
    const { data, meta } = await client.operatorDeliveries(filter);
    table(isJson ? data : data.map(({ at, next, ...row }) => ({ at: moment(at), ...row, ...(next && { next: moment(next) }) })));
    if (meta.next !== undefined && !isJson) print(`next page: --after ${meta.next}`);
  },
  async delivery({ client, isJson, need, table }, [id]) {
    const attempts = await client.operatorDelivery({ id: need(id, 'the delivery') });
    table(isJson ? attempts : attempts.map(({ at, ...row }) => ({ at: moment(at), ...row })), 'It was not attempted yet.');
  },
  async replay({ client, flags, key, need, show }, [id]) {
    show(await client.operatorReplay({ id: need(id, 'the delivery'), reason: need(flags.reason, '--reason') }, key));
  },
};
