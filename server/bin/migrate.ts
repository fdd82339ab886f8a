// Migrates this installation's database and stores the keys' fingerprints there, as `npm start` does first.

import { ConfigError, loadConfig, migrate } from '../platform/index.ts';
import { runCommand } from '../terminal/index.ts';
import { withDatabase, letKnow, publishPublicKeys } from '../supervisor/index.ts';

await runCommand(async () => {
  const config = loadConfig();
  if (config.KURS_ROLE !== 'all' && config.DATABASE_URL === '')
    throw new ConfigError('A database is migrated by its owner: DATABASE_URL is the address.');
  const applied = await withDatabase(config, async (_, ownerUrl) => {
    const names = await migrate(ownerUrl, config.KURS_MODE);
    // A machine with one role has only some keys, so it stores no fingerprints.
    if (config.KURS_ROLE === 'all') {
      await publishPublicKeys(config);
      await letKnow(ownerUrl, config);
    }
    return names;
  });
  console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply');
});
