/** Purpose of a price if its context states none. People switch each purpose of a rail separately. */
export const USUAL_PURPOSE = 'orders';
