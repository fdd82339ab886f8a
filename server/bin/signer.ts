// The signer: the only process that holds keys. It listens on a unix socket and signs what the policy lets pass.
//
// `node server/bin/signer.ts --release <payout id>`: a person's word that everything signed for this payout can never
// happen any more (its inputs or nonce are spent by others, for good), so that it may be signed anew.

import { join } from 'node:path';
import { ConfigError, Recent, configureLog, loadConfig, log, openDb, serveAsChild, wallClock } from '../platform/index.ts';
import { openBooks } from './books.ts';
import { buildSigningRails, railsConfig } from '../rails/index.ts';
import { publishPublicKeys } from './public-keys.ts';
import { keysFolder, loadSeed, openJournal, readPayouts, serveSigner } from '../signing/index.ts';

const config = loadConfig();
const alarms = new Recent();
configureLog({ level: config.KURS_LOG, fields: { process: 'signer' }, onAlarm: (words) => alarms.note(words) });
openBooks(config);
const seed = loadSeed(config.KURS_DATA);
const journal = openJournal(join(keysFolder(config.KURS_DATA), 'signed.jsonl'));

const [flag, payout] = process.argv.slice(2);
if (flag === '--release' && payout) {
  journal.release(payout, wallClock().toISOString());
  process.stdout.write(`The payout ${payout} may be signed anew once the signer was started again.\n`);
} else {
  await publishPublicKeys(config);
  if (!config.KURS_SIGNER_DATABASE_URL && config.KURS_MODE === 'live')
    throw new ConfigError('The signer reads payouts by a role that may do nothing else: KURS_SIGNER_DATABASE_URL is its address');
  if (!config.KURS_SIGNER_DATABASE_URL)
    log.warn('the signer reads payouts with the rights of the whole product: set KURS_SIGNER_DATABASE_URL');
  const db = openDb({ url: config.KURS_SIGNER_DATABASE_URL || config.DATABASE_URL, name: 'kurs-signer', max: 2 });
  const settings = railsConfig(config);
  const { rails, refused } = await buildSigningRails(settings, seed);
  for (const [rail, reason] of refused) log.alarm('nothing is signed for a rail: it is not set up', { rail, reason });
  const server = await serveSigner(config.KURS_SIGNER_SOCKET, {
    rails,
    journal,
    caps: settings.caps,
    payouts: (ids) => readPayouts(db, ids),
    now: wallClock,
    health: () => ({ stopped: journal.stopped, alarms: alarms.all() }),
  });
  serveAsChild(async () => {
    await server.close();
    await db.close();
    journal.close();
  });
}
