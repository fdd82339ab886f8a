import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that runs work when no pointer is pressed, immediately if none is. A render during a press can move the
 * button from under the pointer, which would lose the click.
 */
export function useAfterPress(): (work: () => void) => void {
  const press = useRef({ isHeld: false, waiting: [] as (() => void)[] });
  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    const begin = (): void => void (press.current.isHeld = true);
    const end = (): void => {
      // The click follows `pointerup`.
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
