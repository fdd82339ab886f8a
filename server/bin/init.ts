// `npm run init`: makes the keys of a new installation for real money. Shows the 24 words of the seed, this once, asks three of
// them back, and keeps nothing unless they are right. Answers are read from standard input.

import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, fingerprintsOf, loadConfig, makeKeys, missingKeys,
  newSeed, placeKeys, takeFolder } from '../platform/index.ts'; // prettier-ignore
import { type Questions, openQuestions, runCommand, shownFingerprint } from '../terminal/index.ts';

import { hasNoDatabase, requireNoKeys } from '../supervisor/index.ts';

const ASKED = 3;
const TRIES = 3;
const say = (words: string): void => void process.stdout.write(`${words}\n`);

await runCommand(async () => {
  const config = loadConfig();
  if (config.KURS_MODE !== 'live') {
    throw new ConfigError('A sandbox makes its keys by itself at its first start. For real money: KURS_MODE=live npm run init');
  }
  const release = takeFolder(config.KURS_DATA);
  try {
    await init(config);
  } finally {
    release();
  }
});

async function init(config: Config): Promise<void> {
  const folder = join(config.KURS_DATA, 'keys');
  requireNoKeys(config.KURS_DATA);
  if (!(await hasNoDatabase(config))) {
    throw new ConfigError('This database is in use: its keys are restored by npm run keys -- restore FILE, never made anew.');
  }
  const seed = newSeed();
  const questions = openQuestions();
  try {
    if (!(await areWrittenDown(questions, seed.split(' ')))) {
      throw new ConfigError('The words were not given back. Nothing was made: begin again with npm run init.');
    }
  } finally {
    questions.close();
  }
  keep(config.KURS_DATA, seed);
  for (const [name, fingerprint] of fingerprintsOf(config.KURS_DATA))
    say(`  ${name.padEnd(28)} ${shownFingerprint(fingerprint)}`);
  say(`\nThe keys lie in ${folder}. The words bring back coins and nothing else: sealed vouchers, second factors and the books'
marks need the whole folder. Make a backup now, and keep it elsewhere: npm run keys -- backup FILE
Then: npm start`);
}

/** Shows the words, and asks some of them back. */
async function areWrittenDown(questions: Questions, words: readonly string[]): Promise<boolean> {
  say(`From these ${words.length} words every address and every key of coins is derived. Anyone who has them has the coins; without them
and without a backup the coins are lost. Write them on paper, in this order. They are shown this once.\n`);
  for (let at = 0; at < words.length; at += 4) {
    say(words.slice(at, at + 4).map((word, offset) => `${String(at + offset + 1).padStart(4)} ${word.padEnd(10)}`).join('')); // prettier-ignore
  }
  say('');
  const places = words.map((_, at) => at);
  let tries = 0;
  for (let asked = 0; asked < ASKED; asked += 1) {
    const [at] = places.splice(randomInt(places.length), 1) as [number];
    for (;;) {
      const answer = await questions.ask(`Word ${at + 1}: `);
      if (answer === undefined) return false;
      if (answer.toLowerCase() === words[at]) break;
      tries += 1;
      if (tries === TRIES) return false;
      say(`That is not word ${at + 1}. Look at what you wrote.`);
    }
  }
  return true;
}

/** All keys or none: they are made beside their folder and moved there. */
function keep(dataFolder: string, seed: string): void {
  const draft = mkdtempSync(join(dataFolder, 'init-'));
  try {
    makeKeys(draft, () => seed);
    const names = readdirSync(join(draft, 'keys'));
    placeKeys(dataFolder, new Map(names.map((name) => [name, readFileSync(join(draft, 'keys', name))])));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const missing = missingKeys(dataFolder);
  if (missing.length > 0) throw new Error(`${missing.join(', ')} could not be made`);
}
