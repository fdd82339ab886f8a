import { data } from 'react-router';
import type { Output, Routes } from '@kurs/contract';
import { hasWordmark } from '../../../../server/document/brand.ts';
import { isCallError } from '../../../../server/document/failure.ts';
import { type Qr, qrOf } from '../../../../server/document/qr.ts';
import type { Visit } from '../../../../server/routing/visit.ts';
import { pageOf } from '../orders/rows.ts';
import { linkOf } from './links.ts';

type Campaigns = Output<Routes['affiliateCampaigns']>;
export type Campaign = Campaigns['campaigns'][number];
export type Statistics = Output<Routes['affiliateStatistics']>;
export type Terms = Output<Routes['affiliate']>;
export type Rewards = Output<Routes['affiliateRewards']>;

/** Data of the affiliate page: the affiliate's links and their results. */
export interface AffiliatesData {
  /** Public URL of the site. */
  readonly url: string;
  readonly code: string;
  /** Campaign whose link is shown; empty if the link has no campaign. */
  readonly campaign: string;
  /** Affiliate's note (`sub`) for the shown link, as typed; empty if there is none. */
  readonly sub: string;
  /** Reason why the shown link leaves the note out: it is too long, or has characters that are not allowed. */
  readonly subWrong?: 'long' | 'signs' | undefined;
  readonly qr: Qr;
  readonly campaigns: readonly Campaign[];
  readonly maxSplit: number;
  readonly statistics: Statistics;
  readonly terms: Terms;
  readonly rewards: Rewards;
  /** True if there are banners. They need the desk's name, which the font must be able to draw. */
  readonly hasBanners: boolean;
}

/**
 * Result of a form on the affiliate page. `of` names the form: storing a campaign, switching on its postbacks, or moving rewards
 * to the wallet.
 */
export interface AffiliatesAnswer {
  readonly of: 'campaign' | 'postback' | 'wallet';
  /**
   * Name of the campaign that was stored or whose postbacks were switched on. After rewards were moved to the wallet, the amount
   * moved. Empty after a refusal.
   */
  readonly name: string;
  /** Values that were typed into a refused form. */
  readonly values: Readonly<Record<string, string>>;
  /** New secret that signs the campaign's postbacks; shown only once. */
  readonly secret?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly message?: string;
}

/** Loads the affiliate page. In the query, `campaign` selects the shown link, and `page` the page of the list of rewards. */
export async function load({ client, config, url: asking }: Visit): Promise<AffiliatesData> {
  const [terms, { campaigns, most_split: maxSplit }, statistics, rewards] = await Promise.all([
    client.affiliate({}),
    client.affiliateCampaigns({}),
    client.affiliateStatistics({}),
    client.affiliateRewards({ page: pageOf(asking.searchParams), per_page: 20 }),
  ]);
  const { code } = terms;
  const request = asking.searchParams.get('campaign');
  const campaign = campaigns.find(({ name }) => name === request)?.name ?? '';
  const sub = asking.searchParams.get('sub')?.trim() ?? '';
  const subWrong = wrongIn(sub);
  const qr = qrOf(linkOf(config.url, code, campaign, subWrong ? '' : sub));
  const link = { url: config.url, code, campaign, sub, ...(subWrong && { subWrong }), qr };
  return { ...link, campaigns, maxSplit, statistics, terms, rewards, hasBanners: hasWordmark(config) };
}

/** Returns the reason why a note can't be part of a link; undefined if it can. */
function wrongIn(sub: string): AffiliatesData['subWrong'] {
  if (sub.length > 255) return 'long';
  return /[^\x21-\x7e]/.test(sub) ? 'signs' : undefined;
}

/**
 * Handles the forms of the affiliate page: stores a campaign, switches on its postbacks, moves rewards to the wallet, or switches
 * the monthly letter.
 */
export async function submit(visit: Visit, form: URLSearchParams): Promise<unknown> {
  const statements = form.get('statements');
  if (statements !== null) {
    await visit.client.affiliateLetters({ statements: statements === 'on' });
    return null;
  }
  const intent = form.get('intent');
  if (intent === 'postback') return switchOn(visit, form);
  return intent === 'wallet' ? moveToWallet(visit) : storeCampaign(visit, form);
}

async function switchOn({ client }: Visit, form: URLSearchParams): Promise<unknown> {
  return answered({ of: 'postback', values: {} }, async () => {
    const { name } = await client.affiliateCampaignOn({ name: form.get('name') ?? '', missed: form.get('missed') === '1' });
    return { name };
  });
}

async function moveToWallet({ client }: Visit): Promise<unknown> {
  return answered({ of: 'wallet', values: {} }, async () => {
    const { amount } = await client.affiliateToWallet({});
    return { name: amount };
  });
}

async function storeCampaign({ client }: Visit, form: URLSearchParams): Promise<unknown> {
  const [name, postback] = [form.get('name') ?? '', form.get('postback')?.trim() ?? ''];
  return answered({ of: 'campaign', values: Object.fromEntries(form) }, async () => {
    const split = Number.parseInt(form.get('split') ?? '0', 10);
    const { secret } = await client.affiliateCampaign({ name, split, ...(postback !== '' && { postback }) });
    return { name, ...(secret !== undefined && { secret }) };
  });
}

/** Runs a call of a form. Returns the result, or the refusal with the typed values, in the form that the page shows. */
async function answered(
  { of, values }: Pick<AffiliatesAnswer, 'of' | 'values'>,
  work: () => Promise<Pick<AffiliatesAnswer, 'name' | 'secret'>>,
): Promise<unknown> {
  try {
    return { of, values: {}, ...(await work()) } satisfies AffiliatesAnswer;
  } catch (error) {
    if (!isCallError(error) || error.status >= 500) throw error;
    const answer: AffiliatesAnswer = { of, name: '', values, errors: error.errors, message: error.message };
    return data(answer, { status: error.status });
  }
}
