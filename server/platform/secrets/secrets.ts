// Secrets: files under KURS_DATA/keys (folder 0700, files 0600), or variables of the environment (KURS_KEY_…) where no file is.
// They are made for a new installation only (keys.ts): over books that were begun with others they would open nothing.

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

/** Reads a secret's text. Throws with instructions if it is missing. */
export function secret(dataFolder: string, name: string): string {
  const found = read(dataFolder, name);
  if (found === undefined)
    throw new ConfigError(`There is no key ${name} in ${join(dataFolder, 'keys')}: restore the folder from its backup`);
  return found;
}

/**
 * Reads a secret's text, or makes it by `make` when it is missing: 32 random bytes. Two processes at once get the same one,
 * and a crash leaves none or a whole one.
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

/** Throws ConfigError, with what to do, where others may read or write a file that holds a secret. */
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
  const kept = fileText(path);
  if (kept !== undefined && given !== undefined && kept !== given)
    throw new ConfigError(`${path} and ${keyVariable(name)} are two keys: take the wrong one away. Nothing was changed.`);
  return kept ?? given;
}

/** The server's keys by version, oldest first. */
export const serverKeys = (dataFolder: string): Map<number, Buffer> => keysOf(dataFolder, 'server');

/** The keys of the books' MACs by version, oldest first. */
export const booksKeys = (dataFolder: string): Map<number, Buffer> => keysOf(dataFolder, 'books');

/** The keys of the folder and of the environment; empty without a folder. */
export const namesOf = (dataFolder: string): string[] => {
  const folder = join(dataFolder, 'keys');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const variables = new Set(keyVariables());
  for (const name of files) variables.delete(keyVariable(name));
  return [...files, ...[...variables].flatMap((name) => nameOf(name) ?? [])].sort();
};

/** Keys of which there is one each, and kinds of which there are versions: what a variable may hold. */
export const SINGLE_KEYS = [
  'seed',
  'references.key',
  'bot.key',
  'postgres.password',
  'database.password',
  'signer-database.password',
];
export const KEY_KINDS = ['server', 'receipt', 'books'];
/** What may be known of the seed: made of it. */
export const PUBLIC_KEYS = 'public.json';

/** The key that a variable holds, by the name of its file; undefined for none of ours. */
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
  /** Version of the key that new tokens are made with; store it beside the row, so that its token can be made again. */
  readonly keyVersion: number;
  /** base64url of HMAC-SHA256(server key, kind ‖ id ‖ version): nothing is stored, the same call gives the same token. */
  make(kind: string, id: string, version: number, keyVersion?: number): string;
  /** Is it the token of that row, by any of our keys? Takes the same time whatever is wrong. */
  check(token: string, kind: string, id: string, version: number): boolean;
};

/** The tokens of orders and calculations over the server's keys. */
export function openTokens(keys: ReadonlyMap<number, Buffer>): Tokens {
  const newest = Math.max(...keys.keys());
  // A key in memory is made ready for the hash once, and not for each token.
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
   * Encrypts; the result begins with the version of the key. `row`: the identity of the row that stores the result, which is
   * authenticated with it.
   */
  seal(plain: Uint8Array, row: readonly string[]): Buffer;
  /** Decrypts; throws `Unopened` if the text was changed, stands in another row, or its key is gone. */
  open(sealed: Uint8Array, row: readonly string[]): Buffer;
};

/** What `open` throws for a text that was changed, stands in another row, or whose key is gone. */
export class Unopened extends Error {
  override readonly name = 'Unopened';
}

const bytesOf = (row: readonly string[]): Buffer => Buffer.from(JSON.stringify(row));

/** Length of a tag. A shorter one is refused, since it could be guessed. */
const TAG_BYTES = 16;

/**
 * Seals what only our own processes may read again: AES-256-GCM (NIST SP 800-38D) under keys derived for `purpose`. A text is
 * bound to its row: copied to another one it doesn't open.
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
