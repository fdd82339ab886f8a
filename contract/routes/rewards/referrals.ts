// An affiliate's campaigns and their statistics.

import { z } from 'zod';
import { line } from '../../fields/free-text.ts';
import { route } from '../../route.ts';
import { day, inOrder, time } from '../../wire.ts';

const own = { allows: 'user', tag: 'Affiliates' } as const;

/** Schema of a campaign's name, which follows a dot in links. */
export const campaignName = z.string().regex(/^[a-z0-9_-]{1,32}$/, { error: 'campaign_format' });

/** A URL without credentials, spaces and invisible characters. */
const PLAIN_URL = /^[a-z]+:\/\/[^\s\p{C}/?#@]+(?:[/?#][^\s\p{C}]*)?$/iu;

/** True if a postback's address has no placeholders except `{campaign}` and `{sub}`, and none in its host. */
const isFillable = (url: string): boolean =>
  !/^[^/]*\/\/[^/?#]*(?:[{}]|%7b|%7d)/i.test(url) && !/[{}]|%7b[^%/?#&=]*%7d/i.test(url.replaceAll(/\{(?:campaign|sub)\}/g, ''));

const counts = {
  /** Devices that opened a link, each counted once per day and campaign. */
  clicks: z.int(),
  sign_ups: z.int(),
  /** Number of completed orders, minus reversed ones. */
  orders: z.int(),
  /** The desk's profit from the counted orders, in USDT; rewards are a share of this profit. */
  profit: z.string(),
  reward: z.string(),
};

/** Delivery status of a campaign's postbacks. */
export const postbackState = z
  .object({
    state: z.enum(['on', 'failing', 'off']).meta({
      description: '`failing`: none was accepted since `since` · `off`: none has been sent since then, until it is switched on',
    }),
    since: time.optional(),
    reason: z.enum(['gone', 'failing']).optional().meta({
      description: 'Why it is off: the address answered 410, or accepted none for five days',
    }),
    /** HTTP status of the last answer; absent if there was none. */
    status: z.int().optional(),
    /** Beginning of the last answer's text, or the reason why there was no answer. */
    said: z.string().optional(),
    /** Number of postbacks that were due while the address was off, and have not been sent since. */
    missed: z.int(),
  })
  .meta({ id: 'PostbackState' });

const campaign = z
  .object({
    name: line(),
    split: z.int().meta({ description: 'Percent of the affiliate’s share that friends get as a discount' }),
    postback: z.string().optional(),
    /** True if the campaign can be changed now, which is possible once a day. */
    changeable: z.boolean(),
    postback_state: postbackState.optional(),
  })
  .meta({ id: 'Campaign' });

export const affiliateCampaigns = route({
  ...own,
  method: 'GET',
  path: '/affiliate/campaigns',
  summary: 'The caller’s campaigns by name, and the maximum discount for friends',
  input: z.object({}),
  output: z.object({ campaigns: z.array(campaign), most_split: z.int() }),
  problems: [],
});

export const affiliateCampaign = route({
  ...own,
  method: 'POST',
  path: '/affiliate/campaign',
  summary:
    'Make a campaign, or change its discount for friends and its postback address, once a day (UTC). Links name it after the code: `?ref=CODE.name`',
  input: z.object({
    name: campaignName,
    split: z
      .int({ error: 'wrong_value' })
      .min(0, { error: 'wrong_value' })
      .max(100, { error: 'wrong_value' })
      .multipleOf(10, { error: 'wrong_value' })
      .default(0)
      .meta({ description: 'Percent of the affiliate’s share, in tens' }),
    postback: z
      .url({ protocol: /^https?$/, error: 'url_format' })
      .regex(PLAIN_URL, { error: 'url_format' })
      .max(1_000, { error: 'too_long' })
      .refine(isFillable, { error: 'postback_marks' })
      .optional()
      .meta({
        description:
          'Address for posting `referral.order`; `{campaign}` and `{sub}` in its path and query are filled in. Any other placeholder is refused',
      }),
  }),
  output: campaign.extend({
    secret: z.string().optional().meta({
      description: 'Secret that signs postbacks (Standard Webhooks); shown once, when their address is set or changed',
    }),
  }),
  problems: ['campaign_taken'],
});

export const affiliateCampaignOn = route({
  ...own,
  method: 'POST',
  path: '/affiliate/campaign/switch-on',
  summary:
    'Switch the postbacks of a campaign on; waiting ones are sent at once. Saving the campaign with the same address does the same',
  input: z.object({
    name: campaignName,
    missed: z.boolean().default(false).meta({ description: 'Also send those of the time while they were off' }),
  }),
  output: campaign,
  problems: ['not_found'],
});

const statisticsRequested = {
  from: day.optional(),
  to: day.optional(),
  campaign: z
    .union([z.literal(''), campaignName], { error: 'campaign_format' })
    .optional()
    .meta({
      description: 'One campaign only; empty for links without a campaign',
    }),
};

export const affiliateStatistics = route({
  ...own,
  method: 'GET',
  path: '/affiliate/statistics',
  summary:
    'Statistics of the caller’s links by day (UTC) and campaign, newest first: the last 30 days, or at most 92 between `from` and `to`',
  input: z.object(statisticsRequested).refine(...inOrder),
  output: z
    .object({
      from: z.iso.date(),
      to: z.iso.date(),
      total: z.object(counts),
      days: z.array(z.object({ day: z.iso.date(), campaign: z.string(), ...counts })),
    })
    .meta({ id: 'AffiliateStatistics' }),
  problems: [],
});

export const affiliateExportTicket = route({
  ...own,
  method: 'POST',
  path: '/export/affiliate-statistics/ticket',
  summary: 'A one-use link, valid for 60 s, that downloads the caller’s statistics: for a browser, whose links carry no session',
  input: z
    .object({ ...statisticsRequested, format: z.enum(['csv', 'xlsx'], { error: 'wrong_value' }).default('csv') })
    .refine(...inOrder),
  output: z.object({ url: z.string(), expires_in: z.int() }),
  problems: [],
});
