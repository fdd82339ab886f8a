// `npm test`: static checks, then every test, then the journeys; a closing line with the counts.
//
//   node tools/test.ts            everything that fits in some minutes
//   node tools/test.ts --check    static checks only
//   node tools/test.ts --full     also *.full.test.ts: long seeds, every page
//   node tools/test.ts <words>    only test files whose path holds one of the words, without the static checks

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ensureTemplate, startTestServer } from '../server/platform/testing.ts';
import type { Line, Note } from './reporter.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const BIN = join(ROOT, 'node_modules/.bin');
const DURATIONS = join(ROOT, 'node_modules/.cache/kurs/durations.json');
const ROOMS = ['money', 'contract', 'server', 'web', 'sandbox', 'tools', 'bench', 'e2e'];
const LANES = Math.max(2, availableParallelism());
/** Processes that share the quick pure files: so many for each lane, and none for fewer files than are worth one. */
const SHARES_A_LANE = 4;
const WORTH_A_PROCESS = 10;
const QUIET_LINES = 60;
const TOLD_AGAIN_LINES = 12;
/** A file that takes long says so often how far it is. */
const PROGRESS_MS = 60_000;
const WIDTH = 120;
const BETWEEN = ' · ';

// What Node has made of our files is kept for the next of many processes.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/kurs/compiled');

const options = process.argv.slice(2);
const isFull = options.includes('--full');
// What is gone through in both languages, or in one.
if (isFull) process.env['KURS_TEST_FULL'] = '1';
const words = options.filter((option) => !option.startsWith('--'));
const begin = performance.now();
const running = new Set<ChildProcess>();
const counts = { passed: 0, failed: 0 };
/** What failed, told once more at the end: whoever keeps only the end of the output finds it there. */
const failures: string[] = [];

/** Processes to run one after the other in a lane, heaviest first. */
type Batch = { name: string; files: string[]; minutes: number };

