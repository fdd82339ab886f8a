// Stored forms of secrets that open something: an HMAC under a key that the database does not have. A row that somebody inserts
// for a secret of their own opens nothing.
//
// HMAC-SHA256 (RFC 2104) under a key for each kind, derived by HKDF (RFC 5869) from every version of the server's key. The newest
// version makes stored forms; all versions are tried at a look-up.

import { type KeyObject, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { type Sealer, openSealer } from './secrets.ts';

/** Kinds of secrets: the stored form of one kind is invalid for another. */
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

/** Sets the server's keys of this process by version, once at its start. Returns the keys that it had before. */
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

/** Returns the form in which a secret is stored from now on. `parts`: the secret, and what else it is bound to. */
export const secretHash = (kind: SecretKind, ...parts: readonly string[]): Buffer => make(keysOf(kind)[0]!, parts);

/** Returns every form in which a secret may be stored, the newest first, for looking it up. */
export const secretHashes = (kind: SecretKind, ...parts: readonly string[]): Buffer[] =>
  keysOf(kind).map((key) => make(key, parts));

/** Returns the sealer of a purpose under the same keys. Throws if this process was given none. */
export function sealerOf(purpose: 'letters'): Sealer {
  if (given.size === 0) throw new Error('This process has no keys for secrets: configureSecretHashes was not called');
  const sealer = sealers.get(purpose) ?? openSealer(given, purpose);
  sealers.set(purpose, sealer);
  return sealer;
}
