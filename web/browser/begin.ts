// First script of a page, a few hundred bytes. It fetches the page's code after the first paint, so that the code doesn't delay
// the paint. If a button was clicked before the code ran, it repeats the last such click. It reloads the page if the code can't
// be loaded. No module may import this file: it is an entry of the bundle.

/**
 * Longest wait for the first paint, in ms. Some browsers never report a first paint; the code is then fetched after this time.
 */
const UNDELIVERED_MS = 1000;

const [entry = '', ...others] = document.getElementById('begin')?.dataset['modules']?.split(' ') ?? [];
let isFetched = false;
let pressed: HTMLElement | null = null;

function fetchCode(): void {
  if (isFetched) return;
  isFetched = true;
  import(/* @vite-ignore */ entry).catch(failed);
  // Adds one preload link per task: adding all links at once blocks a phone noticeably.
  for (const href of others) setTimeout(() => document.head.append(preload(href)));
}

/** Minimum time between two reloads, in ms, so that a page whose code is missing doesn't reload endlessly. */
const GUARD_MS = 10_000;
const GUARD_KEY = 'reloaded-at';

/** Logs code that can't be loaded and reloads the page. The log names the language, since each language has its own code. */
function failed(error: unknown): void {
  console.error(`The locale "${document.documentElement.lang}" can't be loaded`, error);
  void reload();
}

/**
 * Reloads the page after its code could not be loaded, for example because it belongs to an older build that was removed. Does
 * nothing while the server can't be reached.
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

/** Stores the last button that was pressed before the page's code ran. Links and forms need no code, so they are not stored. */
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

// A page in a background tab is never painted, so its code is fetched immediately.
if (document.hidden) fetchCode();
else {
  setTimeout(fetchCode, UNDELIVERED_MS);
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) fetchCode();
  }).observe({ type: 'paint', buffered: true });
}
