import type { OwnStore } from '../../store-words.ts';

type Store = Pick<OwnStore, 'business_state' | 'permissions'>;

/** True if the store's business is suspended or closed, so that nobody makes invoices in it. */
export const isStopped = ({ business_state: state }: Pick<Store, 'business_state'>): boolean =>
  state !== undefined && state !== 'approved';

/** True if the account holder may make an invoice in the store now. */
export const mayMake = (store: Store): boolean => store.permissions.includes('invoices.create') && !isStopped(store);
