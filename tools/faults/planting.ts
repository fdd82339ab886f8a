// Planted faults: old faults, each as a diff in tools/planted, put back into a copy of the tree to see that the tests
// which are named with it find it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Change, applyChanges, readDiff } from './patch.ts';
import type { Line } from '../runner/reporter.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/**
 * - `proof`: what a look-up proves of a payout · `decided-twice`: decided at one time and done at another · `price`: booked
 *   otherwise than shown · `debt`: what is owed or differs stops nothing · `sighting`: payments on their way to us ·
 *   `books`: what the books don't accuse · `bounds`: sums from which people are asked ·
 *   `door`: what comes in and who · `house`: keys, caches, files, settings, alarms
 */
const KINDS = ['proof', 'decided-twice', 'price', 'debt', 'sighting', 'books', 'bounds', 'door', 'house'] as const;
/** A tree has these beside its own files; the copy links what programs need of them. */
const NOT_COPIED = new Set(['node_modules', '.git', '.kurs', 'test-results']);
const MOST_MS = 800_000;
/** What a test started has ended so soon after it, or is left to itself. */
const LAST_WORDS_MS = 5_000;

/** An old fault and who has to find it. */
export interface Planted {
  readonly name: string;
  /** What is broken, in one sentence. */
  readonly fault: string;
  readonly kind: (typeof KINDS)[number];
  /** Test files, each of which fails with the fault. */
  readonly foundBy: readonly string[];
  readonly changes: readonly Change[];
}

/** All planted faults, by their files' names. */
export function readAllPlanted(): Planted[] {
  const files = globSync('tools/planted/*.patch', { cwd: ROOT }).sort();
  return files.map((file) => readPlanted(basename(file, '.patch'), readFileSync(join(ROOT, file), 'utf8')));
}

/** Reads one planted fault. Throws where its head lacks something or names a test that isn't there. */
export function readPlanted(name: string, text: string): Planted {
  const head = text.split(/^(?:diff|---) /m)[0] ?? '';
  const field = (key: string): string => {
    const value = new RegExp(`^${key}: (.+)$`, 'm').exec(head)?.[1];
    if (!value) throw new Error(`${name}: its head has no "${key}:"`);
    return value.trim();
  };
  const kind = KINDS.find((each) => each === field('Kind'));
  if (!kind) throw new Error(`${name}: its kind is one of ${KINDS.join(', ')}`);
  const foundBy = field('Found by').split(/,\s*/);
  const gone = foundBy.filter((file) => !existsSync(join(ROOT, file)));
  if (gone.length > 0) throw new Error(`${name}: there is no ${gone.join(', ')}`);
  const changes = readDiff(text.slice(head.length));
  if (changes.length === 0) throw new Error(`${name}: it changes nothing`);
  return { name, fault: field('Fault'), kind, foundBy, changes };
}

/** One of each kind, whose tests need no database: what a quick run has time for. */
export function oneOfEachKind(all: readonly Planted[]): Planted[] {
  const isQuick = ({ foundBy }: Planted): boolean => foundBy.every((file) => !/\.(db|full|wide)\./.test(file));
  return KINDS.flatMap((kind) => all.find((each) => each.kind === kind && isQuick(each)) ?? []);
}

/**
 * One of several shares of the faults, counted from 1, as many in each as comes out. Those that the same test finds are in
 * one, so that it has to hold once only.
 */
export function shareOf(all: readonly Planted[], share: number, shares: number): Planted[] {
  const dealt = Array.from({ length: shares }, (): Planted[] => []);
  const byFinder = [...Map.groupBy(all, ({ foundBy }) => foundBy[0]).values()].sort((a, b) => b.length - a.length);
  for (const group of byFinder) dealt.reduce((least, each) => (each.length < least.length ? each : least)).push(...group);
  return dealt[share - 1] ?? [];
}

export interface Copy {
  readonly root: string;
  /** Where its tests put what they leave behind. */
  readonly scratch: string;
  remove(): void;
}

