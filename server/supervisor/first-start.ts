// Decides whether an installation may start with the keys in its folder. Keys are created for a new installation only: in the
// sandbox by its first start, in live mode by `npm run init`.

import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ClusterPlace,
  type Config,
  ConfigError,
  type KeysChecked,
  fingerprintsOf,
  haveServed,
  isUnwritten,
  checkKeys,
  keyVariable,
  knownFingerprints,
  learnKeys,
  log,
  makeKeys,
  makeSecret,
  missingKeys,
  placeCluster,
  stopOrphan,
} from '../platform/index.ts';
import { over, requireServable, requireServableStopped } from './older-version.ts';

type Where = Pick<Config, 'KURS_DATA' | 'KURS_MODE' | 'DATABASE_URL'>;
type Installed = Pick<Config, 'KURS_DATA' | 'KURS_MODE'>;

/**
 * Checks that all keys exist, before anything is started. A sandbox without a database gets new ones. Throws a `ConfigError` with
 * instructions: if a database exists without its keys, if keys that have served exist without their database, and in live mode if
 * there are no keys.
 */
export async function requireKeys(config: Where): Promise<void> {
  const { KURS_DATA: folder, KURS_MODE: mode } = config;
  if (config.DATABASE_URL) await requireServable(config.DATABASE_URL, config);
  const isNew = await hasNoDatabase(config);
  const missing = missingKeys(folder);
  if (isNew && haveServed(folder)) throw new ConfigError(lostDatabase(config));
  if (missing.length === 0) return;
  if (!isNew && !config.DATABASE_URL) await requireServableStopped(config);
  if (missing.every((name) => name === 'bot.key')) {
    log.warn('the key of the robot check was missing: a new one is created');
    makeSecret(folder, 'bot.key');
  } else if (!isNew) {
    throw new ConfigError(lostKeys(folder, missing));
  } else if (mode === 'live') throw new ConfigError(uninitialised(folder));
  else makeKeys(folder);
}

/**
 * Checks that keys may be written into a folder, before a person is asked for anything: it holds no keys, and no other files
 * beside them. Throws a `ConfigError` with instructions.
 */
export function requireNoKeys(dataFolder: string): void {
  const folder = join(dataFolder, 'keys');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const keys = [...fingerprintsOf(dataFolder).keys()];
  const given = keys.filter((name) => !files.includes(name));
  if (given.length > 0)
    throw new ConfigError(
      `The environment gives keys already: ${given.map(keyVariable).join(', ')}. Nothing was made or changed.`,
    );
  if (keys.length > 0)
    throw new ConfigError(
      `There are keys in ${folder} already, and none are overwritten. Put them aside first. Nothing was changed.`,
    );
  if (files.length > 0)
    throw new ConfigError(`${folder} is not empty: ${files.join(', ')}. Put that aside first. Nothing was made or changed.`);
}

/**
 * Returns true if there is no database yet, or one without any data. Removes the embedded database of a sandbox whose folder was
 * removed.
 */
export async function hasNoDatabase({ KURS_DATA: folder, KURS_MODE: mode, DATABASE_URL: url }: Where): Promise<boolean> {
  if (url) return over(url, isUnwritten);
  const place = await placeCluster(folder);
  const home = dirname(place.directory);
  if (mode === 'sandbox' && isOutside(folder, place)) {
    await mkdir(home, { recursive: true });
    await removeForgotten(home);
    if (await isLeftOver(folder, place)) await removeCluster(place.directory);
  }
  return !existsSync(join(place.directory, 'PG_VERSION'));
}

/** A cluster may be outside its data folder (see placeCluster) and outlive it. */
const isOutside = (folder: string, { directory }: ClusterPlace): boolean => !directory.startsWith(join(folder, '/'));

/** Content of `<cluster>.owner`, beside a cluster outside its data folder: the installation that created it. */
export interface Owner {
  readonly folder: string;
  readonly mode: Config['KURS_MODE'];
}

/** Returns the path of that file; undefined for a cluster inside its folder. */
export const ownerNote = (folder: string, place: ClusterPlace): string | undefined =>
  isOutside(folder, place) ? `${place.directory}.owner` : undefined;

const readOwner = async (note: string): Promise<Owner | undefined> =>
  readFile(note, 'utf8').then(
    (text) => JSON.parse(text) as Owner,
    () => undefined,
  );

