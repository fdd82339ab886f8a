// How long a process has had a core: itself and the processes that it started and waited for. Steadier than the clock,
// which also counts what others on the machine do.

import { readFileSync } from 'node:fs';

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

/** What a line of /proc/…/stat says (proc_pid_stat(5)): utime, stime, cutime and cstime are its fields 14 to 17. */
function msOf(stat: string): number {
  // The second field is a name in brackets, in which anything may stand.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks * TICK_MS;
}
