/** What a price is for where its context doesn’t say; each purpose of a rail is switched alone. */
export const USUAL_PURPOSE = 'orders';
