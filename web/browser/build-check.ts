import { machineNow } from '../ui/clock.ts';
import { navigateWhole } from './whole-navigation.ts';

/** Two reloads for the same reason within this time would be a loop. */
const GUARD_MS = 10_000;
const GUARD_KEY = 'reloaded-at';

/**
 * Asks every so many seconds whether a newer build is served; if so, the next navigation is a whole one. A chunk that
 * can't be loaded (an older build's, gone since) reloads the page as well, unless nothing at all can be loaded now.
 */
export function watchBuild(seconds: number): void {
  const own = document.documentElement.dataset['build'];
  const timer = setInterval(async () => {
    try {
      const response = await askBuild();
      const { id } = (await response.json()) as { id?: string };
      if (!response.ok || id === own) return;
      clearInterval(timer);
      navigateWhole();
    } catch {
      // A failed check is ignored: the next one comes.
    }
  }, seconds * 1000);
  addEventListener('vite:preloadError', async () => {
    const last = BigInt(sessionStorage.getItem(GUARD_KEY) ?? '0');
    if (BigInt(machineNow()) - last < BigInt(GUARD_MS)) return;
    // What is shown is better than no page.
    const answer = await askBuild().catch(() => undefined);
    if (!answer?.ok) return;
    sessionStorage.setItem(GUARD_KEY, String(machineNow()));
    location.reload();
  });
}

const askBuild = (): Promise<Response> => fetch(`/builds/latest.json?${machineNow()}`);
