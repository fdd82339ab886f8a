// The api: the site, and the calls of the contract except those of the desk. It writes to the database. It queries a rail only for
// the cost of sending to an account.

import { join } from 'node:path';
import { runAlarmsBeside } from '../alarms/index.ts';
import { watchOwners } from '../collecting/index.ts';
import { grantsOf, whoseKey } from '../auth/index.ts';
import { usualMinutes, waitsForPerson } from '../exchange/index.ts';
import {
  Recent,
  buildServer,
  carryWakes,
  configureLog,
  loadConfig,
  openDb,
  openSealer,
  serveAsChild,
  reportWhyAsChild,
  serverKeys,
  untilItWorks,
} from '../platform/index.ts';
import { directionOf, ratesFeed } from '../pricing/index.ts';
import { latest, now } from '../rates/index.ts';
import { openClicks } from '../referrals/index.ts';
import { noticeRestored, openKeyNotes } from '../supervisor/index.ts';
import { watchChats } from '../support/index.ts';
import { mountAccountExport, watchAccounts, signedInUsers } from '../accounts/index.ts';

import {
  answerWhileBeginning,
  beginReading,
  buildOfSite,
  formOrigins,
  mountAvatars,
  mountWebhooks,
  mountDocs,
  mountExports,
  mountFeeds,
  mountHealth,
  mountRooms,
  mountSandbox,
  mountSite,
  mountLinkPictures,
  mountStoreMarks,
  mountSupportFiles,
  openMetrics,
  siteConfig,
  siteOrigin,
} from '../edge/index.ts';

import { OWNERS, googleOf, openShared, openReceipts, runAllDeliveries, senderOf } from '../assembly/index.ts';

reportWhyAsChild();
const config = loadConfig();
configureLog({ level: config.KURS_LOG, fields: { process: 'api' } });
const db = openDb({ url: config.DATABASE_URL, name: 'kurs-api', max: 16 });
const wakes = carryWakes(config.DATABASE_URL, 'kurs-api');
const shared = await openShared(config, { checksBots: true });
const beginning = beginReading(db, { usualMinutes: (on) => usualMinutes(on, (from, to) => directionOf(from, to).slug) });
const users = signedInUsers(db);
const owners = watchOwners(db, OWNERS);
const accounts = watchAccounts(db, OWNERS);
const chats = watchChats(db);
const clicks = openClicks(db);

// Unnamed proxies of the last hour: with a forgotten proxy all clients count as one network. The sandbox doesn't check it.
const proxies = new Recent();
const notes = openKeyNotes(config);
await untilItWorks('restored', () => noticeRestored(db, notes));
const metrics = config.KURS_METRICS_PORT === 0 ? undefined : openMetrics(db);
const server = buildServer({
  config,
  db,
  sealer: openSealer(serverKeys(config.KURS_DATA), 'answers'),
  tokens: shared.tokens,
  isSecure: config.BASE_URL.startsWith('https:'),
  siteOrigin: siteOrigin(config),
  authenticate: {
    user: users.byToken,
    grants: (holderId, kind) => grantsOf(db, holderId, kind),
    key: (key, ip) => whoseKey(db, key, { mode: config.KURS_MODE, ip }),
  },
  ...(metrics && { onAnswered: metrics.answered }),
  ...(config.KURS_MODE === 'live' && { onUnnamedProxy: (ip: string) => proxies.note(ip) }),
});
mountRooms(server, {
  db,
  mode: config.KURS_MODE,
  build: buildOfSite(),
  sender: senderOf(config, shared.tokens),
  receipts: openReceipts(config),
  vouchers: openSealer(serverKeys(config.KURS_DATA), 'vouchers'),
  factors: openSealer(serverKeys(config.KURS_DATA), 'second factors'),
  webhooks: openSealer(serverKeys(config.KURS_DATA), 'webhook secrets'),
  privateWebhooks: config.KURS_PRIVATE_WEBHOOKS,
  google: googleOf(config),
  owners: OWNERS,
  watches: { owners, accounts, chats },
});
if (config.KURS_MODE === 'sandbox') mountSandbox(server, { url: config.KURS_SANDBOX_URL, db, tokens: shared.tokens });
mountWebhooks(server, db);
mountHealth(server, db);
mountExports(server, db, users);
mountAvatars(server, db);
mountStoreMarks(server, db);
mountLinkPictures(server, db, senderOf(config, shared.tokens));
mountAccountExport(server, db, users);
mountSupportFiles(server, db, senderOf(config, shared.tokens));
mountDocs(server, config);
await mountSite(server, {
  config: { ...siteConfig(config), formOrigins: formOrigins(shared.rails, config.BASE_URL) },
  ratesVersion: () => latest()?.version.toString() ?? '',
  now,
  clicks,
});
const feed = { waitsForPerson };
mountFeeds(server, () => ratesFeed(feed));
answerWhileBeginning(server, beginning);
await beginning.soon;
await server.app.listen({ host: config.HOST, port: config.PORT });
const measured = await metrics?.listen(config.KURS_METRICS_PORT);
const alarms = runAlarmsBeside({
  ...{ db, name: config.KURS_NAME, file: join(config.KURS_DATA, 'log/alarms.log'), folder: config.KURS_DATA },
  machine: config.KURS_MACHINE,
  deliver: () => runAllDeliveries(config, db),
  proxies: () => [...proxies.all().keys()],
});

serveAsChild(async () => {
  await server.close();
  await alarms.stop();
  measured?.close();
  await Promise.all([...owners.values(), accounts, chats, clicks].map((one) => one.stop()));
  await beginning.stop();
  await wakes.stop();
  await shared.close();
  await db.close();
});
