// Fills your own sandbox with a long history, to measure its cost: `KURS_DATA=… node tools/fill-history.ts [orders] [looked]`
// beside a running `npm start` in which an order was completed. `looked`: addresses of 90 days are still polled.

import { clusterUrl, loadConfig, openDb, readRunNote, secret } from '../server/platform/index.ts';
import { fillHistory } from '../server/exchange/testing.ts';
import { openBooks } from '../server/supervisor/index.ts';

const config = loadConfig();
const note = readRunNote(config.KURS_DATA);
const port = note?.ports['postgres'];
if (config.KURS_MODE !== 'sandbox' || note?.cluster === undefined || port === undefined)
  throw new Error('a made history belongs into a sandbox that runs, with the embedded database');
openBooks(config);
const [orders, polled] = process.argv.slice(2);
const password = secret(config.KURS_DATA, 'postgres.password');
const db = openDb({
  url: clusterUrl(note.cluster, port, { password, database: 'kurs' }),
  name: 'history',
  max: 1,
  budget: 600_000,
});
const { email } = await fillHistory(db, {
  ...(orders !== undefined && { orders: Number.parseInt(orders, 10) }),
  isPolled: polled === 'looked',
});
console.log(`filled; the account holder with the long history is ${email}`);
await db.close();
