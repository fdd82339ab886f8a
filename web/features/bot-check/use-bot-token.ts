import { useEffect, useState } from 'react';
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

/** Solves a challenge in a worker: gives the token once it is found, or null when there is none. */
export function useBotToken(challenge: Challenge | undefined): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    if (!challenge) return;
    const worker = new Worker(trustedWorkerUrl(), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => setToken(data));
    worker.addEventListener('error', () => setToken(null));
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    worker.postMessage(challenge);
    return () => worker.terminate();
  }, [challenge]);
  return token;
}
