// eslint-disable-next-line import/default -- Vite gives the address of the worker that it builds
import workerUrl from './solver.worker.ts?worker&url';
import type { Challenge } from './solve.ts';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

let policy: { createScriptURL(url: string): string } | undefined;

/** The worker’s address, marked as trusted where the browser asks for it: it is a file of our own build. */
function trustedWorkerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('kurs', { createScriptURL: (url) => url }) ?? { createScriptURL: (url) => url };
  return policy.createScriptURL(workerUrl);
}

/** Solves a challenge beside the page: gives the token, or null where there is none. Given up when `signal` says so. */
export function solveInWorker(challenge: Challenge, signal: AbortSignal): Promise<string | null> {
  const worker = new Worker(trustedWorkerUrl(), { type: 'module' });
  const solved = new Promise<string | null>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => resolve(data));
    worker.addEventListener('error', () => resolve(null));
    signal.addEventListener('abort', () => resolve(null));
  });
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage(challenge);
  return solved.finally(() => worker.terminate());
}
