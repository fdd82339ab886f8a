import { REFERENCE } from '@kurs/contract/reference';

/**
 * Returns the reference of the affiliate whose link the visitor followed, from the site's cookie
 * (`server/routing/entry-link.ts`). Returns undefined if there is none.
 */
export function storedReference(): string | undefined {
  const stored = /(?:^|; )kurs_ref=([^;]*)/.exec(document.cookie)?.[1];
  // `decodeURIComponent` throws for an invalid encoding, so a cookie with an invalid encoding is ignored. References contain
  // ASCII only.
  const reference = stored === undefined || /%(?![2-7][\dA-F])/.test(stored) ? '' : decodeURIComponent(stored);
  return REFERENCE.test(reference) ? reference : undefined;
}

/** Returns the affiliate's reference as a field for calls that may open an account. */
export function referral(): { referral_code?: string } {
  const reference = storedReference();
  return reference === undefined ? {} : { referral_code: reference };
}
