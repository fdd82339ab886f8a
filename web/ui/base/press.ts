import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that runs `work` as soon as no pointer button is pressed. A render during a press can move the clicked
 * button away from the pointer, so that the click is lost.
 */
export function useAfterPress(): (work: () => void) => void {
  const press = useRef({ isHeld: false, waiting: [] as (() => void)[] });
  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    const begin = (): void => void (press.current.isHeld = true);
    const end = (): void => {
      // The browser sends the click after `pointerup`, so waiting work runs in a later task.
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
