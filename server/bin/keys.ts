// `npm run keys`: shows the fingerprints of this installation's keys, makes and restores encrypted backups, and makes new
// versions of the server's and the receipts' key. A passphrase is read from standard input.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Config,
  ConfigError,
  type KeyKind,
  MIN_PASSPHRASE,
  fingerprintsOf,
  knownFingerprints,
  loadConfig,
  openKeys,
  placeKeys,
  replaceFile,
  rotateKey,
  sealKeys,
  takeFolder,
  wallClock,
} from '../platform/index.ts';
import { INDEXES, type OwnAddress, everyOwnAddresses } from '../rails/index.ts';
import { beginJournal, keysFolder, openJournal } from '../signing/index.ts';
import { openQuestions, UsageError, runCommand, shownFingerprint } from '../terminal/index.ts';

import {
  withDatabase,
  hasNoDatabase,
  letKnow,
  over,
  NEEDS,
  requireNoKeys,
  RESTORE_MARK,
  newRestoreMark,
  type OneRole,
  ownPublicKeys,
  shareKeys,
} from '../supervisor/index.ts';

const USAGE = `npm run keys                          shows the fingerprints of the keys, here and in the database
npm run keys -- backup FILE           writes the folder of keys into a file, encrypted under a passphrase
npm run keys -- restore FILE          restores the folder from such a file; nothing is overwritten
npm run keys -- rotate server|receipt makes a new version of a key, while nothing runs; anything sealed or signed by older
                                      versions stays valid
npm run keys -- share api|console|worker|signer FOLDER
                                      writes the keys that a machine with KURS_ROLE needs, and no others, for its KURS_DATA
npm run keys -- addresses CURRENCY N [FROM]
                                      shows our own addresses on the currency's chain with their paths: N receiving ones from the
                                      index FROM (0), and the change or the hot wallet's; uses no database and no network
npm run keys -- journal-lost          declares the journal of signed sends (keys/signed.jsonl) lost for good: the signer continues
                                      with a new one, without knowing earlier sends
A passphrase is typed, or read from standard input: npm run keys -- backup FILE < PASSPHRASE-FILE`;

const say = (words: string): void => void process.stdout.write(`${words}\n`);

await runCommand(() => act(loadConfig(), process.argv.slice(2)));

async function act(config: Config, [command, what, ...more]: readonly string[]): Promise<void> {
  if (command === undefined) return show(config);
  if (command === 'journal-lost' && what === undefined) return journalLost(config);
  if (command === 'share') return share(config, what, more);
  if (command === 'addresses') return addresses(config, what, more);
  if (what === undefined || more.length > 0) throw new UsageError(USAGE);
  if (command === 'backup') return backup(config, what);
  if (command === 'restore') return restore(config, what);
  if (command === 'rotate' && (what === 'server' || what === 'receipt')) return rotate(config, what);
  throw new UsageError(USAGE);
}

async function show(config: Config): Promise<void> {
  const here = fingerprintsOf(config.KURS_DATA);
  if (here.size === 0) say(`There are no keys in ${join(config.KURS_DATA, 'keys')}.`);
  for (const [name, fingerprint] of here) say(`  ${name.padEnd(28)} ${shownFingerprint(fingerprint)}`);
  if (config.KURS_ROLE === 'all' && (await hasNoDatabase(config))) return say('There is no database yet.');
  const known = await withDatabase(config, (url) => over(url, knownFingerprints));
  say(known.size === 0 ? 'The database has no fingerprints yet.' : 'They match those in the database.');
}

async function backup({ KURS_DATA: folder }: Config, file: string): Promise<void> {
  if (existsSync(file)) throw new ConfigError(`${file} is there already: name another file.`);
  if (!existsSync(dirname(file))) throw new ConfigError(`There is no folder ${dirname(file)}.`);
  if (fingerprintsOf(folder).size === 0) throw new ConfigError(`There are no keys in ${join(folder, 'keys')}.`);
  const passphrase = await newPassphrase();
  replaceFile(file, sealKeys(folder, passphrase));
  say(`${file} contains the keys and the journal of everything signed until now. Store it on another machine, and the
passphrase in yet another place: without it nobody can open the file. Make a new backup after each rotation.`);
}

/** Asks for a new passphrase: twice at a terminal, to catch typing errors, and once from a program. */
async function newPassphrase(): Promise<string> {
  const questions = openQuestions();
  try {
    const first = (await questions.ask('Passphrase: ', { isHidden: true })) ?? '';
    if (first.length < MIN_PASSPHRASE) throw new ConfigError(`A passphrase has at least ${MIN_PASSPHRASE} characters.`);
    if (process.stdin.isTTY && (await questions.ask('Again: ', { isHidden: true })) !== first) {
      throw new ConfigError('The passphrases differ. Nothing was written.');
    }
    return first;
  } finally {
    questions.close();
  }
}

