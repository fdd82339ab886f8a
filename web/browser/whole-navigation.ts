import type { DataRouter } from 'react-router';

let isRequested = false;
let aimed = '';

/** Returns the fragment that the current navigation leads to, such as `#levels`. The request for the page's data lacks it. */
export const aimedPart = (): string => aimed;

/** Makes each further navigation load a document. Typed values survive in addresses and in the session's storage. */
export const navigateWhole = (): void => void (isRequested = true);

/** True while a document is being loaded. `begin.ts` reads the same attribute: a reload would cancel that navigation. */
export const isLeaving = (): boolean => document.documentElement.dataset['leaving'] !== undefined;

/**
 * Returns the result of work that the router waits for. While a document is being loaded the promise never resolves: the router
 * would add a second entry to the history, and going back would take two steps.
 */
export async function unlessLeaving<T>(work: Promise<T>): Promise<T> {
  try {
    const done = await work;
    if (!isLeaving()) return done;
  } catch (error) {
    if (!isLeaving()) throw error;
  }
  return new Promise(() => undefined);
}

/**
 * Hands navigations of the router over to the browser: all of them after `navigateWhole`, and those to a page that needs its own
 * document. This covers links and redirects of submitted forms.
 */
export function watchNavigation(router: DataRouter, needsDocument: (path: string) => boolean): void {
  let sent: string | undefined;
  router.subscribe(({ navigation }) => {
    aimed = navigation.location?.hash ?? '';
    if (navigation.state === 'submitting') sent = navigation.location.key;
    // Stay on a form's own page: it shows the form's errors, which a new document would not.
    if (navigation.state !== 'loading' || navigation.location.key === sent) return;
    if (!isRequested && !needsDocument(navigation.location.pathname)) return;
    document.documentElement.dataset['leaving'] = '';
    location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash);
  });
  // A page that comes back from the browser's cache is still waiting for its navigation.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving()) location.reload();
  });
}
