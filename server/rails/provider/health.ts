import type { RailHealth } from '../rail.ts';
import { Unreachable } from './http.ts';

/**
 * How a provider is, by one of its cheap calls; in words that hold no secret. `call` gives what is to be said of a good
 * answer, where there is more to say than that it answers.
 */
export async function healthBy(call: () => Promise<unknown>): Promise<RailHealth> {
  try {
    const said = await call();
    return { up: true, detail: typeof said === 'string' ? said : 'answers' };
  } catch (error) {
    if (error instanceof Unreachable) return { up: false, silent: true, detail: error.message };
    return { up: false, detail: error instanceof Error ? error.message : 'no answer' };
  }
}
