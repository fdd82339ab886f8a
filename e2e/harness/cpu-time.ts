// Measures the processor time of other processes from Linux's /proc. It is steadier than elapsed time, which depends on the other
// load of the machine. Without /proc it is 0.

import { readFileSync, readdirSync } from 'node:fs';

/** Length of a tick of Linux's process times, in ms: there are 100 a second on all systems that Linux supports here. */
const TICK_MS = 10;

/** Returns the processor time of a process in ms, including its children that have ended. 0 if the process has ended. */
export function coreMsOf(pid: number): number {
  // proc_pid_stat(5): utime, stime, cutime and cstime are fields 14 to 17.
  const ticks = fieldsOf(statOf(pid)).slice(11, 15);
  return ticks.reduce((sum, field) => sum + Number(field), 0) * TICK_MS;
}

/** Returns the processor time in ms of a process and all its running descendants. */
export const familyMs = (pid: number): number => familyOf(pid).reduce((sum, one) => sum + coreMsOf(one), 0);

/** Returns the ids of a process and of its running descendants, whatever their process group or session. */
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

/** Returns the content of /proc/<pid>/stat. Empty if the process has ended. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the fields from the third on. The second one is a name in brackets that can contain any character. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');
