import { useDeferredValue, useEffect, useState, useSyncExternalStore } from 'react';

/** Returns milliseconds since 1970 on this machine's clock. No other code of the site reads it. */
export const machineNow = (): number => Date.now();

/**
 * Returns the server's time in milliseconds since 1970, updated each second. `madeAt` is the server's time when it made the
 * page's data. This machine's clock is corrected by its difference from `madeAt`, so a wrong clock does no harm.
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
  // Deferred, so that parts that need scripts render in separate tasks after hydration.
  return useDeferredValue(isTakenOver);
}
