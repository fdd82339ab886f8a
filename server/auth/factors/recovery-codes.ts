// Recovery codes: what gets somebody in whose authenticator is lost.

import { randomBytes } from 'node:crypto';
import { base32crockford } from '@scure/base';
import { secretHash, secretHashes } from '../../platform/index.ts';

const CODES = 10;
const BYTES = 10;

/** Ten new codes of 80 random bits each, like `7K3M-Q2ZD-9XAV-0TJB`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const text = base32crockford.encode(randomBytes(BYTES));
    return (text.match(/.{4}/g) as string[]).join('-');
  });
}

/** Whether a text has the form of one. */
export const looksLikeRecovery = (typed: string): boolean => bare(typed).length === 16;

/** The stored forms of a recovery code. */
export interface RecoveryHashes {
  /** As it is stored while it is good, by every version of our key. */
  readonly good: readonly Buffer[];
  /** As it is stored once it was used: to call such a row unused makes it good for nothing. */
  readonly used: readonly Buffer[];
}

/** Returns the form in which a code of somebody is stored. */
export const hashOfRecovery = (ownerId: string, code: string): Buffer => secretHash('recovery code', ownerId, bare(code));

/** The forms of a code as it was typed: in small letters, without dashes, O for 0, I or L for 1. */
export const hashesOfRecovery = (ownerId: string, typed: string): RecoveryHashes => ({
  good: secretHashes('recovery code', ownerId, bare(typed)),
  used: secretHashes('used recovery code', ownerId, bare(typed)),
});

const bare = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
