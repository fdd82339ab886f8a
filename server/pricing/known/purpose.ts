/** Purpose of a price whose context states none. People switch each purpose of a rail (orders, deposits) separately. */
export const USUAL_PURPOSE = 'orders';
