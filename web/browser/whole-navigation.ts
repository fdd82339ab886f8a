import type { DataRouter } from 'react-router';

let isAsked = false;
let aimed = '';

/** The part of a page that the navigation under way leads to, as `#levels`: a request for the page's data doesn't name it. */
export const aimedPart = (): string => aimed;

/** From now on a navigation loads a whole document. What was typed stands in addresses and in the session's storage. */
export const navigateWhole = (): void => void (isAsked = true);

/** A document is on its way. Where a piece of code is gone `begin.ts` reads this too: to reload would end that way. */
export const isLeaving = (): boolean => document.documentElement.dataset['leaving'] !== undefined;

/**
 * What the router waits for. Once a document is on its way instead it waits for ever: what it made of the answer would be
 * a second entry of the history, and the way back would take two steps.
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
 * Leaves the router's navigations to the browser once that was asked for, and those to a page that needs a document of its own:
 * links, and where a form that was sent leads.
 */
export function watchNavigation(router: DataRouter, needsDocument: (path: string) => boolean): void {
  let sent: string | undefined;
  router.subscribe(({ navigation }) => {
    aimed = navigation.location?.hash ?? '';
    if (navigation.state === 'submitting') sent = navigation.location.key;
    // A form's own page again has what was wrong with it, which a new document would not.
    if (navigation.state !== 'loading' || navigation.location.key === sent) return;
    if (!isAsked && !needsDocument(navigation.location.pathname)) return;
    document.documentElement.dataset['leaving'] = '';
    location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash);
  });
  // Anyone who comes back to a page that the browser has kept finds it waiting.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && isLeaving()) location.reload();
  });
}
