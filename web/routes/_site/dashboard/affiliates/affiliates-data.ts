import { data } from 'react-router';
import type { Output, Routes } from '@kurs/contract';
import { hasWordmark } from '../../../../server/document/brand.ts';
import { isCallError } from '../../../../server/document/failure.ts';
import { type Qr, qrOf } from '../../../../server/document/qr.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import { linkOf } from './links.ts';

type Campaigns = Output<Routes['affiliateCampaigns']>;
export type Campaign = Campaigns['campaigns'][number];
export type Statistics = Output<Routes['affiliateStatistics']>;

/** What an affiliate's links are, and what they brought. */
export interface AffiliatesData {
  /** Where we are reached. */
  readonly url: string;
  readonly code: string;
  /** The campaign whose link is shown; empty: none. */
  readonly campaign: string;
  readonly qr: Qr;
  readonly campaigns: readonly Campaign[];
  readonly mostSplit: number;
  readonly statistics: Statistics;
  /** The desk's name can be drawn, so that there are banners. */
  readonly banners: boolean;
}

/** What keeping a campaign came to: words per field where it was refused. */
export interface CampaignAnswer {
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly message?: string;
}

/** Loads the page of affiliates; `campaign` of the query says whose link it shows. */
export async function loadAffiliates({ client, config, url: asking }: Visit): Promise<AffiliatesData> {
  const [{ referral_code: code }, { campaigns, most_split: mostSplit }, statistics] = await Promise.all([
    client.userInfo({}),
    client.affiliateCampaigns({}),
    client.affiliateStatistics({}),
  ]);
  const asked = asking.searchParams.get('campaign');
  const campaign = campaigns.find(({ name }) => name === asked)?.name ?? '';
  const qr = qrOf(linkOf(config.url, code, campaign));
  return { url: config.url, code, campaign, qr, campaigns, mostSplit, statistics, banners: hasWordmark(config) };
}

/** Keeps a campaign. */
export async function keepCampaign({ client }: Visit, form: URLSearchParams): Promise<unknown> {
  const [name, postback] = [form.get('name') ?? '', form.get('postback')?.trim() ?? ''];
  const values = Object.fromEntries(form);
  try {
    const split = Number.parseInt(form.get('split') ?? '0', 10);
    await client.affiliateCampaign({ name, split, ...(postback !== '' && { postback }) });
    return { name, values: {} } satisfies CampaignAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    const answer: CampaignAnswer = { name, values, errors: error.errors, message: error.message };
    return data(answer, { status: error.status });
  }
}
