import { useLocation } from 'react-router';
import type { PageName } from '../../pages.ts';

/** Pages of an exchange: those of the calculator, the later steps and the order. */
export interface Flow {
  readonly calculator: PageName;
  readonly steps: PageName;
  readonly order: PageName;
}

const PUBLIC: Flow = { calculator: 'home', steps: 'exchange', order: 'order' };
const OWN: Flow = { calculator: 'newOrder', steps: 'newOrder', order: 'ownOrder' };

/** Returns the exchange's pages for a path: those inside the dashboard, or the public ones. */
export const flowAt = (pathname: string): Flow => (pathname.endsWith('/dashboard/new-order') ? OWN : PUBLIC);

/** Returns the exchange's pages for the current path. */
export const useFlow = (): Flow => flowAt(useLocation().pathname);
