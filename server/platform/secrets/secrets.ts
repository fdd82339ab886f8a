// Secrets: files in KURS_DATA/keys (folder 0700, files 0600) or, if there is no file, environment variables (KURS_KEY_…).
// Secrets are created only for a new installation (keys.ts), since new keys can't decrypt existing data.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, keyInEnvironment, keyVariable, keyVariables } from '../base/config.ts';

/** Returns a secret's text. Throws a `ConfigError` with instructions if the secret is missing. */
export function secret(dataFolder: string, name: string): string {
  const found = read(dataFolder, name);
  if (found === undefined)
    throw new ConfigError(`There is no key ${name} in ${join(dataFolder, 'keys')}: restore the folder from its backup`);
  return found;
}

/**
 * Returns a secret's text. If the secret is missing, creates it by `make`: by default 32 random bytes in hexadecimal. Concurrent
 * processes get the same secret. A crash never leaves a partial file.
 */
export function makeSecret(dataFolder: string, name: string, make = (): string => randomBytes(32).toString('hex')): string {
  const folder = join(dataFolder, 'keys');
  const path = join(folder, name);
  const found = read(dataFolder, name);
  if (found !== undefined) return found;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}

/** Throws a `ConfigError` with instructions if other users may read or write a file with a secret. */
export function requirePrivate(path: string): void {
  if ((statSync(path).mode & 0o077) !== 0)
    throw new ConfigError(`${path} can be read by others: chmod 600 it, and ask who read it`);
}

function fileText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function read(dataFolder: string, name: string): string | undefined {
  const given = keyInEnvironment(name);
  const path = join(dataFolder, 'keys', name);
  const stored = fileText(path);
  if (stored !== undefined && given !== undefined && stored !== given)
    throw new ConfigError(`${path} and ${keyVariable(name)} are two different keys: remove the wrong one. Nothing was changed.`);
  return stored ?? given;
}

/** Returns the server's keys by version, oldest first. */
export const serverKeys = (dataFolder: string): Map<number, Buffer> => keysOf(dataFolder, 'server');

/** Returns the keys of the books' MACs by version, oldest first. */
export const booksKeys = (dataFolder: string): Map<number, Buffer> => keysOf(dataFolder, 'books');

/** Returns the file names of all keys, including keys in environment variables. */
export const namesOf = (dataFolder: string): string[] => {
  const folder = join(dataFolder, 'keys');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const variables = new Set(keyVariables());
  for (const name of files) variables.delete(keyVariable(name));
  return [...files, ...[...variables].flatMap((name) => nameOf(name) ?? [])].sort();
};

/**
 * File names of keys without versions. `KEY_KINDS` has the kinds of keys with versions. Environment variables may hold both.
 */
export const SINGLE_KEYS = [
  'seed',
  'references.key',
  'bot.key',
  'postgres.password',
  'database.password',
  'signer-database.password',
];
export const KEY_KINDS = ['server', 'receipt', 'books'];
/** Name of the file with the public keys, which are derived from the seed. */
export const PUBLIC_KEYS = 'public.json';

/** Returns the file name of the key that an environment variable may hold; undefined if the variable is not for a key. */
export function nameOf(variable: string): string | undefined {
  const [, kind = '', version] = /^KURS_KEY_([A-Z]+)_V(\d+)$/.exec(variable) ?? [];
  if (version !== undefined && KEY_KINDS.includes(kind.toLowerCase())) return `${kind.toLowerCase()}-v${version}.key`;
  return [...SINGLE_KEYS, PUBLIC_KEYS].find((name) => keyVariable(name) === variable);
}

function keysOf(dataFolder: string, name: 'server' | 'books'): Map<number, Buffer> {
  const keys = new Map<number, Buffer>();
  for (const file of namesOf(dataFolder)) {
    const version = new RegExp(`^${name}-v(\\d+)\\.key$`).exec(file)?.[1];
    if (version) keys.set(Number.parseInt(version, 10), Buffer.from(secret(dataFolder, file), 'hex'));
  }
  if (keys.size === 0) secret(dataFolder, `${name}-v1.key`);
  return new Map([...keys].sort(([a], [b]) => a - b));
}

