// A machine that runs one process of the product (KURS_ROLE): the keys that it needs, and a database that another machine has
// begun. Here no key is created, and no fingerprint stored.

import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Config,
  ConfigError,
  type Db,
  fingerprintsOf,
  installedMode,
  checkKeys,
  knownFingerprints,
  migrate,
  missingMigrations,
  namesOf,
  onlyKeys,
} from '../platform/index.ts';
import { isStrong, on, passwordOf } from './database-roles.ts';
import { over, requireServable } from './older-version.ts';
import { RESTORE_MARK } from './restored.ts';

/** A process that may run alone on a machine. */
export type OneRole = Exclude<Config['KURS_ROLE'], 'all'>;

interface Needs {
  /** Names of keys, and kinds of which every version is needed. */
  readonly keys: readonly string[];
  /** Password of its database role, if the address has none. */
  readonly password: 'database.password' | 'signer-database.password';
  /** Files that move with the role to another machine, where they are written from then on. */
  readonly notes: readonly string[];
}

/** Files of `KURS_DATA/keys` that each process needs. */
export const NEEDS: Readonly<Record<OneRole, Needs>> = {
  api: {
    keys: ['server', 'receipt', 'books', 'references.key', 'bot.key', 'public.json'],
    password: 'database.password',
    notes: [RESTORE_MARK],
  },
  console: {
    keys: ['server', 'receipt', 'books', 'references.key', 'public.json'],
    password: 'database.password',
    notes: [RESTORE_MARK],
  },
  worker: {
    keys: ['server', 'books', 'references.key', 'public.json'],
    password: 'database.password',
    notes: ['books.seal', 'audit.seal', RESTORE_MARK],
  },
  signer: { keys: ['seed', 'books'], password: 'signer-database.password', notes: ['signed.jsonl'] },
};

/** Returns the keys that a child process of the supervisor needs, by its name. */
export const keysOf = (child: string): readonly string[] => (Object.hasOwn(NEEDS, child) ? NEEDS[child as OneRole].keys : []);

const ADDRESS = {
  api: 'KURS_APP_DATABASE_URL',
  console: 'KURS_APP_DATABASE_URL',
  worker: 'KURS_APP_DATABASE_URL',
  signer: 'KURS_SIGNER_DATABASE_URL',
} as const;
const DATABASE_ROLE = { 'database.password': 'kurs_app', 'signer-database.password': 'kurs_signer' } as const;

const POLL_MS = 1_000;

type Where = Pick<Config, 'KURS_DATA' | 'KURS_MODE' | 'DATABASE_URL' | 'KURS_APP_DATABASE_URL' | 'KURS_SIGNER_DATABASE_URL'>;

/**
 * Returns the address of the shared database for a process. An address without a password gets the one in the folder of keys.
 * Throws a `ConfigError` if no address is set.
 */
export function addressOf(role: OneRole, config: Where): string {
  const given = config[ADDRESS[role]];
  if (given === '') {
    throw new ConfigError(
      `KURS_ROLE=${role} needs ${ADDRESS[role]}: the address of the PostgreSQL that all machines share, for the role ${
        DATABASE_ROLE[NEEDS[role].password]
      }.`,
    );
  }
  const url = new URL(given);
  const { password } = NEEDS[role];
  if (url.password === '' && namesOf(config.KURS_DATA).includes(password))
    url.password = passwordOf(config.KURS_DATA, DATABASE_ROLE[password]);
  return url.href;
}

/**
 * Returns the address of the database, once the process may begin: the database has at least this version, and belongs to the
 * keys of this machine. Migrates if the owner's address is set; else it waits, and reports to `say` what for. Throws a
 * `ConfigError` for missing or different keys, for a database of another version or mode, and for an address with the owner's
 * rights.
 */
export async function readyAddress(role: OneRole, config: Where, say: (words: string) => void): Promise<string> {
  const url = addressOf(role, config);
  if (config.DATABASE_URL) {
    await requireServable(config.DATABASE_URL, config);
    await migrate(config.DATABASE_URL, config.KURS_MODE);
  }
  await untilBegun(url, config, say);
  await requireRights(role, url, config, say);
  requireNeeded(role, config.KURS_DATA, await over(url, knownFingerprints));
  return url;
}

/** Throws a `ConfigError` unless the keys that a process needs exist and match the database's fingerprints. */
export function requireNeeded(role: OneRole, folder: string, known: ReadonlyMap<string, string>): void {
  const { keys } = NEEDS[role];
  const { faults, harmless, news } = checkKeys(onlyKeys(fingerprintsOf(folder), keys), onlyKeys(known, keys));
  const words = [
    ...[...faults].map(([name, fault]) => `${name} ${fault}`),
    ...harmless.map((name) => `${name} is missing or differs`),
    ...[...news.keys()].filter((name) => !harmless.includes(name)).map((name) => `${name} is not known to the database`),
  ];
  if (words.length > 0) throw new ConfigError(refusal(role, folder, words));
}

const refusal = (
  role: OneRole,
  folder: string,
  words: readonly string[],
): string => `The keys in ${folder}/keys are not those that KURS_ROLE=${role} needs for this database. None was created or changed.
${words.map((line) => `  ${line}`).join('\n')}
On the machine that has all of them, npm run keys -- share ${role} FOLDER writes what this one needs.`;

async function requireRights(
  role: OneRole,
  url: string,
  { KURS_MODE: mode }: Where,
  say: (words: string) => void,
): Promise<void> {
  if (!(await on(url, (client) => isStrong(client)))) return;
  const words = `${ADDRESS[role]} may do what only the owner may.`;
  if (mode === 'live') throw new ConfigError(`${words} In live mode the product must not be the owner of its database.`);
  say(words);
}

async function untilBegun(url: string, config: Where, say: (words: string) => void): Promise<void> {
  let reported = '';
  for (;;) {
    const wait = await waitsFor(url, config).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      return `the database does not answer (${error instanceof Error ? error.message : String(error)})`;
    });
    if (wait === undefined) return;
    if (wait !== reported) say(`  waiting: ${wait}`);
    reported = wait;
    await sleep(POLL_MS);
  }
}

async function waitsFor(url: string, config: Where): Promise<string | undefined> {
  await requireServable(url, config);
  return over(url, (db) => lacking(db, config.KURS_MODE));
}

/**
 * Returns what a database still lacks, in words; undefined for nothing. Throws a `ConfigError` for a database of the other mode.
 */
async function lacking(db: Db, mode: Config['KURS_MODE']): Promise<string | undefined> {
  const missing = await missingMigrations(db);
  if (missing.length > 0)
    return `the database lacks ${missing.length} migrations, the last is ${missing.at(-1)}: npm run migrate`;
  const found = await installedMode(db);
  if (found !== mode) throw new ConfigError(`The database is of ${found ?? 'no'} mode, and KURS_MODE is ${mode}.`);
  if ((await knownFingerprints(db)).size === 0)
    return 'the database knows no keys yet: npm run migrate on the machine that has all of them';
  return undefined;
}
