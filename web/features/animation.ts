import lottie from 'lottie-web/build/player/lottie_light.js';

/**
 * Plays a Lottie animation in an element, in a loop. `link` is the URL of the animation's file. In the animation's texts,
 * `{name}` is replaced by the value in `words`. If anything fails, the element keeps its content, which is the first frame.
 * Returns the function that stops the animation.
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
