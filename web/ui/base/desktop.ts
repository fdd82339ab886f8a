import { useSyncExternalStore } from 'react';
import { BREAKPOINTS } from '../theme/breakpoints.ts';

const isDesktop = (): boolean => window.outerWidth > BREAKPOINTS.lg;

function watch(changed: () => void): () => void {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
}

/**
 * Whether the window is a desktop's, kept right when it is resized. The server knows no window: there, and while its page
 * is taken over, it is none. For what a script does differently; how a page looks is for style sheets to say.
 */
export function useDesktop(): boolean {
  return useSyncExternalStore(watch, isDesktop, () => false);
}
