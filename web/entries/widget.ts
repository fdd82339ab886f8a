import type { Entry } from './entry.ts';

/** Entry of the calculator for other sites. The budget `all` is for its page and its two scripts together. */
export const WIDGET = {
  classNames: '[hash:base64:5]',
  budget: { all: 30_000 },
  policy: { loads: [], opens: () => [] },
} as const satisfies Entry;
