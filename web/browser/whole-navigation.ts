import type { DataRouter } from 'react-router';

let isAsked = false;

/** From now on a navigation loads a whole document. What was typed stands in addresses and in the session's storage. */
export const navigateWhole = (): void => void (isAsked = true);

/** Leaves the router's navigations to the browser once that was asked for. */
export function watchNavigation(router: DataRouter): void {
  router.subscribe(({ navigation }) => {
    if (isAsked && navigation.state === 'loading' && navigation.formMethod === undefined) {
      location.assign(navigation.location.pathname + navigation.location.search + navigation.location.hash);
    }
  });
}
