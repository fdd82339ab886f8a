import type { RailHealth } from '../rail.ts';
import { Unreachable } from './http.ts';

/**
 * Returns a provider's health by one of its cheap calls, in words without secrets. `call` may return the words for a good answer.
 * Never throws.
 */
export async function healthBy(call: () => Promise<unknown>): Promise<RailHealth> {
  try {
    const said = await call();
    return { isUp: true, detail: typeof said === 'string' ? said : 'answers' };
  } catch (error) {
    if (error instanceof Unreachable) return { isUp: false, isSilent: true, detail: error.message };
    return { isUp: false, detail: error instanceof Error ? error.message : 'no answer' };
  }
}
