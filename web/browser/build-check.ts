import { machineNow } from '../ui/base/clock.ts';
import { navigateWhole } from './whole-navigation.ts';

/**
 * Asks every so many seconds whether a newer build is served; if so, the next navigation is a whole one. (A piece of code
 * that can't be loaded reloads the page: `begin.ts`.)
 */
export function watchBuild(seconds: number): void {
  const own = document.documentElement.dataset['build'];
  const timer = setInterval(async () => {
    try {
      const response = await fetch(`/builds/latest.json?${machineNow()}`);
      const { id } = (await response.json()) as { id?: string };
      if (!response.ok || id === own) return;
      clearInterval(timer);
      navigateWhole();
    } catch {
      // A failed check is ignored: the next one comes.
    }
  }, seconds * 1000);
}
