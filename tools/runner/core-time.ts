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
  try {
    return coreMsOf('self');
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** The same of another process, by its id. Throws where there is none, or no /proc. */
export const coreMsOf = (pid: number | 'self'): number => msOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/**
 * Milliseconds of a core that this process has had, with those of all that it has started, and of what those started: systems
 * and browsers that still run, too. Where there is no /proc, only its own.
 */
export function familyMs(): number {
  const found = new Map<number, { readonly parent: number; readonly ms: number }>();
  for (const entry of entriesOfProc()) {
    const stat = statOf(entry);
    if (stat !== '') found.set(Number(entry), { parent: Number(fieldsOf(stat)[1]), ms: msOf(stat) });
  }
  const family = [process.pid];
  for (const one of family) for (const [pid, { parent }] of found) if (parent === one) family.push(pid);
  return found.size === 0 ? coreMs() : family.reduce((sum, pid) => sum + (found.get(pid)?.ms ?? 0), 0);
}

function entriesOfProc(): string[] {
  try {
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
}

/** Nothing of a process that has ended meanwhile. */
function statOf(entry: string): string {
  try {
    return readFileSync(`/proc/${entry}/stat`, 'utf8');
  } catch {
    return '';
  }
}

/** What a line of /proc/…/stat says (proc_pid_stat(5)): utime, stime, cutime and cstime are its fields 14 to 17. */
function msOf(stat: string): number {
  const ticks = fieldsOf(stat)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0);
  return ticks * TICK_MS;
}

/** From the third on: the second is a name in brackets, in which anything may stand. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');
