import type { RailHealth } from '../rail.ts';
import { Unreachable } from './http.ts';

/** Words for a good answer. `lacks`: those about a right that the provider has not granted. */
export interface GoodHealth {
  readonly detail: string;
  readonly lacks?: string;
}

const isGood = (said: unknown): said is GoodHealth => typeof said === 'object' && said !== null && 'detail' in said;

/**
 * Returns a provider's health by one of its cheap calls, in words without secrets. `call` may return the words for a good answer, and
 * those about a right that the provider has not granted. Never throws.
 */
export async function healthBy(call: () => Promise<unknown>): Promise<RailHealth> {
  try {
    const said = await call();
    if (isGood(said)) return { isUp: true, ...said };
    return { isUp: true, detail: typeof said === 'string' ? said : 'answers' };
  } catch (error) {
    if (error instanceof Unreachable) return { isUp: false, isSilent: true, detail: error.message };
    return { isUp: false, detail: error instanceof Error ? error.message : 'no answer' };
  }
}
