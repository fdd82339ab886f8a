import { useCallback, useEffect, useRef } from 'react';

/**
 * Gives what runs work once no pointer is held down; at once where none is. What is drawn while a button is pressed can move
 * it away from under the pointer, and the press would be lost.
 */
export function useAfterPress(): (work: () => void) => void {
  const press = useRef({ isHeld: false, waiting: [] as (() => void)[] });
  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    const begin = (): void => void (press.current.isHeld = true);
    const end = (): void => {
      // The click comes after the pointer is up.
      setTimeout(() => {
        press.current.isHeld = false;
        for (const work of press.current.waiting.splice(0)) work();
      });
    };
    addEventListener('pointerdown', begin, options);
    addEventListener('pointerup', end, options);
    addEventListener('pointercancel', end, options);
    return () => stop.abort();
  }, []);
  return useCallback((work) => {
    if (press.current.isHeld) press.current.waiting.push(work);
    else work();
  }, []);
}
