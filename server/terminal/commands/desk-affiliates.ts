// The desk tool's commands for affiliates: cases of abuse, terms, postbacks.

import { moment } from '../desk-print.ts';
import { caseRow } from '../desk-rows.ts';
import type { SupportTool } from './desk-support.ts';
import type { Usage } from '../desk-usage.ts';

export const AFFILIATES_HELP: readonly Usage[] = [
  ['abuse', 'rewards that wait for people, and why: customer and affiliate are known by the same'],
  ['abuse-pay ID --reason "…"', 'give one all the same'],
  ['abuse-refuse ID --reason "…"', 'refuse one'],
  [
    'affiliate EMAIL [--share P] [--split-most P] [--alias NAME] [--suspend | --resume] --reason "…"',
    'a share of their own, what of it friends may get, no rewards while it is looked at; more takes two people',
  ],
  ['postbacks', 'campaigns whose postbacks fail or were switched off, and what their addresses answered'],
  [
    'postback-on EMAIL CAMPAIGN [--missed] --reason "…"',
    'switch the postbacks of a campaign on; --missed sends those that came up meanwhile, too',
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
    const [share, most] = [flags.share, flags['split-most']].map((text) => (text === undefined ? undefined : Number(text)));
    const suspend = flags.suspend ? true : flags.resume ? false : undefined;
    show(
      await client.operatorAffiliate(
        {
          email: need(args[0], 'the address'),
          ...(share !== undefined && { share }),
          ...(most !== undefined && { split_most: most }),
          ...(suspend !== undefined && { suspend }),
          ...(flags.alias !== undefined && { alias: flags.alias }),
          reason: need(flags.reason, '--reason'),
        },
        key,
      ),
    );
  },
};
