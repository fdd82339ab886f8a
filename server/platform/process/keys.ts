// The keys of an installation: which there are, what each is known by, and whether a database was begun with these.

import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Statements } from '../db/db.ts';
import { KEY_KINDS, PUBLIC_KEYS, SINGLE_KEYS, makeSecret, nameOf, namesOf, secret } from '../secrets/secrets.ts';
import { newSeed } from './seed-words.ts';

export type KeyKind = 'server' | 'receipt';
/** It only asks visitors for proofs of work: another one costs nobody anything. */
const HARMLESS = 'bot.key';

const versionOf = (name: string): { kind: string; version: number } | undefined => {
  const [, kind, version] = /^([a-z]+)-v(\d+)\.key$/.exec(name) ?? [];
  return kind && version && KEY_KINDS.includes(kind) ? { kind, version: Number.parseInt(version, 10) } : undefined;
};

/** Which of the keys that every installation has are not in its folder. */
export function missingKeys(dataFolder: string): string[] {
  const names = namesOf(dataFolder);
  const kinds = KEY_KINDS.filter((kind) => !names.some((name) => versionOf(name)?.kind === kind));
  return [...SINGLE_KEYS.filter((name) => !names.includes(name)), ...kinds.map((kind) => `${kind}-v1.key`)];
}

/** Makes the keys that a new installation lacks; `seed` gives the words that the keys of coins are derived from. */
export function makeKeys(dataFolder: string, seed = newSeed): void {
  for (const name of missingKeys(dataFolder)) {
    if (name === 'seed') makeSecret(dataFolder, name, seed);
    else makeSecret(dataFolder, name);
  }
}

/** Makes the next version of a key, beside the older ones; gives its name. */
export function rotateKey(dataFolder: string, kind: KeyKind): string {
  const versions = namesOf(dataFolder).flatMap((name) => {
    const found = versionOf(name);
    return found?.kind === kind ? [found.version] : [];
  });
  const name = `${kind}-v${Math.max(0, ...versions) + 1}.key`;
  makeSecret(dataFolder, name);
  return name;
}

/** Have these keys served a database? Then something was sealed or signed with them. */
export function haveServed(dataFolder: string): boolean {
  const [seal, journal] = ['books.seal', 'signed.jsonl'].map((name) => join(dataFolder, 'keys', name)) as [string, string];
  return existsSync(seal) || (existsSync(journal) && statSync(journal).size > 0);
}

/** What the keys of a folder are known by, by their files' names. It tells nothing of a key: each has 256 random bits. */
export function fingerprintsOf(dataFolder: string): Map<string, string> {
  const names = namesOf(dataFolder).filter((name) => SINGLE_KEYS.includes(name) || name === PUBLIC_KEYS || versionOf(name));
  return new Map(names.map((name) => [name, fingerprintOf(name, secret(dataFolder, name))]));
}

/** Of keys by their names those that are named, and every version of a kind that is. */
export const onlyKeys = (keys: ReadonlyMap<string, string>, named: readonly string[]): Map<string, string> =>
  new Map([...keys].filter(([name]) => named.includes(versionOf(name)?.kind ?? name)));

/** An environment without the keys in it, but for those that are named, or versions of a kind that is. */
export function onlyKeysIn<E extends Readonly<Record<string, string | undefined>>>(environment: E, named: readonly string[]): E {
  const kept = (variable: string): boolean => {
    if (!variable.startsWith('KURS_KEY_')) return true;
    const name = nameOf(variable);
    return name !== undefined && onlyKeys(new Map([[name, '']]), named).size > 0;
  };
  return Object.fromEntries(Object.entries(environment).filter(([name]) => kept(name))) as E;
}

/** What a key is known by: `name` is that of its file, `text` the key itself. */
export const fingerprintOf = (name: string, text: string): string =>
  createHash('sha256').update(`${name}\n${text}`).digest('hex').slice(0, 32);

/** What is to be said of the keys of a folder over a database. */
export interface KeysJudged {
  /** Does the database know any keys yet? */
  readonly isKnown: boolean;
  /** What keeps it from being served, in words by the keys' names. */
  readonly faults: ReadonlyMap<string, string>;
  /** Another key than before that costs nobody anything. */
  readonly harmless: readonly string[];
  /** Fingerprints that the database is to know from now on. */
  readonly news: ReadonlyMap<string, string>;
}

/** The fingerprints that a database knows, by the keys' names; none where it was never migrated so far. */
export async function knownFingerprints(db: Statements): Promise<Map<string, string>> {
  const table = await db.row<{ is: boolean }>(`select to_regclass('key_fingerprint') is not null as is`);
  if (!table?.is) return new Map();
  const rows = await db.rows<{ name: string; fingerprint: string }>('select name, fingerprint from key_fingerprint');
  return new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}

/**
 * Compares the keys of a folder with those that a database was begun with. One that knows none takes what it finds. A newer
 * version of a key beside all older ones is a rotation.
 */
export function judgeKeys(found: ReadonlyMap<string, string>, known: ReadonlyMap<string, string>): KeysJudged {
  const faults = new Map<string, string>();
  const harmless: string[] = [];
  const news = new Map<string, string>();
  for (const [name, fingerprint] of known) {
    const here = found.get(name);
    if (here === fingerprint || isMadeAnew(name, found)) continue;
    if (name === HARMLESS) harmless.push(name);
    else faults.set(name, here === undefined ? 'is missing' : 'is another one');
  }
  for (const [name, fingerprint] of found) {
    if (known.get(name) === fingerprint || faults.has(name)) continue;
    if (known.size > 0 && isOlder(name, known)) faults.set(name, 'is unknown');
    else news.set(name, fingerprint);
  }
  return { isKnown: known.size > 0, faults, harmless, news };
}

/** The signer makes the public keys of its seed at each start. */
const isMadeAnew = (name: string, found: ReadonlyMap<string, string>): boolean => name === PUBLIC_KEYS && found.has('seed');

/** Is it a version below one that is known? */
function isOlder(name: string, known: ReadonlyMap<string, string>): boolean {
  const mine = versionOf(name);
  return [...known.keys()].some((other) => {
    const theirs = versionOf(other);
    return mine !== undefined && theirs?.kind === mine.kind && theirs.version > mine.version;
  });
}

/** Writes down what keys are known by from now on. */
export async function learnKeys(db: Statements, news: ReadonlyMap<string, string>): Promise<void> {
  await db.run(
    `insert into key_fingerprint (name, fingerprint, at) select name, fingerprint, clock_now()
     from unnest($1::text[], $2::text[]) as given (name, fingerprint)
     on conflict (name) do update set fingerprint = excluded.fingerprint, at = excluded.at where key_fingerprint.name = any ($3)`,
    [[...news.keys()], [...news.values()], [HARMLESS, PUBLIC_KEYS]],
  );
}
