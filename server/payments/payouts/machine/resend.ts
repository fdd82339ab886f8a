import type { Proof } from '../../../rails/rail.ts';

/** Share of a provider's dedupe window that we rely on. */
const DEDUPE_SHARE = 0.8;

/**
 * Returns the number of minutes after storing in which a provider's send may be repeated, because the provider certainly
 * recognises its reference. Returns null if look-ups can prove absence. Then the same bytes can happen only once, so they may be
 * sent again at any time.
 */
export const resendMinutes = ({ lookUp, dedupeMinutes }: Proof): number | null =>
  lookUp === 'presence and absence' ? null : dedupeMinutes * DEDUPE_SHARE;
