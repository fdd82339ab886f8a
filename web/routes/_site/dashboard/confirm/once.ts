import { useRef } from 'react';

/**
 * Returns functions for a form's Idempotency-Key. `of` returns the key for an input. Equal inputs have the same key, so that a
 * repeated request takes effect once. Call `done` after a successful answer; the next request then gets a new key.
 */
export function useTryKey(): { readonly of: (input: unknown) => string; readonly done: () => void } {
  const last = useRef<{ readonly input: string; readonly key: string }>(undefined);
  return {
    of(input) {
      const text = JSON.stringify(input);
      if (last.current?.input !== text) last.current = { input: text, key: randomKey() };
      return last.current.key;
    },
    done() {
      last.current = undefined;
    },
  };
}

function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
