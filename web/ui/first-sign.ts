/** What tells that somebody is about to use a page, and does more than read it. */
const SIGNS = ['pointermove', 'pointerdown', 'focusin', 'keydown'] as const;

/** Does work at the first sign of somebody who uses the page. Gives what takes it back. */
export function onFirstSign(work: () => void): () => void {
  const stop = (): void => SIGNS.forEach((sign) => document.removeEventListener(sign, first, true));
  const first = (): void => {
    stop();
    work();
  };
  for (const sign of SIGNS) document.addEventListener(sign, first, true);
  return stop;
}
