import { machineNow } from '../ui/base/clock.ts';
import { navigateWhole } from './whole-navigation.ts';

/**
 * Checks at an interval in seconds if a newer build is served. If so, the next navigation loads a document, and with it the new
 * code.
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
      // A failed check is ignored: the check is repeated at the next interval.
    }
  }, seconds * 1000);
}
