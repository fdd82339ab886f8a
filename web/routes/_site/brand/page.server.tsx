import { structuredOf } from '../../../features/blocks/structured.ts';
import { hasWordmark } from '../../../server/document/brand.ts';
import { shownCurrencies } from '../../../server/document/currencies.ts';
import type { Head } from '../../../server/document/document.ts';
import { filled } from '../../../server/document/page-words.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { BRAND_WORDS } from './brand-words.ts';
import { Guidelines } from './guidelines.tsx';

/** What the browser knows of the page: nothing but its name. */
export interface BrandData {
  readonly head: Head;
}

/** The brand's page: its words with the desk's own name, and a coin for each currency that there is. */
export async function load(visit: Visit): Promise<BrandData> {
  const { locale, config, client } = visit;
  const words = BRAND_WORDS[locale];
  const { name } = config;
  const currencies = shownCurrencies(await client.currencies({}));
  const head: Head = {
    title: words.head.title,
    description: filled(words.head.description, locale, { name }),
    jsonLd: structuredOf(visit, words.title, []),
  };
  givePartsTo(head, {
    guidelines: <Guidelines view={{ locale, words, name, currencies, named: hasWordmark(config) }} />,
  });
  return { head };
}
