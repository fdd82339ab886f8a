import { useLocation } from 'react-router';
import type { PageName } from '../../pages.ts';

/** Names of the pages of an exchange: of the calculator, of the later steps and of the order. */
export interface Flow {
  readonly calculator: PageName;
  readonly steps: PageName;
  readonly order: PageName;
}

const PUBLIC: Flow = { calculator: 'home', steps: 'exchange', order: 'order' };
const OWN: Flow = { calculator: 'newOrder', steps: 'newOrder', order: 'ownOrder' };

/** Returns the exchange's pages for a path: the pages inside the dashboard, or the public pages. */
export const flowAt = (pathname: string): Flow => (pathname.endsWith('/dashboard/new-order') ? OWN : PUBLIC);

/** Returns the exchange's pages for the current path. */
export const useFlow = (): Flow => flowAt(useLocation().pathname);
