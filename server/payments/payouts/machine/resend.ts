import type { Proof } from '../../../rails/rail.ts';

/** The share of a dedupe window that we rely on. */
const DEDUPE_SHARE = 0.8;

/**
 * For so many minutes after it was stored a send of this proof may go out again: as long as its provider surely knows the
 * reference. Null: whenever it isn't there, since it can happen only once.
 */
export const resendMinutes = ({ lookUp, dedupeMinutes }: Proof): number | null =>
  lookUp === 'presence and absence' ? null : dedupeMinutes * DEDUPE_SHARE;
