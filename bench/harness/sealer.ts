// Seals journals each second in a process of its own, as the worker does. Says when all from before is sealed, and ends with
// the process that forked it.

import { sealJournals } from '../../server/ledger/index.ts';
import { configureMacs, every, openDb } from '../../server/platform/index.ts';

const [url = '', key = ''] = process.argv.slice(2);
configureMacs(new Map([[1, Buffer.from(key, 'hex')]]));
const db = openDb({ url, name: 'bench-seal', max: 2, budget: 60_000 });
await sealJournals(db);
const sealing = every(1_000, 'bench.seal', () => sealJournals(db));
process.on('disconnect', async () => {
  await sealing.stop();
  await db.close();
});
process.send?.('sealed');
