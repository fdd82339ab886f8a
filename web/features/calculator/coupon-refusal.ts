import type { CallError } from '@kurs/contract/client';

/**
 * Returns the API's reason for refusing the coupon of a quote; undefined if the call failed for another reason. After too many
 * wrong codes the API checks no coupon for a while (429).
 */
export const couponRefusal = ({ code, status, errors, message }: CallError): string | undefined =>
  code.startsWith('coupon') || status === 429 ? message : errors['coupon']?.[0];
