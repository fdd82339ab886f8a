/** Lifetime of a calculation and of the cookie with its token, in seconds. */
export const CALCULATION_SECONDS = 30 * 60;

/**
 * Lifetime of the cookie after the calculation's order is placed, in seconds. During this time the cookie leads to that order.
 */
export const PLACED_SECONDS = 24 * 60 * 60;

/**
 * Returns the name of the cookie that holds the secret of one calculation. Only the web server reads it. The name contains the
 * calculation's id, so that two tabs don't overwrite each other's cookie.
 */
export const calculationCookie = (id: string): string => `calculation-${id}`;
