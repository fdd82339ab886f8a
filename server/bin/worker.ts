// The worker: all recurring and slow work. It fetches rates, watches and pays on the rails, applies events to orders, closes the
// books and sends mail. Several workers may run: rows are claimed for a time, never owned.

import { join } from 'node:path';
import { percent } from '@kurs/money';
import { forgetReported, runAlarms, runDatabaseAlarm } from '../alarms/index.ts';
import { runAffiliates } from '../affiliates/index.ts';
import { closeDue, forgetCodes } from '../auth/index.ts';
import { alone, gatesOf } from '../collecting/index.ts';
import { forgetCounted } from '../compliance/index.ts';
import { forgetDeliveries } from '../deliveries/index.ts';
import { forgetCalculations, runExchange } from '../exchange/index.ts';
import { forgetDays, forgetWhence, tendPrizes } from '../earn/index.ts';
import { runGate } from '../gate/index.ts';
import { endCoupons } from '../coupons/index.ts';
import { forgetOut } from '../moneyout/index.ts';
import { checkNote, findStrangers, proveEachNight, sealJournals } from '../ledger/index.ts';
import { noticeRestored, openKeyNotes } from '../supervisor/index.ts';
import { checkAuditNote, checksOf, sealActions } from '../operator/index.ts';
import { paymentsDeps, runPayments } from '../payments/index.ts';
import { runCosts, smallestRetainedShare, watchPricing } from '../pricing/index.ts';
import {
  carryWakes,
  configureLog,
  every,
  outbox,
  forgetAnswers,
  forgetCounters,
  loadConfig,
  openDb,
  openSealer,
  serveAsChild,
  reportWhyAsChild,
  serverKeys,
  untilItWorks,
  watchClock,
  watchSettings,
} from '../platform/index.ts';
import { runRates, sourceUrls, watchRates } from '../rates/index.ts';
import { runDeposits } from '../wallets/index.ts';
import { mailUnread } from '../support/index.ts';
import { forget, whatIsLeft } from '../accounts/index.ts';
import { OWNERS, openShared, postOf, runAllDeliveries, senderOf, subscriptionsOfAll } from '../assembly/index.ts';

/** Journals are sealed within seconds; rows without a MAC are searched less often. */
const SEAL_MS = 1_000;
const STRANGERS_MS = 10_000;
const NIGHT_MS = 60_000;
const HOUR_MS = 3_600_000;
const CLOSE_MS = 60_000;
const COUPONS_MS = 60_000;
const PRIZES_MS = 10_000;
const UNREAD_MS = 2_000;
/** Maximum difference between sources while no direction is on: the guard's minimum. */
const SMALLEST_SPREAD = percent('0.5');

reportWhyAsChild();
const config = loadConfig();
configureLog({ level: config.KURS_LOG, fields: { process: 'worker' } });
const db = openDb({ url: config.DATABASE_URL, name: 'kurs-worker', max: 16, budget: 20_000 });
const wakes = carryWakes(config.DATABASE_URL, 'kurs-worker');
const shared = await openShared(config);
const notes = openKeyNotes(config);

const settings = await untilItWorks('settings', () => watchSettings(db));
const rates = await watchRates(db);
const pricing = await watchPricing(db);
const sender = senderOf(config, shared.tokens);
const subscriptions = subscriptionsOfAll(sender);
await untilItWorks('subscriptions', () => outbox.subscribe(db, subscriptions));

// Must run before anything is paid out.
await untilItWorks('restored', () => noticeRestored(db, notes, { renews: true }));

const running = [
  runRates(db, {
    urls: () => sourceUrls(config.KURS_SANDBOX_URL),
    retainedSpread: () => smallestRetainedShare(db).catch(() => SMALLEST_SPREAD),
  }),
  runCosts(db),
  runPayments(
    paymentsDeps(db, {
      ...{ gates: gatesOf(OWNERS), sealer: openSealer(serverKeys(config.KURS_DATA), 'vouchers') },
      unexplained: async () => (await shared.signer.health()).unexplained ?? [],
    }),
  ),
  outbox.run(db, subscriptions),
  runExchange(db, sender),
  runDeposits(db, config.KURS_NAME),
  runAffiliates(db, sender),
  runGate(db, sender),
  every(SEAL_MS, 'ledger.seal', async () => {
    await sealJournals(db, shared.note);
    await sealActions(db, notes.audit);
  }),
  every(STRANGERS_MS, 'ledger.strangers', async () => {
    await findStrangers(db);
    // An open restored mode has an alarm of its own.
    if (await noticeRestored(db, notes, { renews: true })) return;
    await checkNote(db, shared.note);
    await checkAuditNote(db, notes.audit);
  }),
  every(NIGHT_MS, 'ledger.night', () => proveEachNight(db, { checks: checksOf(OWNERS), isWhole: true, note: shared.note }), {
    withinMs: 6 * HOUR_MS,
  }),
  watchClock(db),
  runAlarms({
    ...{ db, name: config.KURS_NAME, file: join(config.KURS_DATA, 'log/alarms.log') },
    ...{ folder: config.KURS_DATA, machine: config.KURS_MACHINE, url: config.BASE_URL, signer: () => shared.signer.health() },
  }),
  runAllDeliveries(config, db),
  runDatabaseAlarm({ db, name: config.KURS_NAME, file: join(config.KURS_DATA, 'log/alarms.log'), post: postOf(config) }),
  every(COUPONS_MS, 'coupons.end', () =>
    alone(db, async (unit) => {
      for (const journal of await endCoupons(unit.tx)) unit.post(journal);
    }),
  ),
  every(PRIZES_MS, 'earn.tend', () => tendPrizes(db)),
  every(UNREAD_MS, 'support.mail_unread', () => mailUnread(db, sender, OWNERS)),
  every(CLOSE_MS, 'close', () => closeDue(db, { name: config.KURS_NAME, whatIsLeft, forget })),
  every(HOUR_MS, 'forget', async () => {
    const now = await db.now();
    await forgetCalculations(db, now);
    await forgetCounted(db);
    await forgetOut(db);
    await forgetAnswers(db);
    await forgetCounters(db);
    await forgetCodes(db);
    await forgetReported(db);
    await forgetDeliveries(db);
    await forgetWhence(db);
    await forgetDays(db);
    await outbox.forget(db);
  }),
];

serveAsChild(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await Promise.all([pricing.stop(), rates.stop(), settings.stop(), wakes.stop()]);
  await shared.close();
  await db.close();
});
