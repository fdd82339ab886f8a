// The operator's console: the desk's calls, which the site doesn't serve. It writes to the database, and sends nothing.

import { runConsoleBeat } from '../alarms/index.ts';
import { usualMinutes } from '../exchange/index.ts';
import { restoredHeaders, whoActs } from '../operator/index.ts';
import {
  buildServer,
  carryWakes,
  configureLog,
  loadConfig,
  openDb,
  openSealer,
  reportWhyAsChild,
  serveAsChild,
  serverKeys,
  untilItWorks,
} from '../platform/index.ts';
import { directionOf } from '../pricing/index.ts';
import { noticeRestored, openKeyNotes } from '../supervisor/index.ts';

import { answerWhileBeginning, beginReading, buildOfSite, mountDesk, mountDeskDocs, mountHealth } from '../edge/index.ts';

import { OWNERS, openReceipts, openShared, senderOf } from '../assembly/index.ts';

reportWhyAsChild();
const config = loadConfig();
configureLog({ level: config.KURS_LOG, fields: { process: 'console' } });
const db = openDb({ url: config.DATABASE_URL, name: 'kurs-console', max: 8 });
const wakes = carryWakes(config.DATABASE_URL, 'kurs-console');
const shared = await openShared(config);
const beginning = beginReading(db, { usualMinutes: (on) => usualMinutes(on, (from, to) => directionOf(from, to).slug) });
// Must run before the first answer, which tells the desk of the restored mode.
const notes = openKeyNotes(config);
await untilItWorks('restored', () => noticeRestored(db, notes));
const server = buildServer({
  config,
  db,
  sealer: openSealer(serverKeys(config.KURS_DATA), 'answers'),
  isSecure: config.CONSOLE_URL.startsWith('https:'),
  networks: config.CONSOLE_NETWORKS,
  authenticate: { operator: (bearer) => whoActs(db, bearer, config.KURS_MODE) },
  deskHeaders: () => restoredHeaders(db),
});
mountDesk(server, {
  db,
  mode: config.KURS_MODE,
  build: buildOfSite(),
  sender: senderOf(config, shared.tokens),
  receipts: openReceipts(config),
  factors: openSealer(serverKeys(config.KURS_DATA), 'second factors'),
  owners: OWNERS,
});
mountHealth(server, db);
mountDeskDocs(server, config);
answerWhileBeginning(server, beginning);
await beginning.soon;
await server.app.listen({ host: config.CONSOLE_HOST, port: config.CONSOLE_PORT });
const alive = runConsoleBeat({ db, machine: config.KURS_MACHINE });

serveAsChild(async () => {
  await server.close();
  await alive.stop();
  await beginning.stop();
  await wakes.stop();
  await shared.close();
  await db.close();
});
