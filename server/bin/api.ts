// The api: the calls of the contract and the site. It writes to the database; of a rail it asks only what sending to an account costs.

import { join } from 'node:path';
import { routes } from '@kurs/contract';
import { Recent, runAlarmsBeside } from '../alarms/index.ts';
import { complianceRoutes, levelOf, moveCustomer, proveBot } from '../compliance/index.ts';
import { contentRoutes } from '../content/index.ts';
import {
  doneFigures,
  exchangeRoutes,
  latestDone,
  ordersAmong,
  reviewMinutes,
  timesTaken,
  usualMinutes,
  waitsForPerson,
  watchOrders,
} from '../exchange/index.ts';
import { authRoutes, whoIs } from '../auth/index.ts';
import { googleOf } from './google.ts';
import { authenticate, operatorRoutes, peopleOf } from '../operator/index.ts';
import {
  type Operator,
  type Server,
  type User,
  buildServer,
  configureLog,
  loadConfig,
  openDb,
  openSealer,
  runMail,
  serveAsChild,
  serverKeys,
  watchSettings,
} from '../platform/index.ts';
import { directionOf, heldShare, pricingRoutes, ratesFeed, watchPricing } from '../pricing/index.ts';
import { latest, now, watchRates } from '../rates/index.ts';
import { moneyOutRoutes } from '../moneyout/index.ts';
import { moneyOutOfWallets, walletRoutes } from '../wallets/index.ts';
import { mountAccountExport } from './account-export.ts';
import { watchAccounts } from './account-watch.ts';
import { supportRoutes, watchChats } from '../support/index.ts';
import { mountDocs } from './api-docs.ts';
import { mountAvatars } from './avatars.ts';
import { mountExports } from './exports.ts';
import { mountFeeds } from './feeds.ts';
import { noticeWorks } from './notices.ts';
import { openParts } from './parts.ts';
import { mountCallbacks } from './payment-callbacks.ts';
import { whatIsLeft } from './leaving.ts';
import { openReceipts } from './receipts.ts';
import { postOf, senderOf } from './sender.ts';
import { mountSupportFiles } from './support-files.ts';
import { formOrigins, siteConfig } from './site-config.ts';
import { buildOfSite, mountSite } from './site.ts';

const config = loadConfig();
configureLog({ level: config.KURS_LOG, fields: { process: 'api' } });
const db = openDb({ url: config.DATABASE_URL, name: 'kurs-api', max: 16 });
const parts = await openParts(config);
const settings = await watchSettings(db);
const rates = await watchRates(db);
const pricing = await watchPricing(db, { usualMinutes: (on) => usualMinutes(on, (from, to) => directionOf(from, to).slug) });
const watch = watchOrders(db);
const accounts = watchAccounts(db);
const chats = watchChats(db);

// A forgotten proxy makes all the world one network; in the sandbox anybody may try one.
const proxies = new Recent();
const server = buildServer({
  config,
  db,
  sealer: openSealer(serverKeys(config.KURS_DATA), 'answers'),
  tokens: parts.tokens,
  secure: config.BASE_URL.startsWith('https:'),
  authenticate: { operator: knownOperator, user: knownUser },
  ...(config.KURS_MODE === 'live' && { onUnnamedProxy: (ip: string) => proxies.note(ip) }),
});
mountRooms(server);
if (config.KURS_MODE === 'sandbox') {
  const { mountSandbox } = await import('./sandbox-routes.ts');
  mountSandbox(server, { url: config.KURS_SANDBOX_URL, db, tokens: parts.tokens });
}
mountCallbacks(server, db);
mountExports(server, db, knownUser);
mountAvatars(server, db, knownUser);
mountAccountExport(server, db);
mountSupportFiles(server, db, senderOf(config, parts.tokens));
mountDocs(server, config);
await mountSite(server, {
  config: { ...siteConfig(config), formOrigins: formOrigins(parts.rails, config.BASE_URL) },
  ratesVersion: () => latest()?.version.toString() ?? '',
  now,
});
const feed = { waitsForPerson };
mountFeeds(server, () => ratesFeed(feed));
await server.app.listen({ host: config.HOST, port: config.PORT });
const alarms = runAlarmsBeside({
  ...{ db, name: config.KURS_NAME, file: join(config.KURS_DATA, 'log/alarms.log') },
  mail: () => runMail(db, postOf(config)),
  proxies: () => proxies.all(),
});

serveAsChild(async () => {
  await server.close();
  await alarms.stop();
  await Promise.all([watch.stop(), accounts.stop(), chats.stop()]);
  await Promise.all([pricing.stop(), rates.stop(), settings.stop()]);
  await parts.close();
  await db.close();
});

/** Binds every room's works to the contract's calls. */
function mountRooms(to: Server): void {
  const build = buildOfSite();
  to.mount(routes.health, async () => ({
    status: 'ok' as const,
    mode: config.KURS_MODE,
    build,
    time: (await db.now()).toISOString(),
  }));
  const sender = senderOf(config, parts.tokens);
  const vouchers = openSealer(serverKeys(config.KURS_DATA), 'vouchers');
  const factors = openSealer(serverKeys(config.KURS_DATA), 'second factors');
  const receipts = openReceipts(config);
  const exchange = exchangeRoutes({
    db,
    sender,
    watch,
    chats,
    receipts,
    sealer: vouchers,
    factors,
    operators: (on) => peopleOf(on, 'operator'),
  });
  const works = {
    ...pricingRoutes,
    ...authRoutes({
      db,
      name: config.KURS_NAME,
      sealer: factors,
      proveBot,
      levelOf,
      moveCustomer,
      whatIsLeft,
      google: googleOf(config),
    }),
    ...walletRoutes({ db, sealer: vouchers }, [ordersAmong]),
    ...moneyOutRoutes({ db, sealer: factors }),
    ...moneyOutOfWallets({ db, sealer: factors, goods: vouchers, name: config.KURS_NAME }),
    ...complianceRoutes(heldShare),
    ...contentRoutes({
      latestOrders: latestDone,
      figures: doneFigures,
      times: (on) => timesTaken(on, (from, to) => directionOf(from, to).slug),
      quoteMinutes: reviewMinutes,
    }),
    ...supportRoutes({ db, sender, proveBot }),
    ...exchange.works,
    userChanges: accounts.work,
    ...noticeWorks(db),
    ...operatorRoutes({ db, sender, receipts }, { isSandbox: config.KURS_MODE === 'sandbox', name: config.KURS_NAME }),
  };
  const streams: Readonly<Record<string, unknown>> = { orderStatus: exchange.stream, userChanges: accounts.stream };
  for (const [name, work] of Object.entries(works))
    to.mount(routes[name as keyof typeof works], work as never, { stream: streams[name] } as never);
}

async function knownUser(bearer: string): Promise<User | undefined> {
  const found = await whoIs(db, bearer);
  const { holder, session } = found ?? {};
  return (
    holder &&
    session && { id: holder.id, email: holder.email, emailVerified: holder.emailVerifiedAt !== undefined, sessionId: session.id }
  );
}

async function knownOperator(bearer: string): Promise<Operator | undefined> {
  const person = await authenticate(db, bearer);
  return person && { id: person.id, name: person.name, roles: [person.role] };
}
