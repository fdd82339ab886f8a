// Measuring: processor time and memory of processes as Linux counts them, load over HTTP, and medians of rounds.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { coreMsOf, familyMs } from '../../e2e/harness/cpu-time.ts';
import { type Shot, callAgain } from './caller.ts';

/** Number and length of the rounds of a measurement. */
export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

/** Returns the median; of an even number of values the upper one. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Returns the value that this share (0 to 1) of the values doesn't exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const MICROSECONDS = 1_000;

/** Microseconds of processor time that a process has used: user and system, all of its threads, and its ended children. */
export const cpuOf = (pid: number): number => coreMsOf(pid) * MICROSECONDS;

/** The same for a process with its running children: PostgreSQL with its backends. */
export const cpuOfFamily = (pid: number): number => familyMs(pid) * MICROSECONDS;

/** Megabytes that a process holds now, and its maximum (proc_pid_status(5), VmRSS and VmHWM). */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1_024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

/** Describes the machine in one line. */
export function machine(): string {
  const [processor] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const system = readFileSync('/proc/version', 'utf8').split(' ').slice(0, 3).join(' ') || release();
  return `${processor?.model.trim()}, ${cpus().length} cores, ${memory} GB, ${system}, Node ${process.versions.node}`;
}

const CONNECTIONS = 32;
/** Each connection sends for so many callers in turn, as behind a proxy, so that no caller reaches their limit. */
const CALLERS = 128;

export interface Load {
  readonly answered: number;
  /** Microseconds of the server's processor time for one request. */
  readonly cpu: number;
  readonly rate: number;
}

/**
 * Sends requests for `seconds` over 32 connections, one at a time on each. `shots` takes a running number, for requests that
 * differ. Throws if any answer is an error.
 */
export async function load(url: string, pid: number, seconds: number, shots: (number: number) => Shot): Promise<Load> {
  const shotsOf = (connection: number): Shot[] =>
    Array.from({ length: CALLERS }, (_, at) => {
      const number = connection * CALLERS + at;
      const shot = shots(number);
      return { ...shot, headers: { ...shot.headers, 'x-forwarded-for': addressOf(number) } };
    });
  const begin = { cpu: await cpuOf(pid), at: performance.now() };
  const answered = await callAgain(
    url,
    Array.from({ length: CONNECTIONS }, (_, at) => shotsOf(at)),
    seconds,
  );
  const cpu = (await cpuOf(pid)) - begin.cpu;
  return { answered, cpu: cpu / answered, rate: (answered * 1_000) / (performance.now() - begin.at) };
}

/** Returns an address in a network of its own (10.0.0.0/8 by /24) for the caller of this number, up to 65 536 of them. */
export const addressOf = (number: number): string => `10.${(number >> 8) & 255}.${number & 255}.7`;
