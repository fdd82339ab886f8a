// Planted faults: each is a diff in tools/planted that puts an old fault back. It is applied to a copy of the tree, and the
// tests that it names must fail there.

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
/** Kinds of faults, each with what goes wrong. */
const KINDS = {
  unproven: 'a row that was changed by SQL is used, or not reported',
  outdated: 'an earlier decision takes effect without being checked again',
  concurrent: 'two actions at once spoil each other',
  repeated: 'something is done, booked or counted twice',
  amount: 'a wrong amount is booked, owed or promised',
  observed: 'an answer of a rail, or a missing one, counts as proof',
  access: 'somebody sees or does what they may not',
  limit: 'a limit counts too little, or applies to the wrong group',
  blocking: 'one bad or slow part stops the others, or work grows without bound',
} as const;
/** Folders beside our own files. The copy links the packages in them. */
const NOT_COPIED = new Set(['node_modules', '.git', '.kurs', 'test-results']);
/** Longest time for the tests of one run. */
const TIMEOUT_MS = 800_000;
/** Time to wait for remaining output after a test process ended. */
const CLOSING_MS = 5_000;

/** A fault of the past as changes to the code, with the test files that must fail. */
export interface Planted {
  readonly name: string;
  /** The broken behaviour, in one sentence. */
  readonly fault: string;
  readonly kind: keyof typeof KINDS;
  /** Test files, each of which fails with the fault. */
  readonly foundBy: readonly string[];
  readonly changes: readonly Change[];
}

/** Returns all planted faults, sorted by name. */
export function readAllPlanted(): Planted[] {
  const files = globSync('tools/planted/*.patch', { cwd: ROOT }).sort();
  return files.map((file) => readPlanted(basename(file, '.patch'), readFileSync(join(ROOT, file), 'utf8')));
}

/** Reads one planted fault. Throws if its head is incomplete or names a test that doesn't exist. */
export function readPlanted(name: string, text: string): Planted {
  const head = text.split(/^(?:diff|---) /m)[0] ?? '';
  const field = (key: string): string => {
    const value = new RegExp(`^${key}: (.+)$`, 'm').exec(head)?.[1];
    if (!value) throw new Error(`${name}: its head has no "${key}:"`);
    return value.trim();
  };
  const kind = field('Kind');
  if (!isKind(kind)) throw new Error(`${name}: its kind is one of ${Object.keys(KINDS).join(', ')}`);
  const foundBy = field('Found by').split(/,\s*/);
  const gone = foundBy.filter((file) => !existsSync(join(ROOT, file)));
  if (gone.length > 0) throw new Error(`${name}: there is no ${gone.join(', ')}`);
  const changes = readDiff(text.slice(head.length));
  if (changes.length === 0) throw new Error(`${name}: it changes nothing`);
  return { name, fault: field('Fault'), kind, foundBy, changes };
}

const isKind = (text: string): text is Planted['kind'] => Object.hasOwn(KINDS, text);

export interface Copy {
  readonly root: string;
  /** Folder for temporary files of its tests. */
  readonly scratch: string;
  remove(): void;
}

/** Copies this tree and links its packages, so that faults can be applied to the copy. */
export function copyTree(): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-planted-'));
  const [root, scratch] = [join(folder, 'tree'), join(folder, 'tmp')];
  mkdirSync(root);
  mkdirSync(scratch);
  // PostgreSQL's own user must reach files of tests in there.
  for (const each of [folder, scratch]) chmodSync(each, 0o755);
  for (const name of readdirSync(ROOT).filter((each) => !NOT_COPIED.has(each))) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
  }
  for (const each of ['.', ...readdirSync(ROOT)].filter((one) => existsSync(join(ROOT, one, 'node_modules')))) {
    linkPackages(join(ROOT, each, 'node_modules'), join(root, each, 'node_modules'));
  }
  return { root, scratch, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Links packages. The links to our workspaces are copied as they are, so that they lead to workspaces of the copy. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== '@kurs') symlinkSync(join(from, name), join(to, name));
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}

/** True if a test file could not be loaded: it then fails under its own name, and has found nothing. */
const isNotLoaded = (files: readonly string[], { name, error }: Line): boolean =>
  error !== undefined && files.some((file) => name.endsWith(file));

/**
 * Runs test files in the copy, with the contract tests that they import, and returns the outcome of each test. With
 * `stopsAtFailure` the run ends at the first test that fails.
 */
async function outcomesIn({ root, scratch }: Copy, files: readonly string[], stopsAtFailure = false): Promise<Line[]> {
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
  const ended = once(child, 'exit').then(() => pause(CLOSING_MS, undefined, { ref: false }));
  const [lines, noise] = [[] as Line[], [] as string[]];
  let isLate = false;
  createInterface({ input: child.stdout! }).on('line', (text) => {
    if (!text.startsWith('{"file":')) return void noise.push(text);
    if (text.includes('"note":')) return;
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (stopsAtFailure && line.error !== undefined && !isNotLoaded(files, line)) child.kill('SIGKILL');
  });
  createInterface({ input: child.stderr! }).on('line', (text) => noise.push(text));
  const timer = setTimeout(() => (isLate = child.kill('SIGKILL')), TIMEOUT_MS);
  await Promise.race([once(child, 'close'), ended]);
  clearTimeout(timer);
  const said = noise.join('\n').slice(-4_000);
  if (isLate) throw new Error(`${files.join(', ')} did not end within ${TIMEOUT_MS / 1_000} s:\n${said}`);
  assert.ok(lines.length > 0, `${files.join(', ')} came to no test:\n${said}`);
  const notLoaded = lines.find((line) => isNotLoaded(files, line));
  assert.equal(notLoaded, undefined, `${notLoaded?.name} is not run:\n${said}`);
  return lines;
}

/** Checks that these tests pass on an unmodified copy. */
export async function mustPass(copy: Copy, files: readonly string[]): Promise<void> {
  for (const { file, name, error } of await outcomesIn(copy, [...new Set(files)])) {
    assert.equal(error, undefined, `${relative(copy.root, file)} › ${name} fails without any fault`);
  }
}

/** Applies a fault to a copy, checks that each of its test files fails, and takes the fault out again. */
export async function mustBeFound(copy: Copy, { fault, foundBy, changes }: Planted): Promise<void> {
  const takeOut = applyChanges(copy.root, changes);
  try {
    // One file at a time: a contract test doesn't say which of the files that import it has failed.
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
