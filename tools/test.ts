// `npm test`: static checks, then every test, then the journeys; a closing line with the counts.
//
//   node tools/test.ts            everything that fits in some minutes
//   node tools/test.ts --check    static checks only
//   node tools/test.ts --full     also *.full.test.ts: long seeds, every page
//   node tools/test.ts <words>    only test files whose path holds one of the words, without the static checks

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ensureTemplate, startTestServer } from '../server/platform/testing.ts';
import { type Batch, noteDuration, planRun } from './runner/batches.ts';
import { coreMs } from './runner/core-time.ts';
import { Costs } from './runner/costs.ts';
import { slowness, slownessNow } from './runner/pace.ts';
import type { Line, Note } from './runner/reporter.ts';
import type { Cost } from './runner/suites.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const BIN = join(ROOT, 'node_modules/.bin');
/**
 * Processes at once: two begin with journeys, which often wait for blocks and pages, the others with tests. One more would not
 * have a core, and what a journey waits for would take too long.
 */
const JOURNEYS_FIRST = 2;
const TESTS_FIRST = Math.max(1, availableParallelism() - 1);
const QUIET_LINES = 60;
const TOLD_AGAIN_LINES = 12;
/** A file that takes long says so often how far it is. */
const PROGRESS_MS = 60_000;
const WIDTH = 120;
const BETWEEN = ' · ';

// What Node has made of our files is kept for the next of many processes.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/kurs/compiled');
// The type checker ends before its garbage is in anyone's way: collecting less of it saves a fifth of its work.
process.env['GOGC'] ??= '400';

const options = process.argv.slice(2);
const isFull = options.includes('--full');
// What is gone through in both languages, or in one.
if (isFull) process.env['KURS_TEST_FULL'] = '1';
const words = options.filter((option) => !option.startsWith('--'));
const begin = performance.now();
const running = new Set<ChildProcess>();
const counts = { passed: 0, failed: 0, again: 0 };
/** What failed, told once more at the end: anyone who keeps only the end of the output finds it there. */
const failures: string[] = [];
/** Files of a whole run that failed at their first try. */
const secondTries: Batch[] = [];
const costs = new Costs();
/** How slow the machine was each time that some files were over. */
const paces: number[] = [];

async function main(): Promise<void> {
  if (words.length === 0) await lanes(checks(), 2, runCheck);
  if (!options.includes('--check')) await runTests();
  tellCosts();
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  if (failures.length > 0) process.stdout.write(`\n${failures.join('\n')}\n`);
  const verdict = counts.failed === 0 ? 'passed' : 'FAILED';
  const again = counts.again > 0 ? `, ${counts.again} failed at first and were tried again` : '';
  process.stdout.write(`\n${verdict}: ${counts.passed} passed, ${counts.failed} failed${again}, ${seconds} s\n`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

async function runTests(): Promise<void> {
  const { wide, tests, journeys, wideJourneys, needsDatabase } = planRun({ isFull, words });
  if ([wide, tests, journeys, wideJourneys].flat().length === 0) {
    return fail('test', `no test file matches ${words.join(' ')}`);
  }
  const server = needsDatabase ? await startTestServer() : undefined;
  try {
    if (server) {
      process.env['KURS_TEST_DATABASE_URL'] = server.url;
      await ensureTemplate(server.url);
    }
    await lanes(wide, 1, runBatch);
    await Promise.all([
      ...Array.from({ length: JOURNEYS_FIRST }, () => drain([journeys, tests], runBatch)),
      ...Array.from({ length: TESTS_FIRST }, () => drain([tests, journeys], runBatch)),
    ]);
    await lanes(wideJourneys, 1, runBatch);
    await lanes(secondTries.splice(0), 1, (batch) => runBatch(batch, true));
  } finally {
    await server?.stop();
  }
}

/** Works on the items in order, `width` at once. */
async function lanes<T>(items: T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: width }, () => drain([items], work)));
}

/** Takes one item after the other out of these queues, which others may take from too, until all are empty. */
async function drain<T>(queues: T[][], work: (item: T) => Promise<void>): Promise<void> {
  for (const queue of queues) for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
}

