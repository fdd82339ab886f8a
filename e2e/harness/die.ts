// Kills processes of the product, for journeys that expect it to continue automatically.

import { type ProcessName, type System, until } from './system.ts';

/** Processes that a journey may kill. */
export const PROCESSES = ['api', 'console', 'worker', 'signer', 'sandbox', 'postgres'] as const satisfies readonly ProcessName[];

/** Longest time in ms in which the supervisor restarts a killed process. */
export const BACK_MS = 30_000;

/** Sends SIGKILL to processes and waits until the supervisor has restarted them. */
export async function die(system: System, names: readonly ProcessName[]): Promise<void> {
  const dead = await Promise.all(names.map((name) => system.kill(name)));
  await until(`${names.join(', ')} to be started again`, BACK_MS, async () => {
    const { pids } = await system.run();
    return names.every((name, at) => pids[name] !== dead[at]);
  });
}
