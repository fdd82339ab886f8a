import { createHash } from 'node:crypto';

/**
 * Returns a short hash of an action, for which a mailed code is valid. Takes the action's fields in order. `/user/email/get-otp`
 * takes the hash as `about`. A code for one sum or address is invalid for any other.
 */
export function confirmationOf(fields: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 32);
}
