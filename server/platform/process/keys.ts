// Creates, rotates and fingerprints the keys of an installation, and checks that they belong to its database.

import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Statements } from '../db/db.ts';
import { KEY_KINDS, PUBLIC_KEYS, SINGLE_KEYS, makeSecret, nameOf, namesOf, secret } from '../secrets/secrets.ts';
import { newSeed } from './seed-words.ts';

export type KeyKind = 'server' | 'receipt';
/** File of the only key whose loss does no harm: it signs the robot check's proofs of work. */
const HARMLESS = 'bot.key';

const versionOf = (name: string): { kind: string; version: number } | undefined => {
  const [, kind, version] = /^([a-z]+)-v(\d+)\.key$/.exec(name) ?? [];
  return kind && version && KEY_KINDS.includes(kind) ? { kind, version: Number.parseInt(version, 10) } : undefined;
};

/** Returns the names of required keys that are missing in the folder. */
export function missingKeys(dataFolder: string): string[] {
  const names = namesOf(dataFolder);
  const kinds = KEY_KINDS.filter((kind) => !names.some((name) => versionOf(name)?.kind === kind));
  return [...SINGLE_KEYS.filter((name) => !names.includes(name)), ...kinds.map((kind) => `${kind}-v1.key`)];
}

/** Creates the missing keys of a new installation. `seed` returns the words from which the keys of wallets are derived. */
export function makeKeys(dataFolder: string, seed = newSeed): void {
  for (const name of missingKeys(dataFolder)) {
    if (name === 'seed') makeSecret(dataFolder, name, seed);
    else makeSecret(dataFolder, name);
  }
}

/** Creates the next version of a key, and returns its file name. Older versions remain. */
export function rotateKey(dataFolder: string, kind: KeyKind): string {
  const versions = namesOf(dataFolder).flatMap((name) => {
    const found = versionOf(name);
    return found?.kind === kind ? [found.version] : [];
  });
  const name = `${kind}-v${Math.max(0, ...versions) + 1}.key`;
  makeSecret(dataFolder, name);
  return name;
}

/**
 * Returns true if these keys may have been used with a database. Such a database contains data that was sealed or signed with
 * the keys.
 */
export function haveServed(dataFolder: string): boolean {
  const [seal, journal] = ['books.seal', 'signed.jsonl'].map((name) => join(dataFolder, 'keys', name)) as [string, string];
  return existsSync(seal) || (existsSync(journal) && statSync(journal).size > 0);
}

/**
 * Returns the fingerprints of a folder's keys, by file name. A fingerprint reveals nothing about its key, which has 256 random
 * bits.
 */
export function fingerprintsOf(dataFolder: string): Map<string, string> {
  const names = namesOf(dataFolder).filter((name) => SINGLE_KEYS.includes(name) || name === PUBLIC_KEYS || versionOf(name));
  return new Map(names.map((name) => [name, fingerprintOf(name, secret(dataFolder, name))]));
}

/** Returns those of `keys` whose file name or kind is in `named`. A kind selects all versions of its key. */
export const onlyKeys = (keys: ReadonlyMap<string, string>, named: readonly string[]): Map<string, string> =>
  new Map([...keys].filter(([name]) => named.includes(versionOf(name)?.kind ?? name)));

/**
 * Returns an environment in which only those keys are left that `named` selects (by file name or kind). All other variables
 * stay.
 */
export function onlyKeysIn<E extends Readonly<Record<string, string | undefined>>>(environment: E, named: readonly string[]): E {
  const isNamed = (variable: string): boolean => {
    if (!variable.startsWith('KURS_KEY_')) return true;
    const name = nameOf(variable);
    return name !== undefined && onlyKeys(new Map([[name, '']]), named).size > 0;
  };
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isNamed(name))) as E;
}

/** Returns the fingerprint of a key. `name`: its file name; `text`: its text. */
export const fingerprintOf = (name: string, text: string): string =>
  createHash('sha256').update(`${name}\n${text}`).digest('hex').slice(0, 32);

/** Result of comparing a folder's keys with the fingerprints in a database. */
export interface KeysChecked {
  /** True if the database has stored any fingerprints. */
  readonly isKnown: boolean;
  /** Faults that prevent a start, by the key's file name. */
  readonly faults: ReadonlyMap<string, string>;
  /** File names of keys that have changed without harm. */
  readonly harmless: readonly string[];
  /** Fingerprints that must still be stored in the database. */
  readonly news: ReadonlyMap<string, string>;
}

/**
 * Returns the fingerprints that a database has stored, by the key's file name; an empty map before the database's first
 * migration.
 */
export async function knownFingerprints(db: Statements): Promise<Map<string, string>> {
  const table = await db.row<{ is: boolean }>(`select to_regclass('key_fingerprint') is not null as is`);
  if (!table?.is) return new Map();
  const rows = await db.rows<{ name: string; fingerprint: string }>('select name, fingerprint from key_fingerprint');
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

/**
 * Compares the fingerprints of a folder's keys (`found`) with those that a database has stored (`known`). A database without
 * fingerprints accepts all keys. A newer version of a key is accepted if all older versions are present.
 */
export function checkKeys(found: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>): KeysChecked {
  const faults = new Map<string, string>();
  const harmless: string[] = [];
  const news = new Map<string, string>();
  for (const [name, fingerprint] of known) {
    const here = found.get(name);
    if (here === fingerprint || isMadeAnew(name, found)) continue;
    if (name === HARMLESS) harmless.push(name);
    else faults.set(name, here === undefined ? 'is missing' : 'differs');
  }
  for (const [name, fingerprint] of found) {
    if (known.get(name) === fingerprint || faults.has(name)) continue;
    if (known.size > 0 && isOlder(name, known)) faults.set(name, 'is unknown');
    else news.set(name, fingerprint);
  }
  return { isKnown: known.size > 0, faults, harmless, news };
}

/** True for the public keys if the seed is present, since the signer derives them from the seed at each start. */
const isMadeAnew = (name: string, found: ReadonlyMap<string, string>): boolean => name === PUBLIC_KEYS && found.has('seed');

/** Returns true if the database knows a newer version of the same key. */
function isOlder(name: string, known: ReadonlyMap<string, string>): boolean {
  const mine = versionOf(name);
  return [...known.keys()].some((other) => {
    const theirs = versionOf(other);
    return mine !== undefined && theirs?.kind === mine.kind && theirs.version > mine.version;
  });
}

/** Stores fingerprints of keys in a database. */
export async function learnKeys(db: Statements, news: ReadonlyMap<string, string>): Promise<void> {
  await db.run(
    `insert into key_fingerprint (name, fingerprint, at) select name, fingerprint, clock_now()
     from unnest($1::text[], $2::text[]) as given (name, fingerprint)
     on conflict (name) do update set fingerprint = excluded.fingerprint, at = excluded.at where key_fingerprint.name = any ($3)`,
    [[...news.keys()], [...news.values()], [HARMLESS, PUBLIC_KEYS]],
  );
}
