import { closed as closedEn, statuses as statusesEn } from '@kurs/contract/words/en-US.json';
import { closed as closedRu, statuses as statusesRu } from '@kurs/contract/words/ru-RU.json';
import type { Locale } from '../ui/base/locale.ts';

// Only these two of the contract's words come into the browser; the rest is said by the server.
const STATUSES = { en: statusesEn, ru: statusesRu };
const CLOSED: Record<Locale, Readonly<Record<string, string>>> = { en: closedEn, ru: closedRu };

export type OrderStatus = keyof typeof statusesEn;

/** The word for where an order stands. */
export const statusWord = (status: OrderStatus, locale: Locale): string => STATUSES[locale][status];

/** Why a direction is closed. */
export const closedWords = (reason: string | undefined, locale: Locale): string | undefined =>
  reason === undefined ? undefined : CLOSED[locale][reason];
