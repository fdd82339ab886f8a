import type { Locale } from './words.ts';

/** Paths of the site that a provider sends a payer's browser back to. Such pages only read. */
export interface ReturnPages {
  readonly success: string;
  readonly fail: string;
}

/** The pages after a payment for what bears this number: an order, a deposit. */
export function returnPages(number: string, locale: Locale): ReturnPages {
  const page = (outcome: 'success' | 'fail'): string =>
    `/${locale === 'ru' ? 'Ru' : 'En'}/payment/${outcome}?id=${encodeURIComponent(number)}`;
  return { success: page('success'), fail: page('fail') };
}
