/** Events by which a visitor shows that they use the page instead of only reading it. */
const SIGNS = ['pointermove', 'pointerdown', 'focusin', 'keydown'] as const;

/** Runs `work` once, at the visitor's first pointer or key event. Returns a function that cancels this. */
export function onFirstSign(work: () => void): () => void {
  const waiting = new AbortController();
  const first = (): void => {
    waiting.abort();
    work();
  };
  for (const sign of SIGNS) document.addEventListener(sign, first, { capture: true, signal: waiting.signal });
  return () => waiting.abort();
}
