// Finds the test files of a run and decides which of them share a process.

import { globSync } from 'node:fs';
import { dirname } from 'node:path';

/** Test files that one process runs, one after the other, and the minutes after which it is killed. */
export type Batch = { name: string; files: string[]; minutes: number };

export type Plan = {
  /** Batches that have the machine for themselves: they use all cores, or measure what others would disturb. */
  wide: Batch[];
  /** Batches that keep a core busy. */
  tests: Batch[];
  /** Batches that drive a system of their own, and often wait for it. */
  journeys: Batch[];
  /** True if one of them needs a PostgreSQL. */
  hasDatabaseTests: boolean;
};

const ROOT = dirname(dirname(import.meta.dirname));
const ROOMS = ['money', 'contract', 'server', 'web', 'sandbox', 'tools', 'bench', 'e2e'];
/** Estimate for a new process: starting it and loading the common modules takes two seconds of a core. */
const FILES_PER_PROCESS = 40;
/** Number of systems that journeys share. With one, its journeys would run on alone at the end. */
const SYSTEMS = 2;

/**
 * Plans a run of all files, or of those whose path holds one of the words. Files marked `.full` belong to the full run, those
 * marked `.live` to none.
 */
export function planRun({ isFull, words }: { isFull: boolean; words: readonly string[] }): Plan {
  const isWanted = (file: string): boolean =>
    !/node_modules|\.live\./.test(file) &&
    (isFull || !file.includes('.full.')) &&
    (words.length === 0 || words.some((word) => file.includes(word)));
  const find = (pattern: string): string[] =>
    globSync(`{${ROOMS.join(',')}}/**/${pattern}`, { cwd: ROOT })
      .filter(isWanted)
      .sort();
  const alone = (files: string[]): Batch[] => files.map((file) => ({ name: file, files: [file], minutes: isFull ? 40 : 10 }));
  const tests = find('*.test.{ts,tsx}');
  const journeys = find('*.journey.ts');
  const [wide, narrow] = parted(tests, '.wide.');
  const [long, quick] = parted(narrow, '.full.');
  const [withDatabase, pure] = parted(quick, '.db.');
  const [wideJourneys, narrowJourneys] = parted(journeys, '.wide.');
  const [sharing, single] = parted(narrowJourneys, '.together.');
  return {
    wide: alone([...wide, ...wideJourneys]),
    tests: [...alone(long), ...inShares('files', withDatabase), ...inShares('pure files', pure)],
    journeys: [...inSystems(sharing, isFull ? 10 : 3), ...alone(single)],
    hasDatabaseTests: tests.some((file) => file.includes('.db.')),
  };
}

/** Quick files in shares of about the same size. */
function inShares(what: string, files: string[]): Batch[] {
  return dealtOut(files, Math.ceil(files.length / FILES_PER_PROCESS)).map((share) => ({
    name: share.length === 1 ? share[0]! : `${share.length} ${what}`,
    files: share,
    minutes: 6 + share.length,
  }));
}

/** Journeys that share a system. Those that move its clock come after the others. */
function inSystems(files: string[], minutesEach: number): Batch[] {
  const [moving, others] = parted(files, '.clock.');
  return dealtOut([...others, ...moving], SYSTEMS).map((share) => ({
    name: `${share.length} journeys together`,
    files: share,
    minutes: minutesEach * share.length,
  }));
}

/** Files with this mark in their name, and the others. */
const parted = (files: string[], mark: string): [string[], string[]] => [
  files.filter((file) => file.includes(mark)),
  files.filter((file) => !file.includes(mark)),
];

/** Splits files into so many shares, neighbours into different ones. No share is empty. */
const dealtOut = (files: string[], width: number): string[][] =>
  Array.from({ length: width }, (_, n) => files.filter((_file, at) => at % width === n)).filter((share) => share.length > 0);
