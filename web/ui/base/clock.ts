import { useDeferredValue, useEffect, useState, useSyncExternalStore } from 'react';

/** Returns milliseconds since 1970 on this machine's clock. No other code of the site reads it. */
export const machineNow = (): number => Date.now();

/**
 * Returns the time of the server's clock, updated each second. `madeAt` is the time at which the page's data was made. Its
 * difference to this machine's clock is added, so a wrong clock in the browser does no harm.
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

/** True once the browser has hydrated the page; false on the server and during hydration. */
export function useHydrated(): boolean {
  const isTakenOver = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  // Parts that need scripts render after hydration in separate tasks, not within it.
  return useDeferredValue(isTakenOver);
}
