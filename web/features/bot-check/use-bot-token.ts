import { useEffect, useState } from 'react';
import type { Challenge } from './solve.ts';
import { solveInWorker } from './solve-in-worker.ts';

/** Solves a challenge in a worker: gives the token once it is found, or null when there is none. */
export function useBotToken(challenge: Challenge | undefined): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    if (!challenge) return;
    const stop = new AbortController();
    void solveInWorker(challenge, stop.signal).then((found) => {
      if (!stop.signal.aborted) setToken(found);
    });
    return () => stop.abort();
  }, [challenge]);
  return token;
}
