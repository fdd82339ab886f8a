// The signer: the only process with the seed. It listens on a unix socket and signs what its policy allows. Only one may run over
// a database, since a second one would not know what the first has signed.
//
// `node server/bin/signer.ts --release <payout id>`: a person's word that nothing signed for this payout can ever take effect
// (other transactions have spent its inputs or nonce, finally), so that it may be signed anew.

import { join } from 'node:path';
import {
  ConfigError,
  Recent,
  configureLog,
  holdAlone,
  loadConfig,
  log,
  openDb,
  serveAsChild,
  reportWhyAsChild,
  wallClock,
} from '../platform/index.ts';
import { openMacs, publishPublicKeys } from '../supervisor/index.ts';
import { buildSigningRails, railsConfig } from '../rails/index.ts';

import { keysFolder, loadSeed, openBooksComparison, openJournal, readPayouts, serveSigner } from '../signing/index.ts';

/** Time in ms to wait for a signer that was just killed and may still hold the lock. */
const ANOTHER_ENDS_MS = 5_000;
const NOT_ALONE = 'the database does not say that it is the only signer';

reportWhyAsChild();
const config = loadConfig();
const alarms = new Recent();
configureLog({
  level: config.KURS_LOG,
  fields: { process: 'signer' },
  onAlarm: (_words, { subject, sentence }) => alarms.note(subject, sentence),
});
openMacs(config);
const seed = loadSeed(config.KURS_DATA);
const journal = openJournal(join(keysFolder(config.KURS_DATA), 'signed.jsonl'));

const [flag, payout] = process.argv.slice(2);
if (flag === '--release' && payout) {
  journal.release(payout, wallClock().toISOString());
  process.stdout.write(`The payout ${payout} may be signed again after a restart of the signer.\n`);
} else {
  await publishPublicKeys(config);
  if (!config.KURS_SIGNER_DATABASE_URL && config.KURS_MODE === 'live')
    throw new ConfigError(
      'The signer needs a database role that may only read payouts: set KURS_SIGNER_DATABASE_URL to its address',
    );
  if (!config.KURS_SIGNER_DATABASE_URL)
    log.warn('the signer reads payouts with the rights of the whole product: set KURS_SIGNER_DATABASE_URL');
  const url = config.KURS_SIGNER_DATABASE_URL || config.DATABASE_URL;
  const alone = await holdAlone(url, 'kurs signer', ANOTHER_ENDS_MS);
  const db = openDb({ url, name: 'kurs-signer', max: 2 });
  const settings = railsConfig(config);
  const { rails, refused } = await buildSigningRails(settings, seed);
  for (const [rail, reason] of refused) log.alarm('nothing is signed for a rail: it is not set up', { rail, reason });
  const books = openBooksComparison(db, journal, [...rails.keys()]);
  const server = await serveSigner(config.KURS_SIGNER_SOCKET, {
    rails,
    journal,
    caps: settings.caps,
    payouts: async (ids) => {
      if (!alone.isHeld()) throw new Error(NOT_ALONE);
      return readPayouts(db, ids);
    },
    now: wallClock,
    compared: books.now,
    health: () => ({
      stopped: journal.stopped ?? (alone.isHeld() ? books.last?.stopped : NOT_ALONE),
      alarms: [...alarms.all().values()],
      unexplained: books.last?.unexplained ?? [],
    }),
  });
  serveAsChild(async () => {
    await books.stop();
    await server.close();
    await db.close();
    await alone.stop();
    journal.close();
  });
}