/** Returns true for the cluster of a sandbox whose folder was removed and is new. A folder with other files was not removed. */
async function isLeftOver(folder: string, { directory }: ClusterPlace): Promise<boolean> {
  const there = await readdir(folder).catch(() => []);
  if (there.some((name) => name !== 'lock' && name !== 'run.json')) return false;
  return (await readOwner(`${directory}.owner`))?.mode === 'sandbox';
}

/** Removes the clusters of sandboxes whose data folders no longer exist. */
async function removeForgotten(home: string): Promise<void> {
  for (const file of (await readdir(home)).filter((name) => name.endsWith('.owner'))) {
    const note = join(home, file);
    const owner = await readOwner(note);
    if (owner?.mode !== 'sandbox' || existsSync(owner.folder)) continue;
    await removeCluster(note.slice(0, -'.owner'.length));
    await rm(note, { force: true });
  }
}

async function removeCluster(directory: string): Promise<void> {
  await stopOrphan(directory);
  await rm(directory, { recursive: true, force: true });
}

/**
 * Compares the keys in the folder with the database's fingerprints, and changes nothing. Throws a `ConfigError` with instructions
 * if they differ.
 */
export async function requireSameKeys(url: string, { KURS_DATA: folder }: Installed): Promise<KeysChecked> {
  const checked = checkKeys(fingerprintsOf(folder), await over(url, knownFingerprints));
  if (checked.faults.size === 0) return checked;
  const faults = [...checked.faults].map(([name, words]) => `${name} ${words}`);
  throw new ConfigError(otherKeys(folder, faults));
}

/** Stores the fingerprints of new keys in a migrated database; returns a message for the operator, if there is one. */
export async function letKnow(url: string, config: Installed): Promise<string | undefined> {
  const { isKnown, harmless, news } = await requireSameKeys(url, config);
  if (news.size === 0) return undefined;
  await over(url, (db) => learnKeys(db, news));
  if (harmless.length > 0)
    log.warn('the key of the robot check has changed: visitors repeat the proofs of work that they have begun');
  const reported = [...news.keys()].filter((name) => name !== 'public.json');
  if (reported.length === 0) return undefined;
  return isKnown
    ? `the database has stored the fingerprints of new keys: ${reported.join(', ')}`
    : `keys registered: from now on this database starts with those in ${join(config.KURS_DATA, 'keys')} only`;
}

const RESTORE = `Put this installation's own keys there (npm run keys -- restore FILE brings them back from a backup), or name the folder and
the database that belong together by KURS_DATA and DATABASE_URL.`;

const lostKeys = (folder: string, missing: readonly string[]): string =>
  `This database was begun with keys that are not in ${join(folder, 'keys')}: ${missing.join(', ')}.
New ones would open nothing of it, and deposits would go to another wallet. Nothing was made or changed.
${RESTORE}`;

/** Message if the keys belong to another installation than the database. */
const otherKeys = (folder: string, faults: readonly string[]): string =>
  `The keys in ${join(folder, 'keys')} are not those that this database was begun with. Nothing was changed.
${faults.map((fault) => `  ${fault}`).join('\n')}
${RESTORE}
npm run keys shows what lies there.`;

/** Message if the embedded database doesn't open with the folder's password. */
export const closedCluster = (folder: string, directory: string): string =>
  `The database in ${directory} doesn't open with ${join(folder, 'keys')}: it was made with other keys. Nothing was changed.
${RESTORE}`;

const lostDatabase = ({ KURS_DATA: folder, KURS_MODE: mode }: Where): string =>
  `The keys in ${join(folder, 'keys')} have served a database that is not there. An empty one would know nothing of what is owed.
Bring the database back from its backup, or name it by DATABASE_URL. ${
    mode === 'sandbox'
      ? `To begin a sandbox anew, remove ${folder}.`
      : 'To begin anew, take another KURS_DATA and call npm run init.'
  }`;

const uninitialised = (folder: string): string =>
  `There are no keys in ${join(folder, 'keys')}, and in live mode a start creates none.
A new installation: npm run init. One that has moved here: npm run keys -- restore FILE, from its backup.
One that should be here: KURS_DATA names the wrong folder.`;
