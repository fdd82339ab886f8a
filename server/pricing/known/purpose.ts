import { definePurpose } from '../../payments/index.ts';

/** What rails take part in that are priced here; each purpose is switched alone. */
export const ORDERS = definePurpose('orders');
