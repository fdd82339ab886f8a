import { useSyncExternalStore } from 'react';

/** True if another page shows this one in a frame; false on the server. */
export const isFramed = (): boolean => typeof window !== 'undefined' && window.top !== window;

const never = (): (() => void) => () => undefined;

/** True once the browser has hydrated a page inside a frame. */
export const useFramed = (): boolean => useSyncExternalStore(never, isFramed, () => false);
