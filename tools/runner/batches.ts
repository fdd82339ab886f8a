// Which test files there are, which of them share a process, and in what order they run.

import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Test files that one process runs, one after the other, and the minutes that it may take. */
export type Batch = { name: string; files: string[]; minutes: number };

/** Which files are wanted: those of the full run too, or those whose path holds one of some words. */
export type Wanted = { isFull: boolean; words: readonly string[] };

export type Plan = {
  /** Batches that have the machine for themselves. */
  wide: Batch[];
  /** Batches that keep a core busy, those that take longest first. */
  tests: Batch[];
  /** Batches that drive a system of their own, and often wait for it. */
  journeys: Batch[];
  /** Journeys that have the machine for themselves. */
  wideJourneys: Batch[];
  /** Whether any of them asks for a PostgreSQL. */
  needsDatabase: boolean;
};

const ROOT = dirname(dirname(import.meta.dirname));
const DURATIONS = join(ROOT, 'node_modules/.cache/kurs/durations.json');
const ROOMS = ['money', 'contract', 'server', 'web', 'sandbox', 'tools', 'bench', 'e2e'];
/** Quick files share processes, about so many each: starting one and loading what all of them need costs two seconds of a core. */
const FILES_A_PROCESS = 64;
const SLOW_MS = 5_000;
/** Systems that journeys share: with one, its journeys would go on alone at the end. */
const SYSTEMS = 2;

/** Uses all cores by itself, or measures what others would disturb. */
const isWide = (file: string): boolean => file.includes('.wide.');

/** The batches of a run. Files marked `.full` belong to the full run, those marked `.live` to nobody's. */
export function planRun({ isFull, words }: Wanted): Plan {
  const isWanted = (file: string): boolean =>
    !/node_modules|\.live\./.test(file) &&
    (isFull || !file.includes('.full.')) &&
    (words.length === 0 || words.some((word) => file.includes(word)));
  const find = (pattern: string): string[] =>
    globSync(`{${ROOMS.join(',')}}/**/${pattern}`, { cwd: ROOT })
      .filter(isWanted)
      .sort();
  const known = readDurations();
  const minutes = isFull ? 40 : 10;
  const alone = (files: string[]): Batch[] => inOrder(files, known).map((file) => ({ name: file, files: [file], minutes }));
  const tests = find('*.test.{ts,tsx}');
  const journeys = find('*.journey.ts');
  const isSlow = (file: string): boolean => (known[file] ?? 0) > SLOW_MS || file.includes('.full.');
  const needsDatabase = (file: string): boolean => /\.db\./.test(file);
  const narrow = tests.filter((file) => !isWide(file));
  const quick = narrow.filter((file) => !isSlow(file));
  return {
    wide: alone(tests.filter(isWide)),
    tests: [
      ...alone(narrow.filter(isSlow)),
      ...together('files', quick.filter(needsDatabase)),
      ...together(
        'pure files',
        quick.filter((file) => !needsDatabase(file)),
      ),
    ],
    journeys: journeyBatches(
      journeys.filter((file) => !isWide(file)),
      alone,
      isFull ? 10 : 3,
    ),
    wideJourneys: alone(journeys.filter(isWide)),
    needsDatabase: tests.some(needsDatabase),
  };
}

/** Quick files in shares. */
function together(what: string, files: string[]): Batch[] {
  return dealtOut(files, Math.ceil(files.length / FILES_A_PROCESS)).map((share) => ({
    name: share.length === 1 ? share[0]! : `${share.length} ${what}`,
    files: share,
    minutes: 6 + share.length,
  }));
}

/**
 * Journeys that can do with a system that others use share its process, which takes longest and begins first. One that moves
 * the clock of its system has it when the others are done.
 */
function journeyBatches(files: string[], alone: (files: string[]) => Batch[], minutesEach: number): Batch[] {
  const sharing = files.filter((file) => file.endsWith('.together.journey.ts'));
  const movesClock = (file: string): boolean => file.endsWith('.clock.together.journey.ts');
  const inTurn = [...sharing.filter((file) => !movesClock(file)), ...sharing.filter(movesClock)];
  const shared = dealtOut(inTurn, SYSTEMS).map((share) => {
    const name = `${share.length} journeys together`;
    return { name, files: share, minutes: minutesEach * share.length };
  });
  return [...shared, ...alone(files.filter((file) => !sharing.includes(file)))];
}

/** Those that took longest last time first. */
const inOrder = (files: string[], known: Record<string, number>): string[] =>
  [...files].sort((a, b) => (known[b] ?? 0) - (known[a] ?? 0));

/** Files in so many shares, neighbours in different ones; no share is empty. */
const dealtOut = (files: string[], width: number): string[][] =>
  Array.from({ length: width }, (_, n) => files.filter((_file, at) => at % width === n)).filter((share) => share.length > 0);

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

/** Keeps how long a file has had a core, for the order of the next run. */
export function noteDuration(file: string, ms: number): void {
  mkdirSync(dirname(DURATIONS), { recursive: true });
  writeFileSync(DURATIONS, JSON.stringify({ ...readDurations(), [file]: Math.round(ms) }));
}
