import { type PageName, othersOf } from '../routes/pages.ts';
import type { Entry } from './entry.ts';

/** Entry of the site: all pages of `routes/pages.ts`. The budget of `html` doesn't include the inlined style. */
export const SITE = {
  classNames: '[hash:base64:5]',
  budget: { html: 11_000, style: 23_000, font: 110_000, script: 125_000, dashboardScript: 160_000 },
  policy: {
    loads: ['style', 'img', 'font', 'worker', 'manifest'],
    opens: (page: PageName | undefined) => othersOf(page),
  },
} as const satisfies Entry;
