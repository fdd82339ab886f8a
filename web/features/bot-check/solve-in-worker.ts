// eslint-disable-next-line import/default -- Vite gives the URL of the worker that it builds
import workerUrl from './solver.worker.ts?worker&url';
import { trustedScriptUrl } from '../trusted-script.ts';
import type { Challenge } from './solve.ts';

/** Solves a challenge in a worker. Returns the token; null if there is no solution or `signal` aborts. */
export function solveInWorker(challenge: Challenge, signal: AbortSignal): Promise<string | null> {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module' });
  const solved = new Promise<string | null>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => resolve(data));
    worker.addEventListener('error', () => resolve(null));
    signal.addEventListener('abort', () => resolve(null));
  });
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage(challenge);
  return solved.finally(() => worker.terminate());
}
