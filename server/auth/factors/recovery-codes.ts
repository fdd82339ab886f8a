// Recovery codes, with which holders who have lost their authenticator sign in.

import { randomBytes } from 'node:crypto';
import { base32crockford } from '@scure/base';
import { secretHash, secretHashes } from '../../platform/index.ts';

const CODES = 10;
const BYTES = 10;

/** Returns ten new codes of 80 random bits each, like `7K3M-Q2ZD-9XAV-0TJB`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const text = base32crockford.encode(randomBytes(BYTES));
    return (text.match(/.{4}/g) as string[]).join('-');
  });
}

/** True if the text has the form of a recovery code. */
export const looksLikeRecovery = (typed: string): boolean => bare(typed).length === 16;

/** The possible hashes of a recovery code. */
export interface RecoveryHashes {
  /** Hashes under which the code is stored while it is unused, one for each version of the server's key. */
  readonly good: readonly Buffer[];
  /**
   * Hashes under which the code is stored after use. These hashes differ from `good`, so clearing `used_at` by SQL doesn't make
   * the code valid again.
   */
  readonly used: readonly Buffer[];
}

/** Returns the hash under which a new recovery code of an account is stored. */
export const hashOfRecovery = (ownerId: string, code: string): Buffer => secretHash('recovery code', ownerId, bare(code));

/**
 * Returns the possible hashes of an entered recovery code. Accepts small letters, missing dashes, O for 0, and I or L for 1.
 */
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
