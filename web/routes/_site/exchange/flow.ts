import { useLocation } from 'react-router';
import type { PageName } from '../../pages.ts';

/** Pages of an exchange: the calculator, the later steps and the order. */
export interface Flow {
  readonly calculator: PageName;
  readonly steps: PageName;
  readonly order: PageName;
}

const PUBLIC: Flow = { calculator: 'home', steps: 'exchange', order: 'order' };
const OWN: Flow = { calculator: 'newOrder', steps: 'newOrder', order: 'ownOrder' };

/** Returns the pages of the flow that an address belongs to: the dashboard's, or the public ones. */
export const flowAt = (pathname: string): Flow => (pathname.endsWith('/dashboard/new-order') ? OWN : PUBLIC);

/** Returns the pages of the current exchange. */
export const useFlow = (): Flow => flowAt(useLocation().pathname);
