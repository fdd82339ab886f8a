import { useSyncExternalStore } from 'react';

/** Pixels of the window's outer width up to which it is a phone's or a tablet's. */
const WIDEST_MOBILE = 769;

const isDesktop = (): boolean => window.outerWidth > WIDEST_MOBILE;

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