async function restore({ KURS_DATA: folder }: Config, file: string): Promise<void> {
  const release = takeFolder(folder);
  try {
    requireNoKeys(folder);
    // Read the file first, so that nobody enters a passphrase for a missing file.
    const sealed = readFileSync(file);
    const questions = openQuestions();
    const passphrase = (await questions.ask('Passphrase: ', { isHidden: true })) ?? '';
    questions.close();
    // The mark starts the restored mode: nothing is paid out until two people have checked what the backup doesn't know.
    placeKeys(folder, new Map([...openKeys(sealed, passphrase), [RESTORE_MARK, newRestoreMark(wallClock())]]));
  } finally {
    release();
  }
  for (const [name, fingerprint] of fingerprintsOf(folder)) say(`  ${name.padEnd(28)} ${shownFingerprint(fingerprint)}`);
  say(`The keys are in ${join(folder, 'keys')}. The signer's journal is as old as the backup and lacks everything signed since.
First stop the old machine for good: two machines with the same keys pay twice. If it still has keys/signed.jsonl, copy that file
here before the next start.
That start pays nothing out until two people of the desk have ended the restored mode: npm run desk -- restored`);
}

/** Records a person's word that the journal of all sends of this database is lost. */
async function journalLost(config: Config): Promise<void> {
  const journal = openJournal(join(keysFolder(config.KURS_DATA), 'signed.jsonl'));
  try {
    await withDatabase(config, (url) => over(url, (db) => beginJournal(db, journal, wallClock())));
  } finally {
    journal.close();
  }
  say(`A new journal begins: only the database knows what was signed up to now. Start the product again (of several
machines: the signer), and make a backup: npm run keys -- backup FILE`);
}

/** Prints our own addresses, derived from the keys alone. */
async function addresses(config: Config, currency: string | undefined, [count = '', from = '0', ...more]: readonly string[]) {
  if (currency === undefined || more.length > 0) throw new UsageError(USAGE);
  const [first, max] = [wholeNumber(from), wholeNumber(count)];
  if (max === 0 || first + max > INDEXES) throw new UsageError(`N is at least 1, and the last index is ${INDEXES - 1}.`);
  const chains = await everyOwnAddresses(await ownPublicKeys(config));
  const chain = chains.find(({ currencies }) => currencies.includes(currency.toUpperCase()));
  if (!chain) {
    const all = chains.flatMap(({ currencies }) => currencies);
    throw new UsageError(`There are no addresses of ${currency}. There are some of ${all.join(', ')}.`);
  }
  const { network, currencies, type, receiving, change, hot } = chain;
  say(`${network}: ${currencies.join(', ')} · ${type}`);
  const report = (kind: string, { path, address }: OwnAddress): void => say(`${kind.padEnd(21)}${path.padEnd(28)}${address}`);
  if (hot) report('hot wallet', hot);
  const indexes = Array.from({ length: max }, (_, at) => first + at);
  for (const index of indexes) report(`receiving ${index}`, receiving(index));
  if (change) for (const index of indexes) report(`change ${index}`, change(index));
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(USAGE);
  return Number.parseInt(text, 10);
}

/** Throws a ConfigError on a machine that has only one role's keys. */
function requireAllKeys({ KURS_ROLE: role }: Config): void {
  if (role !== 'all') throw new ConfigError(`Run this on the machine with all keys; here KURS_ROLE is ${role}.`);
}

async function share(config: Config, role: string | undefined, [folder, ...more]: readonly string[]): Promise<void> {
  if (role === undefined || !Object.hasOwn(NEEDS, role) || folder === undefined || more.length > 0) throw new UsageError(USAGE);
  requireAllKeys(config);
  const files = await shareKeys(config, role as OneRole, folder);
  say(`${join(folder, 'keys')} contains what KURS_ROLE=${role} needs: ${files.join(', ')}.
Bring the folder to that machine as its KURS_DATA, in a way that nobody else reads it, and remove it here.`);
  if (role === 'signer')
    say(
      'Only one signer may run over a database: from its first start on, the journal of signed sends is written there, not here.',
    );
}

async function rotate(config: Config, kind: KeyKind): Promise<void> {
  requireAllKeys(config);
  // Running processes know only the key versions of their start, and couldn't open what another process seals with the new one.
  // So this fails while the product runs.
  const release = takeFolder(config.KURS_DATA);
  release();
  const name = await withDatabase(config, async (_, ownerUrl) => {
    const made = rotateKey(config.KURS_DATA, kind);
    await letKnow(ownerUrl, config);
    return made;
  });
  const fingerprint = fingerprintsOf(config.KURS_DATA).get(name) as string;
  say(`  ${name.padEnd(28)} ${shownFingerprint(fingerprint)}`);
  say(
    'It is used from the next start on. Leave the older versions in place, since anything that they sealed or signed needs them. Make a new backup.',
  );
}
