import { structuredOf } from '../../../features/blocks/structured.ts';
import { hasWordmark } from '../../../server/document/brand.ts';
import { shownCurrencies } from '../../../server/document/currencies.ts';
import type { Head } from '../../../server/document/document.ts';
import { filled } from '../../../server/document/page-words.ts';
import { givePartsTo } from '../../../server/document/server-drawn-parts.ts';
import type { Visit } from '../../../server/routing/visit.ts';
import { BRAND_WORDS } from './brand-words.ts';
import { Guidelines } from './guidelines.tsx';

/** Data that the browser gets: the head only, since the server renders the whole page. */
export interface BrandData {
  readonly head: Head;
}

/** Loads the brand page: its texts with the desk's name, and the currencies whose coins it shows. */
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
    guidelines: <Guidelines view={{ locale, words, name, currencies, isNamed: hasWordmark(config) }} />,
  });
  return { head };
}