async function main(): Promise<void> {
  if (words.length === 0) await lanes(checks(), 2, runCheck);
  if (!options.includes('--check')) await runTests();
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  if (failures.length > 0) process.stdout.write(`\n${failures.join('\n')}\n`);
  const verdict = counts.failed === 0 ? 'passed' : 'FAILED';
  process.stdout.write(`\n${verdict}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s\n`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

async function runTests(): Promise<void> {
  const { pure, wide, database, journeys } = findTests();
  const found = [pure, wide, database, journeys].flat();
  if (found.length === 0) return fail('test', `no test file matches ${words.join(' ')}`);
  const server = database.length + wide.length > 0 ? await startTestServer() : undefined;
  try {
    if (server) {
      process.env['KURS_TEST_DATABASE_URL'] = server.url;
      await ensureTemplate(server.url);
    }
    await lanes(inOrder(wide), 1, runBatch);
    // Batches of many first: what is left at the end is short, and no core waits long for another.
    await lanes([...together(pure), ...inOrder(database)], LANES, runBatch);
    // A journey often waits for blocks and pages: one more than there are cores.
    await lanes(journeyBatches(journeys.filter((file) => !isWide(file))), LANES + 1, runBatch);
    await lanes(inOrder(journeys.filter(isWide)), 1, runBatch);
  } finally {
    await server?.stop();
  }
}

/** Uses all cores by itself, or measures what others would disturb. */
const isWide = (file: string): boolean => file.includes('.wide.');

/**
 * The test files by what they need; those marked `.wide` have the machine for themselves. Those marked `.full` belong
 * to the full run, those marked `.live` to nobody's.
 */
function findTests(): Record<'pure' | 'wide' | 'database' | 'journeys', string[]> {
  const isWanted = (file: string): boolean =>
    !/node_modules|\.live\./.test(file) &&
    (isFull || !file.includes('.full.')) &&
    (words.length === 0 || words.some((word) => file.includes(word)));
  const find = (pattern: string): string[] =>
    globSync(`{${ROOMS.join(',')}}/**/${pattern}`, { cwd: ROOT })
      .filter(isWanted)
      .sort();
  const tests = find('*.test.{ts,tsx}');
  const needsDatabase = (file: string): boolean => /\.db(\.full)?\.test\./.test(file);
  return {
    pure: tests.filter((file) => !needsDatabase(file)),
    wide: tests.filter(isWide),
    database: tests.filter((file) => needsDatabase(file) && !isWide(file)),
    journeys: find('*.journey.ts'),
  };
}

/** Each file a process of its own; those that took longest last time begin first. */
function inOrder(files: string[]): Batch[] {
  const known = readDurations();
  const byLength = [...files].sort((a, b) => (known[b] ?? 0) - (known[a] ?? 0));
  return byLength.map((file) => ({ name: file, files: [file], minutes: isFull ? 40 : 6 }));
}

/**
 * Slow pure files go alone; the quick ones share processes, which saves starting one for each. Neighbours are dealt out
 * to different shares: on a new checkout nobody knows yet which of them take long.
 */
function together(files: string[]): Batch[] {
  const known = readDurations();
  const slow = files.filter((file) => (known[file] ?? 0) > 2_000 || file.includes('.full.'));
  const quick = files.filter((file) => !slow.includes(file));
  const width = Math.min(LANES * SHARES_A_LANE, Math.ceil(quick.length / WORTH_A_PROCESS));
  return [
    ...inOrder(slow),
    ...dealtOut(quick, width).map((share) => ({ name: `${share.length} quick files`, files: share, minutes: 6 })),
  ];
}

/** Systems that journeys share: with one, its journeys would go on alone at the end. */
const SYSTEMS = 2;

/** Journeys that can do with a system that others use share its process, which takes longest and begins first. */
function journeyBatches(files: string[]): Batch[] {
  const sharing = files.filter((file) => file.endsWith('.together.journey.ts'));
  const others = inOrder(files.filter((file) => !sharing.includes(file)));
  const shared = dealtOut(sharing, SYSTEMS).map((share) => {
    const name = `${share.length} journeys together`;
    return { name, files: share, minutes: 3 * share.length };
  });
  return [...shared, ...others];
}

/** Files in so many shares, neighbours in different ones; no share is empty. */
const dealtOut = (files: string[], width: number): string[][] =>
  Array.from({ length: width }, (_, n) => files.filter((_file, at) => at % width === n)).filter((share) => share.length > 0);

/** Works on the items in order, `width` at once. */
async function lanes<T>(items: T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Runs test files in one process and counts what its reporter says. */
async function runBatch({ name, files, minutes }: Batch): Promise<void> {
  const start = performance.now();
  const flags = [
    '--test',
    '--test-isolation=none',
    `--import=${join(ROOT, 'tools/tether.ts')}`,
    `--test-reporter=${join(ROOT, 'tools/reporter.ts')}`,
    '--test-reporter-destination=stdout',
  ];
  // The channel is the tether: it closes when this process is gone.
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: ROOT,
    env: process.env,
    stdio: [...stdio],
  });
  running.add(child);
  const lines: Line[] = [];
  const notes: Note[] = [];
  const noise: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (text) => {
    const said = readSaid(text);
    if (!said) noise.push(text);
    else if ('note' in said) notes.push(said);
    else lines.push(said);
  });
  createInterface({ input: child.stderr! }).on('line', (text) => noise.push(text));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, minutes * 60_000);
  const progress = setInterval(() => tellProgress(name, lines, performance.now() - start), PROGRESS_MS);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  clearTimeout(timer);
  clearInterval(progress);
  running.delete(child);
  settle(
    name,
    files,
    lines,
    noise,
    isLate ? `it didn't end within ${minutes} minutes` : code === 0 ? '' : `it ended with ${code}`,
  );
  tell(files, notes);
  if (files.length === 1) noteDuration(files[0]!, performance.now() - start);
}

/** How far a batch is: how many of its tests are over, and which was the last. */
function tellProgress(name: string, lines: readonly Line[], ms: number): void {
  const failed = lines.filter(({ error }) => error !== undefined).length;
  const over = `${lines.length} over${failed > 0 ? `, ${failed} of them failed` : ''}`;
  const last = lines.at(-1);
  process.stdout.write(`… ${name} · ${(ms / 60_000).toFixed(0)} min · ${over}${last ? ` · ${last.name}` : ''}\n`);
}

