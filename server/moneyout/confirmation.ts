import { createHash } from 'node:crypto';

/**
 * What a mailed code confirms: this very action, to the letter. Takes what the action consists of, in order; gives a short name
 * of that, which `/user/email/get-otp` takes as `about`. A code for one sum or address is no good for another.
 */
export function confirmationOf(fields: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 32);
}
