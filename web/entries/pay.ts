import type { Entry } from './entry.ts';

/**
 * Entry of the pages of an invoice and of a store's link, which other sites may show in a frame. It has React but no router. The
 * budget of `html` doesn't include the inlined style.
 */
export const PAY = {
  classNames: '[hash:base64:5]',
  budget: { html: 11_000, style: 23_000, font: 110_000, script: 90_000 },
  policy: { loads: ['style', 'img', 'font', 'manifest'], opens: () => [] },
} as const satisfies Entry;
