// `npm test`: static checks, then every test, then the journeys; a closing line with the counts.
//
//   node tools/test.ts            everything that fits in fifteen minutes
//   node tools/test.ts --check    static checks only
//   node tools/test.ts --full     also *.full.test.ts: long seeds, every page
//   node tools/test.ts <words>    only test files whose path holds one of the words, without the static checks

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureTemplate, startTestServer } from '../server/platform/testing.ts';
import { type Batch, planRun } from './runner/batches.ts';
import type { Line, Note } from './runner/reporter.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const BIN = join(ROOT, 'node_modules/.bin');
/** Lanes that begin with journeys, which often wait for blocks and pages. A third would slow down what they wait for. */
const JOURNEY_LANES = 2;
const TEST_LANES = Math.max(1, availableParallelism() - 1);
/** Most lines of a process's other output that are printed with its failure. */
const MAX_NOISE_LINES = 60;
/** Most lines of a failure that are printed again at the end. */
const MAX_SUMMARY_LINES = 12;
/** A batch that takes long prints its progress at this interval. */
const PROGRESS_MS = 60_000;

const FLAGS = [
  `--import=${join(ROOT, 'tools/runner/tether.ts')}`,
  `--test-reporter=${join(ROOT, 'tools/runner/reporter.ts')}`,
  '--test-reporter-destination=stdout',
  join(ROOT, 'tools/runner/suites.ts'),
];

/** Output of a batch's process; `problem` is empty if it ended as it should. */
type Output = { lines: Line[]; notes: Note[]; noise: string[]; problem: string };
type Failure = { what: string; why: string; files: string[] };

// The processes of a run share one cache of compiled files.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/kurs/compiled');
// The type checker ends before its garbage matters: collecting less of it saves a fifth of its work.
process.env['GOGC'] ??= '400';

const options = process.argv.slice(2);
const isFull = options.includes('--full');
if (isFull) process.env['KURS_TEST_FULL'] = '1';
const words = options.filter((option) => !option.startsWith('--'));
const running = new Set<ChildProcess>();
const counts = { passed: 0, failed: 0, again: 0 };
/** Failures as they are printed once more at the end. */
const summary: string[] = [];
/** Files that failed at their first try. */
const secondTries: Batch[] = [];

