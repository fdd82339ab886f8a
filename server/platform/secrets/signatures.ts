// What we promise, signed so that anybody can prove it later: Ed25519 (RFC 8032).

import { type KeyObject, createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { namesOf, secret } from './secrets.ts';

export interface Signatures {
  /** The key that new signatures are made with. */
  readonly newest: string;
  /** Every key, oldest first: its id, and base64url of its 32 bytes. */
  readonly publicKeys: readonly { readonly id: string; readonly key: string }[];
  /** base64url of the signature of these bytes; the same bytes and key give the same one. Undefined for a key that is gone. */
  sign(bytes: Uint8Array, keyId: string): string | undefined;
}

/** A private key's 32 bytes in PKCS #8 (RFC 8410, 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The keys in `KURS_DATA/keys` of a purpose, oldest first. The older stay when a new one is made, so that what they signed can
 * be proven and signed again as it was.
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

/** The same over private keys of 32 bytes, oldest first. Throws without any. */
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
