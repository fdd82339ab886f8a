import type { RailHealth } from '../rail.ts';

/** How a provider is, by one of its cheap calls; in words that hold no secret. */
export async function healthBy(call: () => Promise<unknown>): Promise<RailHealth> {
  try {
    await call();
    return { up: true, detail: 'answers' };
  } catch (error) {
    return { up: false, detail: error instanceof Error ? error.message : 'no answer' };
  }
}
