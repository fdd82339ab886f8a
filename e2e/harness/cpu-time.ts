// Processor time of other processes, as Linux counts it in /proc. Steadier than the clock, which also counts what others on the
// machine do. Where there is no /proc, it is 0.

import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts in ticks, a hundred of them a second on every system that it runs on. */
const TICK_MS = 10;

/** Milliseconds of processor time of a process, with its children that have ended; 0 if it has ended itself. */
export function coreMsOf(pid: number): number {
  // proc_pid_stat(5): utime, stime, cutime and cstime are fields 14 to 17.
  const ticks = fieldsOf(statOf(pid)).slice(11, 15);
  return ticks.reduce((sum, field) => sum + Number(field), 0) * TICK_MS;
}

/** The same with all that a process has started and that still runs, and what those started. */
export const familyMs = (pid: number): number => familyOf(pid).reduce((sum, one) => sum + coreMsOf(one), 0);

/** The ids of a process, of its children that still run, and of theirs, whatever their group or session. */
export function familyOf(pid: number): number[] {
  const parents = runningPids().map((one) => [one, Number(fieldsOf(statOf(one))[1])] as const);
  const family = [pid];
  for (const one of family) for (const [child, parent] of parents) if (parent === one) family.push(child);
  return family;
}

function runningPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The line of /proc/<pid>/stat; empty if the process has ended meanwhile. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** Fields from the third on: the second is a name in brackets, which may hold anything. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');
