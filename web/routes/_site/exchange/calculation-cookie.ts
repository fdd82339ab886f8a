/** Seconds that a calculation lives, and so the cookie with its token. */
export const CALCULATION_SECONDS = 30 * 60;

/** Seconds that it leads to the order that came of it. */
export const PLACED_SECONDS = 24 * 60 * 60;

/**
 * The cookie that holds the secret of one calculation. Only the web server reads it. It is named after the calculation,
 * so that two tabs don't take each other's.
 */
export const calculationCookie = (id: string): string => `calculation-${id}`;
