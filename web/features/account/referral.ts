import { REFERENCE } from '@kurs/contract/reference';

/**
 * Returns the reference of the affiliate whose link led here, from the site's cookie (`server/routing/entry-link.ts`); undefined
 * if there is none.
 */
export function storedReference(): string | undefined {
  const stored = /(?:^|; )kurs_ref=([^;]*)/.exec(document.cookie)?.[1];
  // A cookie that is no reference may be invalid as an encoded text.
  const reference = stored === undefined || /%(?![2-7][\dA-F])/.test(stored) ? '' : decodeURIComponent(stored);
  return REFERENCE.test(reference) ? reference : undefined;
}

/** Returns the reference as a field of calls that may open an account. */
export function referral(): { referral_code?: string } {
  const reference = storedReference();
  return reference === undefined ? {} : { referral_code: reference };
}
