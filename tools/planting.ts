// Planted faults: old faults, each as a diff in tools/planted, put back into a copy of the tree to see that the tests
// which are named with it find it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Change, applyChanges, readDiff } from './patch.ts';
import type { Line } from './reporter.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/**
 * - `proof`: what a look-up proves of a payout · `decided-twice`: decided at one time and done at another · `price`: booked
 *   otherwise than shown · `debt`: what is owed or differs stops nothing · `sighting`: payments on their way to us ·
 *   `books`: what the books don't accuse · `bounds`: sums from which people are asked ·
 *   `door`: what comes in and who · `house`: keys, caches, files, settings, alarms
 */
const KINDS = ['proof', 'decided-twice', 'price', 'debt', 'sighting', 'books', 'bounds', 'door', 'house'] as const;
/** A tree has these beside its own files; the copy links what programs need of them. */
const NOT_COPIED = new Set(['node_modules', '.git', '.kurs', 'test-results']);
const MOST_MS = 400_000;

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

export interface Copy {
  readonly root: string;
  remove(): void;
}

/** A copy of this tree beside its packages, for faults to be put into. */
export function copyTree(): Copy {
  const root = mkdtempSync(join(tmpdir(), 'kurs-planted-'));
  for (const name of readdirSync(ROOT).filter((each) => !NOT_COPIED.has(each))) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  }
  for (const folder of ['.', ...readdirSync(ROOT)].filter((each) => existsSync(join(ROOT, each, 'node_modules')))) {
    linkPackages(join(ROOT, folder, 'node_modules'), join(root, folder, 'node_modules'));
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** The same packages; the workspaces among them are those of the copy, whose links lead out of the folder. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== '@kurs') symlinkSync(join(from, name), join(to, name));
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}

/** Runs test files in a copy: its lines, and what it said besides them. */
async function runIn(root: string, files: readonly string[]): Promise<{ lines: Line[]; noise: string }> {
  const flags = [
    '--test',
    '--test-isolation=none',
    `--import=${join(ROOT, 'tools/tether.ts')}`,
    `--test-reporter=${join(ROOT, 'tools/reporter.ts')}`,
    '--test-reporter-destination=stdout',
  ];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, [...flags, ...files], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const said = { out: '', err: '' };
  child.stdout!.on('data', (text: Buffer) => (said.out += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (said.err += text.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  const signal = await new Promise<NodeJS.Signals | null>((done) => child.once('close', (_code, by) => done(by)));
  clearTimeout(timer);
  if (signal) throw new Error(`${files.join(', ')} did not end within ${MOST_MS / 1_000} s`);
  const [lines, noise] = [[] as Line[], [] as string[]];
  for (const line of said.out.split('\n')) {
    if (!line.startsWith('{"file":')) noise.push(line);
    else if (!line.includes('"note":')) lines.push(JSON.parse(line) as Line);
  }
  return { lines, noise: [...noise, said.err].join('\n').slice(-4_000) };
}

/** What came of the tests of these files, those of the contracts that they bring in among them. */
async function outcomesIn(root: string, files: readonly string[]): Promise<Line[]> {
  const { lines, noise } = await runIn(root, files);
  assert.ok(lines.length > 0, `${files.join(', ')} came to no test:\n${noise}`);
  // A file that can't be loaded fails by its own name: that finds nothing.
  const unread = files.find((file) => lines.some(({ name, error }) => error && name.endsWith(file)));
  assert.equal(unread, undefined, `${unread} is not run:\n${noise}`);
  return lines;
}

/** Sees that these tests hold in a copy into which nothing was planted. */
export async function mustHold({ root }: Copy, files: readonly string[]): Promise<void> {
  for (const { file, name, error } of await outcomesIn(root, [...new Set(files)])) {
    assert.equal(error, undefined, `${relative(root, file)} › ${name} fails without any fault`);
  }
}

/** Plants a fault into a copy and sees that each of its tests fails; the copy is then as it was. */
export async function mustBeFound({ root }: Copy, { fault, foundBy, changes }: Planted): Promise<void> {
  const takeOut = applyChanges(root, changes);
  try {
    // One file at a time: a test of a contract doesn't tell which of the files that bring it in it failed for.
    for (const file of foundBy) {
      const outcomes = await outcomesIn(root, [file]);
      assert.ok(
        outcomes.some(({ error }) => error !== undefined),
        `${file} does not find it: ${fault}`,
      );
    }
  } finally {
    takeOut();
  }
}
