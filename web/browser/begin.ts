// The first script of a page, a few hundred bytes. It fetches the page's own code once the page has been painted, so that
// neither waits for the other, remembers what was pressed meanwhile, and reloads the page where code can't be had. It is a
// file by itself: nothing may import it.

/** Where no paint is told of, as in an old browser, the code is fetched after so long. */
const UNTOLD_MS = 1000;

const [entry = '', ...others] = document.getElementById('begin')?.dataset['modules']?.split(' ') ?? [];
let isFetched = false;
let pressed: HTMLElement | null = null;

function fetchCode(): void {
  if (isFetched) return;
  isFetched = true;
  import(/* @vite-ignore */ entry).catch(failed);
  // Each by itself: to ask for all of them at once takes a phone long enough to be felt.
  for (const href of others) setTimeout(() => document.head.append(preload(href)));
}

/** Two reloads for the same reason within this time would be a loop. */
const GUARD_MS = 10_000;
const GUARD_KEY = 'reloaded-at';

/** Words come with the code: where that can't be loaded, the page's language can't. */
function failed(error: unknown): void {
  console.error(`The locale "${document.documentElement.lang}" can't be loaded`, error);
  void reload();
}

/** A piece of code that can't be loaded (an older build's, gone since) reloads the page, unless nothing can be loaded now. */
async function reload(): Promise<void> {
  const now = Math.trunc(performance.timeOrigin + performance.now());
  if (now - +(sessionStorage.getItem(GUARD_KEY) ?? 0) < GUARD_MS) return;
  // What is shown is better than no page.
  const answer = await fetch(`/builds/latest.json?${now}`).catch(() => undefined);
  if (!answer?.ok || document.documentElement.dataset['leaving'] !== undefined) return;
  sessionStorage.setItem(GUARD_KEY, String(now));
  location.reload();
}

const preload = (href: string): HTMLLinkElement => Object.assign(document.createElement('link'), { rel: 'modulepreload', href });

/** Links and forms work without code; of the other buttons the last that was pressed is what a person waits for. */
function remember({ target }: Event): void {
  pressed = (target as Element).closest('button[type=button]');
}

addEventListener('vite:preloadError', ({ payload }) => failed(payload));
document.addEventListener('click', remember, true);
document.addEventListener(
  'taken-over',
  () => {
    document.removeEventListener('click', remember, true);
    pressed?.click();
  },
  { once: true },
);

// A page in the background isn't painted.
if (document.hidden) fetchCode();
else {
  setTimeout(fetchCode, UNTOLD_MS);
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) fetchCode();
  }).observe({ type: 'paint', buffered: true });
}
