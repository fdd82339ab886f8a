import lottie from 'lottie-web/build/player/lottie_light.js';

/**
 * Plays an animation in an element: fetched by GET from a link, in the format of Lottie, at speed 1, again and again.
 * `{name}` in its texts is filled in. Where anything fails the element stays as it was: its first frame stands there.
 * Gives what ends it.
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
