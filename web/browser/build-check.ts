import { machineNow } from '../ui/base/clock.ts';
import { navigateWhole } from './whole-navigation.ts';

/**
 * Checks at this interval whether a newer build is served; if so, the next navigation loads a document. (`begin.ts` reloads the
 * page if code can't be loaded.)
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
      // A failed check is ignored: the next one follows.
    }
  }, seconds * 1000);
}
