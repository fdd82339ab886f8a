import type { CallError } from '@kurs/contract/client';

/**
 * Why the coupon that a quote was asked with gives nothing, in the API's words; undefined where something else is wrong.
 * After too many wrong codes no code is looked at for a while.
 */
export const couponRefusal = ({ code, status, errors, message }: CallError): string | undefined =>
  code.startsWith('coupon') || status === 429 ? message : errors['coupon']?.[0];
