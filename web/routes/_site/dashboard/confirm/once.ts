import { useRef } from 'react';

/**
 * The Idempotency-Key of a try: the same for the same input, so that whatever is sent again has its effect once, and another
 * for any other input. Forgotten with `done`, when an answer came.
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
