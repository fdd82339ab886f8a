import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '../theme/breakpoints.ts';

const isDesktop = (): boolean => window.outerWidth > BREAKPOINTS.lg;

function watch(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}

/**
 * True if the window is as wide as a desktop's; updated when the window is resized. False on the server and during hydration. Use
 * it only if a script behaves differently; style sheets set the look.
 */
export function useDesktop(): boolean {
  return useSyncExternalStore(watch, isDesktop, () => false);
}
