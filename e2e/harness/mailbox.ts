import type { System } from './system.ts';
import { until } from './system.ts';

/**
 * Waits for the newest letter to an address that has a code other than `not`, and returns the code. Letters of other kinds may
 * follow it.
 */
export const codeFor = (system: System, email: string, not?: string): Promise<string> =>
  until('the letter with the code', 20_000, async () => {
    const letters = await system.client().sandboxMail({ to: email });
    const code = letters.map(({ text }) => /^\d{6}$/m.exec(text)?.[0]).find((found) => found !== undefined);
    return code === not ? undefined : code;
  });
