import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, fingerprintsOf, onlyKeys, placeKeys, secret } from '../platform/index.ts';
import { withDatabase } from './database.ts';
import { letKnow } from './first-start.ts';
import { NEEDS, type OneRole } from './one-role.ts';
import { publishPublicKeys } from './public-keys.ts';

/**
 * Writes the keys that a role needs, and no others, with the notes beside them, into another data folder; returns the names of
 * the files. Stores the fingerprints of the public keys in the database. Throws a `ConfigError` if the folder has keys already.
 */
export async function shareKeys(config: Config, role: OneRole, folder: string): Promise<string[]> {
  if (existsSync(join(folder, 'keys'))) throw new ConfigError(`${join(folder, 'keys')} is there already. Nothing was changed.`);
  const { keys, password, notes } = NEEDS[role];
  await withDatabase(config, async (_, ownerUrl) => {
    await publishPublicKeys(config);
    await letKnow(ownerUrl, config);
  });
  const needed = [...onlyKeys(fingerprintsOf(config.KURS_DATA), [...keys, password]).keys()];
  const files = [...needed, ...notes.filter((name) => existsSync(join(config.KURS_DATA, 'keys', name)))];
  const contentOf = (name: string): Buffer =>
    needed.includes(name)
      ? Buffer.from(`${secret(config.KURS_DATA, name)}\n`)
      : readFileSync(join(config.KURS_DATA, 'keys', name));
  placeKeys(folder, new Map(files.map((name) => [name, contentOf(name)])));
  return files;
}
