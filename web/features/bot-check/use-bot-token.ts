import { type RefObject, useEffect, useState } from 'react';
import { useSite } from '../site.ts';
import type { Challenge } from './solve.ts';
import { solveInWorker } from './solve-in-worker.ts';

/**
 * Solves a challenge in a worker, or lets the challenge's provider show a check in `place`. Returns undefined until the check has
 * ended, then the token, or null after a failure.
 */
export function useBotToken(challenge: Challenge, place: RefObject<HTMLElement | null>): string | null | undefined {
  const { botCheck, locale } = useSite();
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const { provider } = challenge;
    const found =
      provider && botCheck
        ? import('./ask-provider.ts')
            .then(({ askProvider }) => askProvider(provider, place.current as HTMLElement, { ...botCheck, locale, signal }))
            .catch(() => null)
        : solveInWorker(challenge, signal);
    void found.then((one) => {
      if (!signal.aborted) setToken(one);
    });
    return () => stop.abort();
  }, [challenge, place, botCheck, locale]);
  return token;
}
