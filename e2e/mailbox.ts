import type { System } from './system.ts';
import { until } from './system.ts';

/** The code of the newest letter to an address, once it is another than `not`. */
export const codeFor = (system: System, email: string, not?: string): Promise<string> =>
  until('the letter with the code', 20_000, async () => {
    const [letter] = await system.client().sandboxMail({ to: email });
    const code = /^\d{6}$/m.exec(letter?.text ?? '')?.[0];
    return code === not ? undefined : code;
  });
