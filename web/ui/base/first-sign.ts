/** Events that show that someone uses the page and does more than read it. */
const SIGNS = ['pointermove', 'pointerdown', 'focusin', 'keydown'] as const;

/** Runs work when someone first uses the page. Returns a function that cancels it. */
export function onFirstSign(work: () => void): () => void {
  const waiting = new AbortController();
  const first = (): void => {
    waiting.abort();
    work();
  };
  for (const sign of SIGNS) document.addEventListener(sign, first, { capture: true, signal: waiting.signal });
  return () => waiting.abort();
}
