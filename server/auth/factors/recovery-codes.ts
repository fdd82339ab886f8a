// Recovery codes: what gets somebody in whose authenticator is lost.

import { createHash, randomBytes } from 'node:crypto';
import { base32crockford } from '@scure/base';

const CODES = 10;
const BYTES = 10;

/** Ten new codes of 80 random bits each, like `7K3M-Q2ZD-9XAV-0TJB`, so that a plain hash of them can be kept. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const text = base32crockford.encode(randomBytes(BYTES));
    return (text.match(/.{4}/g) as string[]).join('-');
  });
}

/** Whether a text has the form of one. */
export const looksLikeRecovery = (typed: string): boolean => bare(typed).length === 16;

/** What is kept of one. It is the same however it was typed: in small letters, without dashes, O for 0, I or L for 1. */
export function hashOfRecovery(holderId: string, typed: string): Buffer {
  return createHash('sha256')
    .update(`recovery ${holderId} ${bare(typed)}`)
    .digest();
}

const bare = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
