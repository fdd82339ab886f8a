import { useSyncExternalStore } from 'react';

/** Where the browser keeps the token of its session. */
const KEY = 'accessToken';

const listeners = new Set<() => void>();
const tell = (): void => listeners.forEach((listener) => listener());

/** The token of this browser's session; null where nobody is signed in, or nothing may be stored. */
export function accessToken(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps the token of a new session, or with null drops the one there is; all of the page sees it at once. */
export function keepToken(token: string | null): void {
  if (token === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, token);
  tell();
}

/** The token, as it is now: also another tab signs in and out. */
export function useAccessToken(): string | null {
  return useSyncExternalStore(listen, accessToken, () => null);
}

let hearsOthers = false;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // Later, once for all: a browser takes a while to begin with it.
  if (!hearsOthers) setTimeout(() => addEventListener('storage', tell));
  hearsOthers = true;
  return () => {
    listeners.delete(listener);
  };
}
