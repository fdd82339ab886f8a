import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { replaceFile, requirePrivate, secret } from '../platform/index.ts';
import type { PublicKeys } from '../rails/index.ts';

/** Returns the folder of the keys below KURS_DATA. */
export function keysFolder(data: string): string {
  return join(data, 'keys');
}

/**
 * Returns the seed (BIP 39's 64 bytes) of the words in `keys/seed`. Throws if others may read the file, or if its words fail
 * their check.
 */
export function loadSeed(data: string): Uint8Array {
  const words = secret(data, 'seed');
  const path = join(keysFolder(data), 'seed');
  mkdirSync(keysFolder(data), { recursive: true, mode: 0o700 });
  chmodSync(keysFolder(data), 0o700);
  // The environment may hold it.
  if (existsSync(path)) requirePrivate(path);
  if (!validateMnemonic(words, wordlist)) throw new Error(`${path} holds no valid BIP 39 words`);
  return mnemonicToSeedSync(words);
}

/** Writes the public keys, completely or not at all. */
export function publishKeys(data: string, keys: PublicKeys): void {
  replaceFile(join(keysFolder(data), 'public.json'), `${JSON.stringify(keys, null, 2)}\n`);
}

/** Reads the published public keys: API and worker see nothing else of the keys. */
export function readPublicKeys(data: string): PublicKeys {
  return JSON.parse(secret(data, 'public.json')) as PublicKeys;
}
