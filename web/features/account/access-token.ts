import { useSyncExternalStore } from 'react';

/** Key in the browser's storage of the session's token. */
const KEY = 'accessToken';

const listeners = new Set<() => void>();
const report = (): void => listeners.forEach((listener) => listener());

/** Returns the token of this browser's session; null if nobody is signed in or the browser allows no storage. */
export function accessToken(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Stores the token of a new session; null removes the stored one. Notifies all of the page. */
export function storeToken(token: string | null): void {
  if (token === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, token);
  report();
}

/** Returns the current token. Follows sign-in and sign-out in other tabs too. */
export function useAccessToken(): string | null {
  return useSyncExternalStore(listen, accessToken, () => null);
}

let hearsOthers = false;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // Added once and later: a browser takes noticeable time to add its first `storage` listener.
  if (!hearsOthers) setTimeout(() => addEventListener('storage', report));
  hearsOthers = true;
  return () => {
    listeners.delete(listener);
  };
}
