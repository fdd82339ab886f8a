// Decides whether a new installation may use given words as its seed.

import { type Config, ConfigError, fingerprintOf, knownFingerprints, placeCluster } from '../platform/index.ts';
import { hasNoDatabase } from './first-start.ts';
import { over } from './older-version.ts';

type Where = Pick<Config, 'KURS_DATA' | 'KURS_MODE' | 'DATABASE_URL'>;

/**
 * Checks that no database was begun, with other keys or with this seed and keys that are lost. Throws a `ConfigError` with
 * instructions otherwise.
 */
export async function requireUnbegun(config: Where, seed: string): Promise<void> {
  const { DATABASE_URL: url, KURS_DATA: folder } = config;
  // A migrated database that never served has fingerprints too.
  const known = url ? (await over(url, knownFingerprints)).get('seed') : undefined;
  if (known === undefined) {
    if (await hasNoDatabase(config)) return;
    if (url) throw new ConfigError(`The database that DATABASE_URL names is in use. Nothing was made.\n${ANOTHER}`);
    const { directory } = await placeCluster(folder);
    throw new ConfigError(`A database is in ${directory} already, and its password is among the keys that are lost: words don't open it. Nothing
was made.
${LOST}`);
  }
  if (known === fingerprintOf('seed', seed))
    throw new ConfigError(`These are the words of the seed that this database was begun with, and they are not enough to serve it. Nothing was made.
${LOST}`);
  throw new ConfigError(`The database that DATABASE_URL names was begun with another seed than these words. Nothing was made.
The words may be those of another installation: compare them with your paper.
${ANOTHER}`);
}

const LOST = `Its other keys (of the books, of the server, of receipts, of references) can't be made from words.
With a backup of the keys: npm run keys -- restore FILE, in an empty folder; the seed is in it, too.
Without one this database can't be served again, and the words bring back the coins alone: begin a new installation with them, in
another, empty KURS_DATA beside an empty database. Keep the old database: it says what is owed to whom.`;

const ANOTHER = `Name an empty database, or bring back the keys of this one: npm run keys -- restore FILE.`;
