import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '../theme/breakpoints.ts';

const isDesktop = (): boolean => window.outerWidth > BREAKPOINTS.lg;

function watch(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}

/**
 * True if the window is as wide as a desktop's; updated when it is resized. False on the server and during hydration. For scripts
 * that behave differently; the look belongs into style sheets.
 */
export function useDesktop(): boolean {
  return useSyncExternalStore(watch, isDesktop, () => false);
}
