import { definePurpose, takesFor } from '../../payments/index.ts';

const ORDERS = definePurpose('orders');

/** Whether people let a rail take part in orders, as of half a second ago. Orders that there are go on either way. */
export const takesPart = (rail: string): boolean => takesFor(rail, ORDERS);
