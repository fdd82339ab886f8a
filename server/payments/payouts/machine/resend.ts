import type { Proof } from '../../../rails/rail.ts';

/** Share of a provider's dedupe window that we rely on. */
const DEDUPE_SHARE = 0.8;

/**
 * Returns for how many minutes after it was stored a send with this proof may go out again: while its provider surely recognises
 * the reference. Null: at any time while it isn't there, since it can happen only once.
 */
export const resendMinutes = ({ lookUp, dedupeMinutes }: Proof): number | null =>
  lookUp === 'presence and absence' ? null : dedupeMinutes * DEDUPE_SHARE;
