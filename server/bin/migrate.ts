// Brings the database of this installation up to date: what `npm start` does first, by itself for an outside database.

import { loadConfig, migrate } from '../platform/index.ts';
import { withDatabase } from './database.ts';

const config = loadConfig();
const applied = await withDatabase(config, (url) => migrate(url, config.KURS_MODE));
console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply');
