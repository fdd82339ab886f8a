/** Does work that nobody waits for once the page has nothing else to do, and where no browser tells of that, soon. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: LATEST_MS });
  else setTimeout(work);
}

/** A page that is never idle gets it done too. */
const LATEST_MS = 2_000;
