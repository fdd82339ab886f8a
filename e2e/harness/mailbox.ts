import type { System } from './system.ts';
import { until } from './system.ts';

/** The last code that was returned, by address. Each journey has addresses of its own. */
const returned = new Map<string, string>();

/**
 * Waits for the newest letter to an address that has a code, and returns the code. Letters of other kinds may follow it. A code is
 * returned once: a caller who has just requested another one waits for that one.
 */
export async function codeFor(system: System, email: string): Promise<string> {
  const code = await until('the letter with the code', 20_000, async () => {
    const letters = await system.client().sandboxMail({ to: email });
    const newest = letters.map(({ text }) => /^\d{6}$/m.exec(text)?.[0]).find((found) => found !== undefined);
    return newest === returned.get(email) ? undefined : newest;
  });
  returned.set(email, code);
  return code;
}
