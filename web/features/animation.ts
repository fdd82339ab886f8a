import lottie from 'lottie-web/build/player/lottie_light.js';

/**
 * Plays an animation in an element, in a loop. The link returns it in the format of Lottie. `{name}` in its texts is replaced by
 * `words`. If anything fails, the element keeps its content, which is the first frame. Returns the function that stops it.
 */
export function play(element: HTMLElement, link: string, words: Readonly<Record<string, string>>): () => void {
  const stop = new AbortController();
  let shown: ReturnType<typeof lottie.loadAnimation> | undefined;
  const begin = async (): Promise<void> => {
    const answer = await fetch(link, { signal: stop.signal });
    if (!answer.ok) return;
    const text = (await answer.text()).replace(/\{([a-z]+)\}/g, (whole, name: string) => words[name] ?? whole);
    const animationData: unknown = JSON.parse(text);
    if (stop.signal.aborted) return;
    shown = lottie.loadAnimation({ container: element, renderer: 'svg', loop: true, autoplay: true, animationData });
    shown.setSpeed(1);
    shown.addEventListener('DOMLoaded', () => element.toggleAttribute('data-plays', true));
  };
  begin().catch(() => undefined);
  return () => {
    stop.abort();
    shown?.destroy();
  };
}
