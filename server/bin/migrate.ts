// Brings the database of this installation up to date: what `npm start` does first, by itself for an outside database.

import { loadConfig, migrate } from '../platform/index.ts';
import { runCommand } from './command.ts';
import { withDatabase } from './database.ts';
import { letKnow } from './first-start.ts';

await runCommand(async () => {
  const config = loadConfig();
  const applied = await withDatabase(config, async (_, ownerUrl) => {
    const names = await migrate(ownerUrl, config.KURS_MODE);
    await letKnow(ownerUrl, config.KURS_DATA);
    return names;
  });
  console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply');
});
