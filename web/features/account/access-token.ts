import { useSyncExternalStore } from 'react';
import { isFramed } from './framed.ts';

/** Key under which the session's token is stored in the browser. */
const KEY = 'accessToken';

const listeners = new Set<() => void>();
const report = (): void => listeners.forEach((listener) => listener());

/**
 * Returns the token of this browser's session; null if nobody is signed in or the browser allows no storage. A page inside a
 * frame uses no session, because the site around it could mislead the holder.
 */
export function accessToken(): string | null {
  if (isFramed()) return null;
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Stores the token of a new session; null removes the stored token. Notifies all components that use the token. */
export function storeToken(token: string | null): void {
  if (token === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, token);
  report();
}

/** Returns the token of this browser's session. Changes after a sign-in or sign-out, also in another tab. */
export function useAccessToken(): string | null {
  return useSyncExternalStore(listen, accessToken, () => null);
}

let hearsOthers = false;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // The `storage` listener is added once, in a later task, because adding a page's first `storage` listener is slow.
  if (!hearsOthers) setTimeout(() => addEventListener('storage', report));
  hearsOthers = true;
  return () => {
    listeners.delete(listener);
  };
}
