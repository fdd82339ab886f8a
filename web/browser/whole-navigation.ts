import type { DataRouter } from 'react-router';

let isRequested = false;
let aimed = '';

/**
 * Returns the URL fragment of the current navigation, such as `#levels`. The fragment is stored because the request for a page's
 * data does not contain it.
 */
export const aimedPart = (): string => aimed;

/** Makes each further navigation load a document. Typed values are not lost: URLs and the session storage contain them. */
export const navigateWhole = (): void => void (isRequested = true);

/**
 * True while another document is being loaded. `begin.ts` reads the same attribute, because a reload by `begin.ts` would cancel
 * that navigation.
 */
export const isLeaving = (): boolean => document.documentElement.dataset['leaving'] !== undefined;

/**
 * Returns the result of work that the router waits for. While another document is being loaded, the promise never resolves.
 * Otherwise the router would add a second entry to the browser history, and going back would take two steps.
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
 * Makes the browser load a document for navigations of the router: for all of them after `navigateWhole`, otherwise for pages
 * that need their own document. Redirects after a form are navigations, too.
 */
export function watchNavigation(router: DataRouter, needsDocument: (path: string) => boolean): void {
  let sent: string | undefined;
  router.subscribe(({ navigation }) => {
    aimed = navigation.location?.hash ?? '';
    if (navigation.state === 'submitting') sent = navigation.location.key;
    // A refused form stays on its page, which shows the errors. A new document would not show them.
    if (navigation.state !== 'loading' || navigation.location.key === sent) return;
    if (!isRequested && !needsDocument(navigation.location.pathname)) return;
    document.documentElement.dataset['leaving'] = '';
    location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash);
  });
  // The browser's cache may restore a page while it still waits for another document. Only a reload ends that wait.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving()) location.reload();
  });
}