async function main(): Promise<void> {
  const begin = performance.now();
  // One type checker with all cores does the same work several times over: each has one, and two checks run at once.
  if (words.length === 0) await inLanes(2, [checks()], runCheck);
  if (!options.includes('--check')) await runTests();
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  if (summary.length > 0) process.stdout.write(`\n${summary.join('\n')}\n`);
  const verdict = counts.failed === 0 ? 'passed' : 'FAILED';
  const again = counts.again > 0 ? `, ${counts.again} failed at first and were tried again` : '';
  process.stdout.write(`\n${verdict}: ${counts.passed} passed, ${counts.failed} failed${again}, ${seconds} s\n`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

async function runTests(): Promise<void> {
  const { wide, tests, journeys, hasDatabaseTests } = planRun({ isFull, words });
  if ([wide, tests, journeys].flat().length === 0) {
    return report({ what: 'test', why: `no test file matches ${words.join(' ')}`, files: [] });
  }
  const server = hasDatabaseTests ? await startTestServer() : undefined;
  try {
    if (server) {
      process.env['KURS_TEST_DATABASE_URL'] = server.url;
      await ensureTemplate(server.url);
    }
    await inLanes(1, [wide], runBatch);
    await Promise.all([inLanes(JOURNEY_LANES, [journeys, tests], runBatch), inLanes(TEST_LANES, [tests, journeys], runBatch)]);
    await inLanes(1, [secondTries.splice(0)], (batch) => runBatch(batch, true));
  } finally {
    await server?.stop();
  }
}

/** Works through these queues, the first one first, `width` items at once. Others may take from the queues too. */
async function inLanes<T>(width: number, queues: T[][], work: (item: T) => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    for (const queue of queues) for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Runs the files of a batch in one process, then prints and counts their results. */
async function runBatch(batch: Batch, isSecondTry = false): Promise<void> {
  const output = await outputOf(batch);
  const failures = failuresOf(batch, output);
  const failed = new Set(failures.flatMap(({ files }) => files));
  const hasSecondTry = failed.size > 0 && words.length === 0 && !isSecondTry && [...failed].every(waitsForOthers);
  if (hasSecondTry) {
    counts.again += failed.size;
    secondTries.push({ name: [...failed].join(' '), files: [...failed], minutes: batch.minutes });
  }
  for (const [file, lines] of Map.groupBy(output.lines, (line) => line.file)) {
    if (!hasSecondTry || !failed.has(file)) counts.passed += lines.filter(({ error }) => error === undefined).length;
    if (!failed.has(file)) printPassed(file, lines, output.notes);
  }
  for (const failure of failures) report(failure, hasSecondTry);
  if (failures.length > 0) process.stdout.write(`${output.noise.slice(-MAX_NOISE_LINES).join('\n')}\n`);
}

/** True of files that drive a database or a whole system in real time. Another load of the machine can make them fail. */
const waitsForOthers = (file: string): boolean => /\.journey\.ts$|\.db\./.test(file);

async function outputOf({ name, files, minutes }: Batch): Promise<Output> {
  const begin = performance.now();
  // The channel is the tether: it closes when this process is gone.
  const child = spawn(process.execPath, [...FLAGS, ...files.map((file) => join(ROOT, file))], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  const output: Output = { lines: [], notes: [], noise: [], problem: '' };
  for (const input of [child.stdout!, child.stderr!]) createInterface({ input }).on('line', (one) => sort(one, output));
  const progress = setInterval(() => printProgress(name, output.lines, performance.now() - begin), PROGRESS_MS);
  let isLate = false;
  const timer = setTimeout(() => (isLate = child.kill('SIGKILL')), minutes * 60_000);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearInterval(progress);
  clearTimeout(timer);
  running.delete(child);
  const hasFailed = output.lines.some(({ error }) => error !== undefined);
  if (isLate) output.problem = `it didn't end within ${minutes} minutes`;
  else if (signal !== null || (code !== 0 && !hasFailed)) output.problem = `it ended with ${signal ?? code}`;
  return output;
}

/** Adds a printed line to the output: a message of the reporter by its kind, anything else as noise. */
function sort(printed: string, { lines, notes, noise }: Output): void {
  const message = messageOf(printed);
  if (!message) noise.push(printed);
  else if ('note' in message) notes.push({ ...message, file: relative(ROOT, message.file) });
  else lines.push({ ...message, file: relative(ROOT, message.file) });
}

function messageOf(printed: string): Line | Note | undefined {
  try {
    return printed.startsWith('{"file":') ? (JSON.parse(printed) as Line | Note) : undefined;
  } catch {
    return undefined;
  }
}

/** Failed tests, files of which no test was run, and a process that ended badly, which fails all of its files. */
function failuresOf({ name, files }: Batch, { lines, problem }: Output): Failure[] {
  const failures = lines.flatMap(({ file, name: test, error }): Failure[] =>
    error === undefined ? [] : [{ what: `${file} › ${test}`, why: error, files: [file] }],
  );
  if (problem !== '') return [...failures, { what: name, why: problem, files }];
  const tested = new Set(lines.map(({ file }) => file));
  const untested = files.filter((file) => !tested.has(file));
  return [...failures, ...untested.map((file) => ({ what: file, why: 'none of its tests was run', files: [file] }))];
}

function printPassed(file: string, lines: readonly Line[], notes: readonly Note[]): void {
  const ms = lines.reduce((sum, line) => sum + line.ms, 0);
  process.stdout.write(`✓ ${file} · ${lines.length} · ${(ms / 1_000).toFixed(1)} s\n`);
  for (const { note } of notes.filter((one) => one.file === file)) process.stdout.write(`    ${note}\n`);
}

function printProgress(name: string, lines: readonly Line[], ms: number): void {
  const failed = lines.filter(({ error }) => error !== undefined).length;
  const done = `${lines.length} tests done${failed > 0 ? `, ${failed} of them failed` : ''}`;
  process.stdout.write(`… ${[name, `${(ms / 60_000).toFixed(0)} min`, done, lines.at(-1)?.name ?? ''].join(' · ')}\n`);
}

/** Prints a failure, and once more at the end: readers often have only the end of the output. */
function report({ what, why }: Failure, hasSecondTry = false): void {
  if (!hasSecondTry) counts.failed += 1;
  const printed = `${hasSecondTry ? '~' : '✗'} ${what}\n${why.replaceAll(/^/gm, '    ')}`;
  summary.push(printed.split('\n').slice(0, MAX_SUMMARY_LINES).join('\n'));
  process.stdout.write(`${printed}\n`);
}

/** The static checks: name, command, arguments. */
const checks = (): [string, string, ...string[]][] => [
  ['types', join(BIN, 'tsc'), '-p', '.', '--singleThreaded'],
  ['types of web', join(BIN, 'tsc'), '-p', 'web', '--singleThreaded'],
  ['format', join(BIN, 'oxfmt'), '--check'],
  ['lint', join(BIN, 'oxlint'), '--quiet'],
  ['dead code and dependencies', join(BIN, 'knip'), '--no-progress', '--reporter', 'compact'],
  ['tidy', process.execPath, join(ROOT, 'tools/rules/tidy.test.ts')],
  ['titles of commits', process.execPath, join(ROOT, 'tools/rules/commit-titles.ts')],
];

async function runCheck([name, command, ...args]: [string, string, ...string[]]): Promise<void> {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  running.delete(child);
  if (code !== 0) return report({ what: name, why: `${out}${errors}`.trim(), files: [] });
  counts.passed += 1;
  process.stdout.write(`✓ ${name}\n`);
}

// Ctrl-C and kill: the tether ends the children anyway, and this only makes it faster.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    process.exit(130);
  });
}

await main();
