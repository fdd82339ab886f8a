import { useLocation } from 'react-router';
import type { PageName } from '../../pages.ts';

/** The pages of an exchange: where it begins, its further steps, and the order that it becomes. */
export interface Flow {
  readonly calculator: PageName;
  readonly steps: PageName;
  readonly order: PageName;
}

const PUBLIC: Flow = { calculator: 'home', steps: 'exchange', order: 'order' };
const OWN: Flow = { calculator: 'newOrder', steps: 'newOrder', order: 'ownOrder' };

/** The pages among which somebody exchanges who is at an address: everybody’s, or those of the dashboard. */
export const flowAt = (pathname: string): Flow => (pathname.endsWith('/dashboard/new-order') ? OWN : PUBLIC);

/** The pages of the exchange that goes on here. */
export const useFlow = (): Flow => flowAt(useLocation().pathname);
