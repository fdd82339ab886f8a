// Stored forms of secrets that grant access, such as session tokens. The form is an HMAC under a key that the database doesn't
// have. Somebody who inserts a row for a secret that they know gets no access.
//
// HMAC-SHA256 (RFC 2104). Each kind of secret has its own keys, derived by HKDF (RFC 5869) from every version of the server's
// key. The newest key makes stored forms; look-ups try all keys.

import { type KeyObject, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { type Sealer, openSealer } from './secrets.ts';

/** Kind of a secret. The stored form of one kind is invalid for another kind. */
export type SecretKind =
  | 'one-time code'
  | 'session'
  | 'API key'
  | 'recovery code'
  | 'used recovery code'
  | 'desk key'
  | 'desk session'
  | 'download ticket'
  | 'discount button';

let given: ReadonlyMap<number, Buffer> = new Map();
const derived = new Map<SecretKind, readonly KeyObject[]>();
const sealers = new Map<string, Sealer>();

/** Sets the server's keys for this process, by version. Call it at the start. Returns the previous keys. */
export function configureSecretHashes(keys: ReadonlyMap<number, Buffer>): ReadonlyMap<number, Buffer> {
  const before = given;
  given = keys;
  derived.clear();
  sealers.clear();
  return before;
}

function keysOf(kind: SecretKind): readonly KeyObject[] {
  let keys = derived.get(kind);
  if (!keys) {
    keys = [...given]
      .sort(([one], [other]) => other - one)
      .map(([, key]) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `kurs secret ${kind}`, 32))));
    derived.set(kind, keys);
  }
  if (keys.length === 0) throw new Error('This process has no keys for secrets: configureSecretHashes was not called');
  return keys;
}

const make = (key: KeyObject, parts: readonly string[]): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest();

/** Returns the form in which a new secret is stored. `parts`: the secret, and everything that it is bound to. */
export const secretHash = (kind: SecretKind, ...parts: readonly string[]): Buffer => make(keysOf(kind)[0]!, parts);

/** Returns all forms in which a secret may be stored, one for each version of the key, the newest first. For look-ups. */
export const secretHashes = (kind: SecretKind, ...parts: readonly string[]): Buffer[] =>
  keysOf(kind).map((key) => make(key, parts));

/**
 * Returns the sealer (`openSealer`) for a purpose, with the keys that `configureSecretHashes` has set. Throws if no keys were
 * set.
 */
export function sealerOf(purpose: 'letters'): Sealer {
  if (given.size === 0) throw new Error('This process has no keys for secrets: configureSecretHashes was not called');
  const sealer = sealers.get(purpose) ?? openSealer(given, purpose);
  sealers.set(purpose, sealer);
  return sealer;
}
