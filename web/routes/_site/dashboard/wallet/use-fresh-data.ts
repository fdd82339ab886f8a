import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

const EVERY_MS = 4_000;

/** Has the page's data loaded again and again while somebody looks at it: what comes in is seen without a reload. */
export function useFreshData(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
}
