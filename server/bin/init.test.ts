// The commands that make and store keys, run like an operator does, with answers on standard input.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fingerprintsOf } from '../platform/index.ts';

const home = mkdtempSync(join(tmpdir(), 'kurs-init-'));
const [data, other, none] = ['data', 'other', 'none'].map((name) => join(home, name)) as [string, string, string];
after(() => rmSync(home, { recursive: true }));

interface Said {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a command. `answer` returns the input for each question; undefined ends standard input. */
function run(
  [file, ...args]: [string, ...string[]],
  {
    folder,
    mode = 'live',
    answer = () => undefined,
  }: { folder: string; mode?: string; answer?: (said: string) => string | undefined },
): Promise<Said> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    KURS_DATA: folder,
    KURS_MODE: mode,
    BASE_URL: 'https://kurs.example',
    PATH,
    NODE_COMPILE_CACHE,
  };
  const command = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [command, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  const hear = (chunk: Buffer): void => {
    text += chunk.toString();
    if (!/(Word \d+|Passphrase): $/.test(text)) return;
    const given = answer(text);
    if (given === undefined) child.stdin?.end();
    else child.stdin?.write(`${given}\n`);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, text })));
}

const wordsIn = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/ {2}(\d{1,2}) ([a-z]+)/g)].map(([, at, word]) => [at as string, word as string]));
const requested = (text: string): string => /Word (\d+): $/.exec(text)?.[1] as string;

test('keys for real money are stored once all words are repeated, and never replace others', async () => {
  const places: string[] = [];
  const answer = (said: string): string | undefined => {
    places.push(requested(said));
    // A wrong word doesn't end the command.
    return places.length === 7 ? 'slip' : wordsIn(said).get(requested(said));
  };
  const made = await run(['init.ts'], { folder: data, answer });
  assert.equal(made.code, 0, made.text);
  const words = wordsIn(made.text);
  assert.equal(words.size, 24);
  assert.equal(readFileSync(join(data, 'keys/seed'), 'utf8').trim(), [...words.values()].join(' '));
  assert.deepEqual([places.length, new Set(places).size], [25, 24]);
  assert.match(made.text, /That is not word 7\. Words 1 to 6 were right\./);
  assert.equal(fingerprintsOf(data).size, 9);
  assert.deepEqual(readdirSync(data), ['keys']);
  const again = await run(['init.ts'], { folder: data });
  assert.match(again.text, /There are keys in .* already/);
  assert.equal(again.code, 1);
});

test('nothing is stored if the words are not repeated', async () => {
  const oneWrong = (said: string): string | undefined =>
    requested(said) === '24' ? 'wrong' : wordsIn(said).get(requested(said));
  for (const answer of [() => undefined, oneWrong]) {
    const { code, text } = await run(['init.ts'], { folder: none, answer });
    assert.equal(code, 1);
    assert.match(text, /Nothing was made/);
    assert.deepEqual(readdirSync(none), []);
  }
});

test('existing files are reported before any question', async () => {
  const left = join(home, 'left');
  mkdirSync(join(left, 'keys'), { recursive: true });
  writeFileSync(join(left, 'keys/desk.json'), '[]');
  const { code, text } = await run(['init.ts'], { folder: left });
  assert.equal(code, 1);
  assert.match(text, /^.*left\/keys is not empty: desk\.json\. Put that aside first\. Nothing was made or changed\.\n$/);
});

test('a backup needs its passphrase, is restored elsewhere, and overwrites nothing', async () => {
  const file = join(home, 'backup');
  const short = await run(['keys.ts', 'backup', file], { folder: data, answer: () => 'short' });
  assert.deepEqual([short.code, existsSync(file)], [1, false]);
  const passphrase = 'a passphrase of some length';
  const done = await run(['keys.ts', 'backup', file], { folder: data, answer: () => passphrase });
  assert.equal(done.code, 0, done.text);
  assert.equal(done.text.includes(passphrase), false);
  const wrong = await run(['keys.ts', 'restore', file], { folder: other, answer: () => `${passphrase}!` });
  assert.match(wrong.text, /^.*The passphrase is another one/s);
  assert.equal(fingerprintsOf(other).size, 0);
  assert.equal((await run(['keys.ts', 'restore', file], { folder: other, answer: () => passphrase })).code, 0);
  assert.deepEqual(fingerprintsOf(other), fingerprintsOf(data));
  const { id } = JSON.parse(readFileSync(join(other, 'keys', 'restored.json'), 'utf8')) as { id: string };
  assert.match(id, /^[0-9a-f-]{36}$/, 'the next start pays nothing out');
  const over = await run(['keys.ts', 'restore', file], { folder: other, answer: () => passphrase });
  assert.match(over.text, /none are overwritten/);
});

test('fingerprints are shown; a sandbox needs no words back', async () => {
  const shown = await run(['keys.ts'], { folder: data });
  assert.equal(shown.code, 0, shown.text);
  assert.match(shown.text, /seed +([0-9a-f]{4} ?){8}\n/);
  assert.match(shown.text, /no database yet/);
  const sandbox = await run(['init.ts'], { folder: none, mode: 'sandbox' });
  assert.match(sandbox.text, /A sandbox makes its keys automatically/);
  assert.equal(sandbox.code, 1);
});
