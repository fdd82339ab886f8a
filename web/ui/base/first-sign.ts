/** What tells that somebody is about to use a page, and does more than read it. */
const SIGNS = ['pointermove', 'pointerdown', 'focusin', 'keydown'] as const;

/** Does work at the first sign of somebody who uses the page. Gives what takes it back. */
export function onFirstSign(work: () => void): () => void {
  const waiting = new AbortController();
  const first = (): void => {
    waiting.abort();
    work();
  };
  for (const sign of SIGNS) document.addEventListener(sign, first, { capture: true, signal: waiting.signal });
  return () => waiting.abort();
}
