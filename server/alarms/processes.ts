// Health of other processes: the signer, as it answers over its socket, and processes that the supervisor has restarted.

import { readRunNote } from '../platform/index.ts';
import type { Found } from './alarm.ts';

/** Number of unexpected ends within `WITHIN_MINUTES` from which a process is reported as unstable. */
const MANY_ENDS = 3;
const WITHIN_MINUTES = 15;

/** State of the signer. `stopped`: reason for which it doesn't sign. `alarms`: alarms that it has raised in the last hour. */
export interface SignerHealth {
  readonly stopped?: string | undefined;
  readonly alarms: readonly string[];
}

/** Returns a finding if the signer doesn't answer or can't sign, and the alarms that the signer has raised in the last hour. */
export async function foundOfSigner(
  ask: () => Promise<SignerHealth>,
): Promise<{ readonly found: readonly Found[]; readonly alarms: readonly string[] }> {
  const found = (words: string): Found[] => [{ key: 'signer', kind: 'signer', words }];
  try {
    const { stopped, alarms } = await ask();
    return { found: stopped === undefined ? [] : found(`The signer signs nothing: ${stopped}.`), alarms };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it gives no answer';
    return { found: found(`The signer is silent, so nothing is paid out: ${why}.`), alarms: [] };
  }
}

/** Returns processes that this machine's supervisor has restarted again and again. */
export function foundOfRestarts(folder: string, now: Date): Found[] {
  const from = now.getTime() - WITHIN_MINUTES * 60_000;
  return Object.entries(readRunNote(folder)?.ended ?? {}).flatMap(([name, ends]): Found[] => {
    const late = ends.filter((at) => Date.parse(at) > from).length;
    if (late < MANY_ENDS) return [];
    const words = `${name} ended unexpectedly ${late} times within ${WITHIN_MINUTES} minutes, and was restarted each time.`;
    return [{ key: `restarts ${name}`, kind: 'restarts', words }];
  });
}
