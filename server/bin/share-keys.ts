import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, fingerprintsOf, namesOf, onlyKeys, placeKeys } from '../platform/index.ts';
import { withDatabase } from './database.ts';
import { letKnow } from './first-start.ts';
import { NEEDS, type OneRole } from './one-role.ts';
import { publishPublicKeys } from './public-keys.ts';

/**
 * Writes the keys that a role needs, and no others, into another data folder, with what was noted beside them so far; gives the
 * names of the files. The database knows the public keys from then on. Throws a ConfigError where the folder has keys already.
 */
export async function shareKeys(config: Config, role: OneRole, folder: string): Promise<string[]> {
  if (namesOf(folder).length > 0)
    throw new ConfigError(`There are keys in ${join(folder, 'keys')} already. Nothing was changed.`);
  const { keys, password, notes } = NEEDS[role];
  await withDatabase(config, async (_, ownerUrl) => {
    await publishPublicKeys(config);
    await letKnow(ownerUrl, config.KURS_DATA);
  });
  const needed = [...onlyKeys(fingerprintsOf(config.KURS_DATA), [...keys, password]).keys()];
  const files = [...needed, ...notes.filter((name) => namesOf(config.KURS_DATA).includes(name))];
  placeKeys(folder, new Map(files.map((name) => [name, readFileSync(join(config.KURS_DATA, 'keys', name))])));
  return files;
}
