// `npm run init`: makes the keys of a new installation for real money. Shows the 24 words of the seed and asks for all of them;
// nothing is stored unless they are right. `npm run init -- --words`: derives the seed from words that somebody has on paper; the
// other keys are new. Answers are read from standard input, never from arguments.

import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Config,
  ConfigError,
  fingerprintsOf,
  loadConfig,
  makeKeys,
  missingKeys,
  newSeed,
  placeKeys,
  takeFolder,
  wallClock,
} from '../platform/index.ts';
import { UsageError, areWrittenDown, askSeed, openQuestions, runCommand, shownFingerprint } from '../terminal/index.ts';

import { RESTORE_MARK, hasNoDatabase, newRestoreMark, requireNoKeys, requireUnbegun } from '../supervisor/index.ts';

const say = (words: string): void => void process.stdout.write(`${words}\n`);

const USAGE = `npm run init               makes the keys of a new installation and shows the words of its seed
npm run init -- --words    makes them with a seed from words that you have. Type or pipe the words; arguments would be visible in
                           the shell's history and the list of processes`;

await runCommand(async () => {
  const [flag, ...more] = process.argv.slice(2);
  const isFromWords = flag === '--words';
  if (more.length > 0 || (flag !== undefined && !isFromWords)) throw new UsageError(USAGE);
  const config = loadConfig();
  if (config.KURS_MODE !== 'live' && !isFromWords) {
    throw new ConfigError(
      'A sandbox makes its keys automatically at its first start. For real money: KURS_MODE=live npm run init',
    );
  }
  const release = takeFolder(config.KURS_DATA);
  try {
    requireNoKeys(config.KURS_DATA);
    await (isFromWords ? initFromWords(config) : init(config));
  } finally {
    release();
  }
});

async function init(config: Config): Promise<void> {
  if (!(await hasNoDatabase(config))) {
    throw new ConfigError('This database is in use: restore its keys by npm run keys -- restore FILE.');
  }
  const seed = newSeed();
  const questions = openQuestions({ isSecret: true });
  try {
    say(`From these 24 words every address and every key of coins is derived. Anyone who has them has the coins; without them and
without a backup the coins are lost. Write them on paper, in this order. Once you have typed them back they are never shown again.
`);
    if (!(await areWrittenDown(questions, seed.split(' ')))) {
      throw new ConfigError('The words were not typed back. Nothing was made: begin again with npm run init.');
    }
  } finally {
    questions.close();
  }
  storeSeed(config.KURS_DATA, seed);
  reportKeys(config);
  say(`The words restore coins and nothing else: sealed vouchers, second factors and the books' MACs need the whole folder. Make a
backup now, and store it elsewhere: npm run keys -- backup FILE
Then: npm start. Once it runs, the first person of the desk: npm run hire -- NAME operator --to FILE`);
}

async function initFromWords(config: Config): Promise<void> {
  const questions = openQuestions({ isSecret: true });
  const seed = await askSeed(questions).finally(() => questions.close());
  await requireUnbegun(config, seed);
  storeSeed(config.KURS_DATA, seed, [[RESTORE_MARK, newRestoreMark(wallClock(), 'words')]]);
  reportKeys(config);
  say(`The seed is the one of the words: receiving addresses and hot wallets are the same as before. Every other key is new. Orders, books,
customers and the desk's people are not in the words: only a backup of the database and the keys restores them.
Make a backup now: npm run keys -- backup FILE
Then npm start; docs/operations.md, "From the 24 words", says what comes next.`);
}

function reportKeys({ KURS_DATA: folder }: Config): void {
  for (const [name, fingerprint] of fingerprintsOf(folder)) say(`  ${name.padEnd(28)} ${shownFingerprint(fingerprint)}`);
  say(`\nThe keys lie in ${join(folder, 'keys')}.`);
}

/** Stores all keys and their accompanying files, or nothing: they are made in a temporary folder and moved. */
function storeSeed(dataFolder: string, seed: string, beside: readonly (readonly [string, Buffer])[] = []): void {
  const draft = mkdtempSync(join(dataFolder, 'init-'));
  try {
    makeKeys(draft, () => seed);
    const names = readdirSync(join(draft, 'keys'));
    const keys = names.map((name) => [name, readFileSync(join(draft, 'keys', name))] as const);
    placeKeys(dataFolder, new Map([...keys, ...beside]));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const missing = missingKeys(dataFolder);
  if (missing.length > 0) throw new Error(`${missing.join(', ')} could not be made`);
}
