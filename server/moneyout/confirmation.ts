import { createHash } from 'node:crypto';

/**
 * What a mailed code confirms: this very action, to the letter. Takes its parts in their order; gives a short name of them that
 * `/user/email/get-otp` takes as `about`. A code for one sum or address is no good for another.
 */
export function confirmationOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
}
