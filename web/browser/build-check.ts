import type { DataRouter } from 'react-router';
import { machineNow } from '../ui/clock.ts';

const EVERY_MS = 60 * 60 * 1000;
/** Two reloads for the same reason within this time would be a loop. */
const GUARD_MS = 10_000;
const GUARD_KEY = 'reloaded-at';

/**
 * Asks each hour whether a newer build is served; if so, the next navigation is a whole one. A chunk that can't be
 * loaded (an older build's, gone since) reloads the page as well.
 */
export function watchBuild(router: DataRouter): void {
  const own = document.documentElement.dataset['build'];
  let outdated = false;
  setInterval(async () => {
    try {
      const response = await fetch(`/builds/latest.json?${machineNow()}`);
      const { id } = (await response.json()) as { id?: string };
      outdated ||= response.ok && id !== own;
    } catch {
      // A failed check is ignored: the next one comes.
    }
  }, EVERY_MS);
  router.subscribe(({ navigation }) => {
    if (outdated && navigation.state === 'loading' && navigation.formMethod === undefined) {
      location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash);
    }
  });
  addEventListener('vite:preloadError', (event) => {
    const last = BigInt(sessionStorage.getItem(GUARD_KEY) ?? '0');
    if (!navigator.onLine || BigInt(machineNow()) - last < BigInt(GUARD_MS)) return;
    event.preventDefault();
    sessionStorage.setItem(GUARD_KEY, String(machineNow()));
    location.reload();
  });
}
