import en from '../../content/reversible/en-US.json';
import ru from '../../content/reversible/ru-RU.json';
import type { Currency } from '../../features/currency.ts';
import { filledWords } from '../../server/document/page-words.ts';
import type { SiteLocale } from '../../site.ts';
import { type Rules, paramsOf } from './solutions/solution-words.ts';

const WORDS = { en, ru } satisfies Record<string, typeof en>;

/** Texts about payments that their payer can take back, filled in with the desk's rules. */
export type ReversibleWords = typeof en & { readonly level: number };

/**
 * Returns the texts about payments in a currency that its payers can take back: requirements, limits and clearing period. Returns
 * undefined if payments in the currency are final.
 */
export function reversibleWords(rules: Rules, { code, name }: Currency, locale: SiteLocale): ReversibleWords | undefined {
  const { currencies, level } = rules.reversible;
  if (!currencies.includes(code) || level === 0) return undefined;
  return { ...filledWords(WORDS[locale], locale, { ...paramsOf(rules, locale), name }), level };
}
