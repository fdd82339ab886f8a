// How long a process has had a core: itself and the processes that it started and waited for. Steadier than the clock,
// which also counts what others on the machine do.

import { readFileSync, readdirSync } from 'node:fs';

/** Linux tells times in ticks, a hundred of them a second on every system that it runs on. */
const TICK_MS = 10;

/**
 * Milliseconds of a core that this process has had, with those of its children that have ended. Where there is no
 * /proc, only its own.
 */
export function coreMs(): number {
  const { user, system } = process.cpuUsage();
  return coreMsOf('self') || (user + system) / 1_000;
}

/** The same of another process, by its id; nothing of one that has ended. */
export const coreMsOf = (pid: number | 'self'): number => msOf(statOf(pid));

/**
 * Milliseconds of a core that a process has had, this one where none is named, with those of all that it has started, and of what
 * those started: systems and browsers that still run, too. Where there is no /proc, only its own.
 */
export function familyMs(pid = process.pid): number {
  const [, ...others] = familyOf(pid);
  return others.reduce((sum, one) => sum + coreMsOf(one), pid === process.pid ? coreMs() : coreMsOf(pid));
}

/** A process itself, what it has started that still runs, and what those started; of whatever group or session they are. */
export function familyOf(pid: number): number[] {
  const parents = entriesOfProc().map((entry) => [Number(entry), Number(fieldsOf(statOf(entry))[1])] as const);
  const family = [pid];
  for (const one of family) for (const [child, parent] of parents) if (parent === one) family.push(child);
  return family;
}

function entriesOfProc(): string[] {
  try {
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
}

/** Nothing of a process that has ended meanwhile. */
function statOf(entry: number | string): string {
  try {
    return readFileSync(`/proc/${entry}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** What a line of /proc/…/stat says (proc_pid_stat(5)): utime, stime, cutime and cstime are its fields 14 to 17; nothing of no line. */
function msOf(stat: string): number {
  const ticks = fieldsOf(stat)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0);
  return ticks * TICK_MS;
}

/** From the third on: the second is a name in brackets, in which anything may stand. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');
