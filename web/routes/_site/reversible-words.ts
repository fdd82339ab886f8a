import en from '../../content/reversible/en-US.json';
import ru from '../../content/reversible/ru-RU.json';
import type { Currency } from '../../features/currency.ts';
import { filledWords } from '../../server/document/page-words.ts';
import type { SiteLocale } from '../../site.ts';
import { type Rules, paramsOf } from './solutions/solution-words.ts';

const WORDS = { en, ru } satisfies Record<string, typeof en>;

/** What is said where somebody pays in money that they can take back, filled in with the desk's own rules. */
export type ReversibleWords = typeof en & { readonly level: number };

/** What paying in a currency takes, how much of it there may be and how long its payout waits; undefined where it is final. */
export function reversibleWords(rules: Rules, { code, name }: Currency, locale: SiteLocale): ReversibleWords | undefined {
  const { currencies, level } = rules.reversible;
  if (!currencies.includes(code) || level === 0) return undefined;
  return { ...filledWords(WORDS[locale], locale, { ...paramsOf(rules, locale), name }), level };
}
