import { REFERENCE } from '@kurs/contract/reference';

/** Whose link led here, by the cookie that the site keeps of it (`server/routing/entry-link.ts`); undefined for nobody's. */
export function storedReference(): string | undefined {
  const kept = /(?:^|; )kurs_ref=([^;]*)/.exec(document.cookie)?.[1];
  // What is no reference may be no text either.
  const reference = kept === undefined || /%(?![2-7][\dA-F])/.test(kept) ? '' : decodeURIComponent(kept);
  return REFERENCE.test(reference) ? reference : undefined;
}

/** The same as it goes along where an account may be opened. */
export function referral(): { referral_code?: string } {
  const reference = storedReference();
  return reference === undefined ? {} : { referral_code: reference };
}