/** Runs test files in one process and counts what its reporter says. */
async function runBatch(batch: Batch, isSecondTry = false): Promise<void> {
  const { name, files, minutes } = batch;
  const start = performance.now();
  const flags = [
    `--import=${join(ROOT, 'tools/runner/tether.ts')}`,
    `--test-reporter=${join(ROOT, 'tools/runner/reporter.ts')}`,
    '--test-reporter-destination=stdout',
    join(ROOT, 'tools/runner/suites.ts'),
  ];
  // The channel is the tether: it closes when this process is gone.
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
  const paths = files.map((file) => join(ROOT, file));
  const child = spawn(process.execPath, flags, {
    cwd: ROOT,
    env: { ...process.env, KURS_TEST_FILES: JSON.stringify(paths) },
    stdio: [...stdio],
  });
  running.add(child);
  const lines: Line[] = [];
  const notes: Note[] = [];
  const noise: string[] = [];
  child.on('message', (cost: Cost) => noteCost(cost));
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
  paces.push(slownessNow());
  const trouble = isLate ? `it didn't end within ${minutes} minutes` : code === 0 ? '' : `it ended with ${code}`;
  settle(batch, lines, noise, trouble, isSecondTry);
  tell(files, notes);
}

/** Keeps what a file cost, or a test. */
function noteCost({ costOf, ...cost }: Cost): void {
  const file = costOf === '' ? '' : relative(ROOT, costOf);
  costs.note({ costOf: file, ...cost });
  if (file !== '' && cost.test === undefined) noteDuration(file, cost.coreMs);
}

/** Tells how long the whole run had a core, what had it longest, and what longer than it may. */
function tellCosts(): void {
  const slower = slowness(paces);
  const summary = costs.summary(coreMs(), slower);
  if (summary === undefined) return;
  process.stdout.write(`\n${summary}\n`);
  for (const { words, fails } of isFull ? [] : costs.excesses(slower)) {
    if (fails) fail('core time', words);
    else process.stdout.write(`  ${words}\n`);
  }
}

/** How far a batch is: how many of its tests are over, and which was the last. */
function tellProgress(name: string, lines: readonly Line[], ms: number): void {
  const failed = lines.filter(({ error }) => error !== undefined).length;
  const over = `${lines.length} over${failed > 0 ? `, ${failed} of them failed` : ''}`;
  const last = lines.at(-1);
  process.stdout.write(`… ${name} · ${(ms / 60_000).toFixed(0)} min · ${over}${last ? ` · ${last.name}` : ''}\n`);
}

/** Counts and tells what a batch came to. What waits for others and fails in a whole run is tried once more at its end, by itself. */
function settle({ name, files, minutes }: Batch, lines: Line[], noise: string[], trouble: string, isSecondTry: boolean): void {
  const failed = lines.filter((line) => line.error !== undefined);
  const silent = files.length === 1 && lines.length === 0 ? 'it holds no test' : '';
  const problem = failed.length === 0 ? trouble || silent : '';
  const failedFiles = problem ? files : [...new Set(failed.map(({ file }) => relative(ROOT, file)))];
  const isTriedAgain = failedFiles.length > 0 && words.length === 0 && !isSecondTry && failedFiles.every(waitsForOthers);
  const over = isTriedAgain ? lines.filter(({ file }) => !failedFiles.includes(relative(ROOT, file))) : lines;
  counts.passed += over.filter(({ error }) => error === undefined).length;
  const refuse = isTriedAgain ? note : fail;
  for (const { file, name: test, error } of failed) refuse(`${relative(ROOT, file)} › ${test}`, error!);
  if (problem) refuse(name, [problem, ...noise.slice(-QUIET_LINES)].join('\n'));
  else if (failed.length > 0 && noise.length > 0) process.stdout.write(`${noise.slice(-QUIET_LINES).join('\n')}\n`);
  if (isTriedAgain) {
    counts.again += failedFiles.length;
    for (const file of failedFiles) costs.forget(file);
    secondTries.push({ name: failedFiles.join(' '), files: failedFiles, minutes });
  }
  const ms = lines.reduce((sum, line) => sum + line.ms, 0);
  if (failedFiles.length === 0) process.stdout.write(`✓ ${name} · ${lines.length} · ${(ms / 1_000).toFixed(1)} s\n`);
}

/** Drives a database or a whole system in real time, on a machine that does other things too. */
const waitsForOthers = (file: string): boolean => /\.journey\.ts$|\.db\./.test(file);

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
    { name: 'tidy', command: [node, join(ROOT, 'tools/rules/tidy.test.ts')] },
    { name: 'titles of commits', command: [node, join(ROOT, 'tools/rules/commit-titles.ts')] },
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
  note(name, why, '✗');
}

/** Tells what failed, and keeps it for the end. */
function note(name: string, why: string, mark = '~'): void {
  const told = `${mark} ${name}\n${why.replaceAll(/^/gm, '    ')}`;
  failures.push(told.split('\n').slice(0, TOLD_AGAIN_LINES).join('\n'));
  process.stdout.write(`${told}\n`);
}

// Ctrl-C and kill: the children have their tether; this only hurries them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    process.exit(130);
  });
}

await main();
