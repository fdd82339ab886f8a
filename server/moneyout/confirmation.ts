import { createHash } from 'node:crypto';

/**
 * Returns a short hash of an action's fields, in order. A mailed code is bound to it, so a code for one amount or address is
 * invalid for any other. Clients pass the hash to `/user/email/get-otp` as `about`.
 */
export function confirmationOf(fields: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 32);
}
