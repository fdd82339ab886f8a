// `npm run init -- --words`: derives the seed of an empty folder from words that somebody has on paper.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fingerprintsOf } from '../platform/index.ts';

const home = mkdtempSync(join(tmpdir(), 'kurs-words-'));
after(() => rmSync(home, { recursive: true }));
const COMMAND = fileURLToPath(new URL('init.ts', import.meta.url));
// From BIP 39's test vectors; the command's own output has none of these words.
const SEED =
  'panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol speed nation flash devote level hobby quick inner drive ghost inside';
const WORDS = SEED.split(' ');
const NUMBERED = WORDS.map((word, at) => `${at + 1}. ${word}`);

let folders = 0;
const newFolder = (): string => join(home, String((folders += 1)));

interface Said {
  readonly code: number | null;
  readonly text: string;
  readonly folder: string;
}

interface Given {
  readonly typed: string;
  readonly mode?: string;
  readonly folder?: string;
  readonly args?: readonly string[];
  /** True if standard input stays open, as at a terminal. */
  readonly isOpen?: boolean;
  /** Input to type after some output. */
  readonly later?: readonly [RegExp, string];
}

function init({ typed, mode = 'live', folder = newFolder(), args = ['--words'], isOpen = false, later }: Given): Promise<Said> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    KURS_DATA: folder,
    KURS_MODE: mode,
    BASE_URL: 'https://kurs.example',
    PATH,
    NODE_COMPILE_CACHE,
  };
  const child: ChildProcess = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (later?.[0].test(text)) child.stdin?.end(`${later[1]}\n`);
  });
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stdin?.on('error', () => {}).write(typed);
  if (!isOpen && !later) child.stdin?.end();
  return new Promise((done) => child.once('close', (code) => done({ code, text, folder })));
}

const seedOf = ({ folder }: Said): string => readFileSync(join(folder, 'keys/seed'), 'utf8');

test('makes the seed from typed words and the other keys anew, in a sandbox too', async () => {
  const typed = NUMBERED.join('\n').toUpperCase();
  // Standard input ends after the last word, or stays open as at a terminal.
  const made = await Promise.all([init({ typed }), init({ typed: `${typed}\n`, mode: 'sandbox', isOpen: true })]);
  for (const one of made) {
    assert.equal(one.code, 0, one.text);
    assert.equal(seedOf(one), `${SEED}\n`);
    assert.equal(fingerprintsOf(one.folder).size, 9);
    // The file that makes the first start enter the restored mode.
    assert.match(readFileSync(join(one.folder, 'keys/restored.json'), 'utf8'), /"from":"words"/);
    assert.deepEqual(readdirSync(one.folder), ['keys']);
    assert.match(one.text, /Every other key is new/);
    assert.match(one.text, /keys -- backup/);
  }
  const [first, second] = made.map(({ folder }) => fingerprintsOf(folder)) as [Map<string, string>, Map<string, string>];
  assert.deepEqual(
    [...first.keys()].filter((name) => second.get(name) === first.get(name)),
    ['seed'],
  );
});

test('refuses words that are no seed, and repeats none of them', async () => {
  const mistyped = NUMBERED.map((line) => line.replace('call', 'abandom')).join('\n');
  const cases: readonly (readonly [string, RegExp])[] = [
    [mistyped, /Word 5 is not one of the list.*Near it: abandon/],
    [[...WORDS.slice(0, 23), 'zoo'].join(' '), /checksum is wrong/],
    [WORDS.slice(0, 23).join(' '), /These were 23 words, and a seed of Kurs has 24/],
    [[...WORDS, WORDS[0]].join('\n'), /These were 25 words/],
  ];
  for (const [typed, words] of cases) {
    const { code, text, folder } = await init({ typed });
    assert.equal(code, 1, text);
    assert.match(text, words);
    assert.match(text, /Nothing was made/);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(/abandom|gorilla/.test(text), false, text);
  }
});

test('asks again for a word that is not in the list', async () => {
  const typed = [...WORDS];
  typed[4] = 'abandom';
  const made = await init({ typed: `${typed.join(' ')}\n`, later: [/Word 5 is not.*Word 5: $/s, WORDS[4] as string] });
  assert.equal(made.code, 0, made.text);
  assert.equal(seedOf(made), `${SEED}\n`);
});

test('refuses words that are given as arguments, and does not repeat them', async () => {
  for (const args of [['--words', ...WORDS], [`--words=${SEED}`]]) {
    const { code, text, folder } = await init({ typed: '', args });
    assert.equal(code, 1);
    assert.match(text, /arguments would be visible/);
    assert.equal(text.includes(WORDS[3] as string) || existsSync(join(folder, 'keys')), false, text);
  }
});

test('refuses a folder that has keys before it asks for a word', async () => {
  const made = await init({ typed: SEED });
  const again = await init({ typed: SEED, folder: made.folder });
  assert.equal(again.code, 1);
  assert.match(again.text, /^There are keys in .* already, and none are overwritten/);
});