/** A copy of this tree beside its packages, for faults to be put into. */
export function copyTree(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-planted-'));
  const [root, scratch] = [join(folder, 'tree'), join(folder, 'tmp')];
  mkdirSync(root);
  mkdirSync(scratch);
  // PostgreSQL's own user reaches what tests keep there.
  for (const each of [folder, scratch]) chmodSync(each, 0o755);
  for (const name of readdirSync(ROOT).filter((each) => !NOT_COPIED.has(each))) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  }
  for (const each of ['.', ...readdirSync(ROOT)].filter((one) => existsSync(join(ROOT, one, 'node_modules')))) {
    linkPackages(join(ROOT, each, 'node_modules'), join(root, each, 'node_modules'));
  }
  return { root, scratch, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The same packages; the workspaces among them are those of the copy, whose links lead out of the folder. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== '@kurs') symlinkSync(join(from, name), join(to, name));
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}

/** A file that can't be loaded fails by its own name: that finds nothing. */
const isUnread = (files: readonly string[], { name, error }: Line): boolean =>
  error !== undefined && files.some((file) => name.endsWith(file));

/**
 * What came of the tests of these files, those of the contracts that they bring in among them; where one that fails is
 * enough, no more than that. What a test leaves open keeps nothing waiting.
 */
async function outcomesIn({ root, scratch }: Copy, files: readonly string[], isOneEnough = false): Promise<Line[]> {
  const flags = [
    '--test',
    '--test-isolation=none',
    '--test-force-exit',
    `--import=${join(ROOT, 'tools/runner/tether.ts')}`,
    `--test-reporter=${join(ROOT, 'tools/runner/reporter.ts')}`,
    '--test-reporter-destination=stdout',
  ];
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, TMPDIR: scratch };
  const child = spawn(process.execPath, [...flags, ...files], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const ended = once(child, 'exit').then(() => pause(LAST_WORDS_MS, undefined, { ref: false }));
  const [lines, noise] = [[] as Line[], [] as string[]];
  let isLate = false;
  createInterface({ input: child.stdout! }).on('line', (text) => {
    if (!text.startsWith('{"file":')) return void noise.push(text);
    if (text.includes('"note":')) return;
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (isOneEnough && line.error !== undefined && !isUnread(files, line)) child.kill('SIGKILL');
  });
  createInterface({ input: child.stderr! }).on('line', (text) => noise.push(text));
  const timer = setTimeout(() => (isLate = child.kill('SIGKILL')), MOST_MS);
  await Promise.race([once(child, 'close'), ended]);
  clearTimeout(timer);
  const said = noise.join('\n').slice(-4_000);
  if (isLate) throw new Error(`${files.join(', ')} did not end within ${MOST_MS / 1_000} s:\n${said}`);
  assert.ok(lines.length > 0, `${files.join(', ')} came to no test:\n${said}`);
  const unread = lines.find((line) => isUnread(files, line));
  assert.equal(unread, undefined, `${unread?.name} is not run:\n${said}`);
  return lines;
}

/** Sees that these tests hold in a copy into which nothing was planted. */
export async function mustHold(copy: Copy, files: readonly string[]): Promise<void> {
  for (const { file, name, error } of await outcomesIn(copy, [...new Set(files)])) {
    assert.equal(error, undefined, `${relative(copy.root, file)} › ${name} fails without any fault`);
  }
}

/** Plants a fault into a copy and sees that each of its tests fails; the copy is then as it was. */
export async function mustBeFound(copy: Copy, { fault, foundBy, changes }: Planted): Promise<void> {
  const takeOut = applyChanges(copy.root, changes);
  try {
    // One file at a time: a test of a contract doesn't tell which of the files that bring it in it failed for.
    for (const file of foundBy) {
      const outcomes = await outcomesIn(copy, [file], true);
      assert.ok(
        outcomes.some(({ error }) => error !== undefined),
        `${file} does not find it: ${fault}`,
      );
    }
  } finally {
    takeOut();
  }
}
