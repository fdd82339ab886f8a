import type { DataRouter } from 'react-router';

let isAsked = false;
let aimed = '';

/** The part of a page that the navigation under way leads to, as `#levels`: a request for the page's data doesn't name it. */
export const aimedPart = (): string => aimed;

/** From now on a navigation loads a whole document. What was typed stands in addresses and in the session's storage. */
export const navigateWhole = (): void => void (isAsked = true);

/** Leaves the router's navigations to the browser once that was asked for: links, and where a form that was sent leads. */
export function watchNavigation(router: DataRouter): void {
  let sent: string | undefined;
  router.subscribe(({ navigation }) => {
    aimed = navigation.location?.hash ?? '';
    if (navigation.state === 'submitting') sent = navigation.location.key;
    // A form's own page again has what was wrong with it, which a new document would not.
    if (!isAsked || navigation.state !== 'loading' || navigation.location.key === sent) return;
    location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash);
  });
}
