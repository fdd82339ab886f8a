import { closed as closedEn, statuses as statusesEn } from '@kurs/contract/words/en-US.json';
import { closed as closedRu, statuses as statusesRu } from '@kurs/contract/words/ru-RU.json';
import type { Locale } from '../ui/base/locale.ts';

// The browser needs only these two lists of the contract's texts. The server renders all others.
const STATUSES = { en: statusesEn, ru: statusesRu };
const CLOSED: Record<Locale, Readonly<Record<string, string>>> = { en: closedEn, ru: closedRu };

export type OrderStatus = keyof typeof statusesEn;

/** Returns the word for an order's status. */
export const statusWord = (status: OrderStatus, locale: Locale): string => STATUSES[locale][status];

/** Returns the words for the reason why a direction is closed. */
export const closedWords = (reason: string | undefined, locale: Locale): string | undefined =>
  reason === undefined ? undefined : CLOSED[locale][reason];