export type Tokens = {
  /**
   * Version of the key that makes new tokens. Store the version in the token's row, so that the same token can be made again.
   */
  readonly keyVersion: number;
  /**
   * Returns a token: base64url of HMAC-SHA256(server key, kind ‖ id ‖ version). Tokens are not stored; the same arguments give
   * the same token.
   */
  make(kind: string, id: string, version: number, keyVersion?: number): string;
  /**
   * Returns true if `token` is the token for these arguments under any key. The duration of the check reveals nothing about the
   * right token.
   */
  check(token: string, kind: string, id: string, version: number): boolean;
};

/** Returns the functions that make and check tokens of orders, calculations and devices, with the server's keys. */
export function openTokens(keys: ReadonlyMap<number, Buffer>): Tokens {
  const newest = Math.max(...keys.keys());
  // Key objects are created once, not for each token.
  const ready = new Map([...keys].map(([keyVersion, key]) => [keyVersion, createSecretKey(key)]));
  const make: Tokens['make'] = (kind, id, version, keyVersion = newest) => {
    const key = ready.get(keyVersion);
    if (!key) throw new Error(`there is no server key v${keyVersion}`);
    return createHmac('sha256', key)
      .update(JSON.stringify([kind, id, version]))
      .digest('base64url');
  };
  return {
    keyVersion: newest,
    make,
    check(token, kind, id, version) {
      const given = Buffer.from(token);
      let matches = false;
      for (const keyVersion of keys.keys()) {
        const expected = Buffer.from(make(kind, id, version, keyVersion));
        matches = (given.length === expected.length && timingSafeEqual(given, expected)) || matches;
      }
      return matches;
    },
  };
}

export type Sealer = {
  /**
   * Encrypts bytes. The result begins with the version of the key. `row`: identity of the row that stores the result; the
   * identity is authenticated, too.
   */
  seal(plain: Uint8Array, row: readonly string[]): Buffer;
  /** Decrypts bytes. Throws `Unopened` if the bytes were changed or belong to another row, or if their key is missing. */
  open(sealed: Uint8Array, row: readonly string[]): Buffer;
};

/** Thrown by `Sealer.open` if the sealed bytes were changed or belong to another row, or if their key is missing. */
export class Unopened extends Error {
  override readonly name = 'Unopened';
}

const bytesOf = (row: readonly string[]): Buffer => Buffer.from(JSON.stringify(row));

/** Length of the authentication tag, in bytes. A shorter tag is refused, since it could be guessed. */
const TAG_BYTES = 16;

/**
 * Returns functions that encrypt and decrypt data that only processes of the product may read: AES-256-GCM (NIST SP 800-38D)
 * under keys derived for `purpose`. Sealed data is bound to its row: copied to another row, it can't be opened.
 */
export function openSealer(keys: ReadonlyMap<number, Buffer>, purpose: string): Sealer {
  const derived = new Map(
    [...keys].map(([version, key]) => [version, Buffer.from(hkdfSync('sha256', key, '', `kurs ${purpose}`, 32))]),
  );
  const newest = Math.max(...derived.keys());
  return {
    seal(plain, row) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derived.get(newest)!, nonce).setAAD(bytesOf(row));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(newest), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, row) {
      const key = derived.get(sealed[0] ?? 0);
      if (!key) throw new Unopened(`there is no server key v${sealed[0]}`);
      if (sealed.length < 13 + TAG_BYTES) throw new Unopened('a sealed text is too short');
      const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13), { authTagLength: TAG_BYTES })
        .setAuthTag(sealed.subarray(13, 13 + TAG_BYTES))
        .setAAD(bytesOf(row));
      try {
        return Buffer.concat([cipher.update(sealed.subarray(13 + TAG_BYTES)), cipher.final()]);
      } catch (cause) {
        throw new Unopened('a sealed text was changed, or stands in another row', { cause });
      }
    },
  };
}
