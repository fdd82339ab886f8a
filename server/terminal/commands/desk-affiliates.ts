// The desk tool's commands for affiliates: cases of abuse, terms, postbacks.

import { moment } from '../desk-print.ts';
import { caseRow } from '../desk-rows.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const AFFILIATES_HELP: readonly Usage[] = [
  ['abuse', 'rewards that wait for a decision, and why: customer and affiliate share a key such as a device'],
  ['abuse-pay ID --reason "…"', 'pay the reward'],
  ['abuse-refuse ID --reason "…"', 'refuse the reward'],
  [
    'affiliate EMAIL [--share P] [--split-most P] [--alias NAME] [--suspend | --resume] --reason "…"',
    'set an affiliate’s own share, the part of it for friends, or an alias; suspend or resume rewards. Paying more takes two people',
  ],
  ['postbacks', 'campaigns whose postbacks fail or were switched off, with the last answers'],
  [
    'postback-on EMAIL CAMPAIGN [--missed] --reason "…"',
    'switch a campaign’s postbacks on; --missed also sends those of the meantime',
  ],
];

type Command = (tool: SupportTool, args: readonly string[]) => Promise<void>;

const decide =
  (decision: 'pay' | 'refuse'): Command =>
  async ({ client, flags, need, key, show }, args) =>
    show(
      await client.operatorAbuseDecide({ id: need(args[0], 'the id'), decision, reason: need(flags.reason, '--reason') }, key),
    );

/** Commands by their names. */
export const AFFILIATES: Readonly<Record<string, Command>> = {
  async abuse({ client, isJson, table }) {
    const found = await client.operatorAbuse({});
    table(isJson ? found : found.map(caseRow));
  },
  'abuse-pay': decide('pay'),
  'abuse-refuse': decide('refuse'),
  async postbacks({ client, isJson, table }) {
    const found = await client.operatorPostbacks({});
    const rows = found.map(({ since, ...row }) => ({ ...row, ...(since && { since: moment(since) }) }));
    table(isJson ? found : rows, 'All postbacks are taken.');
  },
  async 'postback-on'({ client, flags, need, key, show }, [email, campaign]) {
    const of = { email: need(email, 'the address'), campaign: need(campaign, 'the campaign') };
    show(await client.operatorPostbackOn({ ...of, missed: flags.missed ?? false, reason: need(flags.reason, '--reason') }, key));
  },
  async affiliate({ client, flags, need, key, show }, args) {
    const [share, max] = [flags.share, flags['split-most']].map((text) => (text === undefined ? undefined : Number(text)));
    const suspend = flags.suspend ? true : flags.resume ? false : undefined;
    show(
      await client.operatorAffiliate(
        {
          email: need(args[0], 'the address'),
          ...(share !== undefined && { share }),
          ...(max !== undefined && { split_most: max }),
          ...(suspend !== undefined && { suspend }),
          ...(flags.alias !== undefined && { alias: flags.alias }),
          reason: need(flags.reason, '--reason'),
        },
        key,
      ),
    );
  },
};
