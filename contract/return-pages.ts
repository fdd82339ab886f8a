import { sitePath } from './site-path.ts';
import type { Locale } from './words.ts';

/**
 * Paths on the site to which a provider returns the payer's browser. Opening such a page changes nothing: the provider's webhook
 * or a poll reports the payment.
 */
export interface ReturnPages {
  readonly success: string;
  readonly fail: string;
}

/** Returns the pages after a payment for the order or deposit with this number. */
export function returnPages(number: string, locale: Locale): ReturnPages {
  const page = (outcome: 'success' | 'fail'): string => sitePath(locale, `payment/${outcome}?id=${encodeURIComponent(number)}`);
  return { success: page('success'), fail: page('fail') };
}