function settle(name: string, files: string[], lines: Line[], noise: string[], trouble: string): void {
  const failed = lines.filter((line) => line.error !== undefined);
  counts.passed += lines.length - failed.length;
  const ms = lines.reduce((sum, line) => sum + line.ms, 0);
  for (const { file, name: test, error } of failed) fail(`${relative(ROOT, file)} › ${test}`, error!);
  const silent = files.length === 1 && lines.length === 0 ? 'it holds no test' : '';
  const problem = failed.length === 0 ? trouble || silent : '';
  if (problem) fail(name, [problem, ...noise.slice(-QUIET_LINES)].join('\n'));
  else if (failed.length > 0 && noise.length > 0) process.stdout.write(`${noise.slice(-QUIET_LINES).join('\n')}\n`);
  else if (failed.length === 0) process.stdout.write(`✓ ${name} · ${lines.length} · ${(ms / 1_000).toFixed(1)} s\n`);
}

function readSaid(text: string): Line | Note | undefined {
  if (!text.startsWith('{"file":')) return undefined;
  try {
    return JSON.parse(text) as Line | Note;
  } catch {
    return undefined;
  }
}

/** Prints what tests told, as paragraphs under the line of their batch. */
function tell(files: string[], notes: Note[]): void {
  for (const [file, own] of Map.groupBy(notes, (each) => each.file)) {
    if (files.length > 1) process.stdout.write(`  ${relative(ROOT, file)}\n`);
    const paragraphs = paragraphsOf(own.map(({ note }) => note));
    process.stdout.write(paragraphs.map((text) => `    ${wrapped(text).join('\n      ')}\n`).join(''));
  }
}

/** A list of pieces is a paragraph of its own; single pieces that follow each other are told as one list. */
function paragraphsOf(notes: string[]): string[] {
  const paragraphs: string[] = [];
  let isOpen = false;
  for (const note of notes) {
    const isPiece = !note.includes(BETWEEN);
    if (isPiece && isOpen) paragraphs.push(`${paragraphs.pop()}${BETWEEN}${note}`);
    else paragraphs.push(note);
    isOpen = isPiece;
  }
  return paragraphs;
}

/** Broken only between pieces. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const piece of text.split(BETWEEN)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + piece.length > WIDTH) lines.push(piece);
    else lines[lines.length - 1] = `${last}${BETWEEN}${piece}`;
  }
  return lines;
}

type Check = { name: string; command: string[] };

function checks(): Check[] {
  const node = process.execPath;
  const webTypes = existsSync(join(ROOT, 'web/tsconfig.json'))
    ? [{ name: 'types of web', command: [join(BIN, 'tsc'), '-p', 'web', '--singleThreaded'] }]
    : [];
  // Several checkers each find out the same types again: one alone takes half the work, and two checks run at once.
  return [
    { name: 'types', command: [join(BIN, 'tsc'), '-p', '.', '--singleThreaded'] },
    ...webTypes,
    { name: 'format', command: [join(BIN, 'oxfmt'), '--check'] },
    { name: 'lint', command: [join(BIN, 'oxlint'), '--quiet'] },
    { name: 'dead code and dependencies', command: [join(BIN, 'knip'), '--no-progress', '--reporter', 'compact'] },
    { name: 'tidy', command: [node, join(ROOT, 'tools/tidy.test.ts')] },
  ];
}

async function runCheck({ name, command }: Check): Promise<void> {
  const [file, ...args] = command as [string, ...string[]];
  const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output += text.toString()));
  const code = await new Promise<number | null>((done) => child.once('close', done).once('error', () => done(null)));
  running.delete(child);
  if (code !== 0) return fail(name, output.trim());
  counts.passed += 1;
  process.stdout.write(`✓ ${name}\n`);
}

function fail(name: string, why: string): void {
  counts.failed += 1;
  const told = `✗ ${name}\n${why.replaceAll(/^/gm, '    ')}`;
  failures.push(told.split('\n').slice(0, TOLD_AGAIN_LINES).join('\n'));
  process.stdout.write(`${told}\n`);
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

function noteDuration(file: string, ms: number): void {
  mkdirSync(dirname(DURATIONS), { recursive: true });
  writeFileSync(DURATIONS, JSON.stringify({ ...readDurations(), [file]: Math.round(ms) }));
}

// Ctrl-C and kill: the children have their tether; this only hurries them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    process.exit(130);
  });
}

await main();
