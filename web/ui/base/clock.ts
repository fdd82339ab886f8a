import { useDeferredValue, useEffect, useState, useSyncExternalStore } from 'react';

/** Milliseconds since 1970 on this machine's clock: the only place of the site that reads it. */
export const machineNow = (): number => Date.now();

/**
 * The server's clock, moving on each second. Takes the time at which the page's data was made; the difference between
 * that and this machine's clock is kept, so a wrong clock in the browser does no harm.
 */
export function useServerNow(madeAt: string): number {
  const [now, setNow] = useState(() => Date.parse(madeAt));
  useEffect(() => {
    const ahead = Date.parse(madeAt) - machineNow();
    const tick = (): void => setNow(machineNow() + ahead);
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [madeAt]);
  return now;
}

const never = (): (() => void) => () => undefined;

/** Whether the browser has taken the page over: false while it is rendered on the server and hydrated. */
export function useHydrated(): boolean {
  const isTakenOver = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  // What only a script can draw comes in pieces of work after the page was taken over, not as one with it.
  return useDeferredValue(isTakenOver);
}
