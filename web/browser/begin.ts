// First script of a page, a few hundred bytes. It fetches the page's code after the first paint, so that paint and code don't
// delay each other. It remembers the button that was pressed meanwhile, and reloads the page if its code can't be loaded. No
// module may import this file: it is an entry of its own.

/** Delay before the code is fetched in browsers that report no paint, in ms. */
const UNDELIVERED_MS = 1000;

const [entry = '', ...others] = document.getElementById('begin')?.dataset['modules']?.split(' ') ?? [];
let isFetched = false;
let pressed: HTMLElement | null = null;

function fetchCode(): void {
  if (isFetched) return;
  isFetched = true;
  import(/* @vite-ignore */ entry).catch(failed);
  // Adds one link per task: adding all at once blocks a phone noticeably.
  for (const href of others) setTimeout(() => document.head.append(preload(href)));
}

/** A second reload within this time would be a loop, in ms. */
const GUARD_MS = 10_000;
const GUARD_KEY = 'reloaded-at';

/** Reports code that can't be loaded. The page's words are part of it. */
function failed(error: unknown): void {
  console.error(`The locale "${document.documentElement.lang}" can't be loaded`, error);
  void reload();
}

/**
 * Reloads the page if its code can't be loaded, for instance because it belongs to an older build that was removed. Does nothing
 * while the server can't be reached.
 */
async function reload(): Promise<void> {
  const now = Math.trunc(performance.timeOrigin + performance.now());
  if (now - +(sessionStorage.getItem(GUARD_KEY) ?? 0) < GUARD_MS) return;
  // Keep the shown page if the server doesn't answer.
  const answer = await fetch(`/builds/latest.json?${now}`).catch(() => undefined);
  if (!answer?.ok || document.documentElement.dataset['leaving'] !== undefined) return;
  sessionStorage.setItem(GUARD_KEY, String(now));
  location.reload();
}

const preload = (href: string): HTMLLinkElement => Object.assign(document.createElement('link'), { rel: 'modulepreload', href });

/** Remembers the last button that was pressed before the code ran. Links and forms work without code. */
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

// A page in the background is not painted.
if (document.hidden) fetchCode();
else {
  setTimeout(fetchCode, UNDELIVERED_MS);
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) fetchCode();
  }).observe({ type: 'paint', buffered: true });
}
