// Signatures of the product's promises, which anybody can verify later, by Ed25519 (RFC 8032).

import { type KeyObject, createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { namesOf, secret } from './secrets.ts';

export interface Signatures {
  /** Id of the key that makes new signatures. */
  readonly newest: string;
  /** Public keys, oldest first: the id, and base64url of the key's 32 bytes. */
  readonly publicKeys: readonly { readonly id: string; readonly key: string }[];
  /**
   * Returns the signature of bytes as base64url; undefined for an unknown key. The same bytes and key always give the same
   * signature.
   */
  sign(bytes: Uint8Array, keyId: string): string | undefined;
}

/** Bytes that precede a private key's 32 bytes in PKCS #8 (RFC 8410, 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Returns functions that sign with the keys of a purpose in `KURS_DATA/keys`. Older keys remain when a new key is created, so
 * that their signatures can be verified, and made again.
 */
export function openSignatures(dataFolder: string, purpose: string): Signatures {
  const versions = namesOf(dataFolder).flatMap((file) => {
    const version = new RegExp(`^${purpose}-v(\\d+)\\.key$`).exec(file)?.[1];
    return version === undefined ? [] : [{ file, version: Number.parseInt(version, 10) }];
  });
  if (versions.length === 0) secret(dataFolder, `${purpose}-v1.key`);
  const sorted = versions.sort((a, b) => a.version - b.version);
  return signaturesFrom(sorted.map(({ file }) => Buffer.from(secret(dataFolder, file), 'hex')));
}

/** Returns functions that sign with the given private keys of 32 bytes, oldest first. Throws if the list is empty. */
export function signaturesFrom(seeds: readonly Buffer[]): Signatures {
  const keys = seeds.map((seed) => {
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    const raw = Buffer.from(createPublicKey(privateKey).export({ format: 'der', type: 'spki' })).subarray(-32);
    const id = createHash('sha256').update(raw).digest('base64url').slice(0, 16);
    return { id, key: raw.toString('base64url'), privateKey };
  });
  const newest = keys.at(-1);
  if (!newest) throw new Error('There is no key to sign with');
  const byId = new Map<string, KeyObject>(keys.map(({ id, privateKey }) => [id, privateKey]));
  return {
    newest: newest.id,
    publicKeys: keys.map(({ id, key }) => ({ id, key })),
    sign(bytes, keyId) {
      const privateKey = byId.get(keyId);
      return privateKey && sign(null, bytes, privateKey).toString('base64url');
    },
  };
}
