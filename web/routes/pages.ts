/** The pages that exist, by name, each under `/En` and `/Ru`. A link to anything else is a dead link. */
export const PAGES = {
  home: { path: '', header: 'full' },
  exchange: { path: 'exchange', header: 'reduced' },
  order: { path: 'order', header: 'reduced' },
  track: { path: 'track', header: 'full' },
  terms: { path: 'terms-of-services', header: 'full' },
  aml: { path: 'aml-kyc-policy', header: 'full' },
} as const satisfies Record<string, { path: string; header: 'full' | 'reduced' }>;

export type PageName = keyof typeof PAGES;

/** Pages for everybody, which search engines may keep. The others belong to one person. */
export const PUBLIC_PAGES = ['home', 'track', 'terms', 'aml'] as const satisfies readonly PageName[];

/** How a language stands in addresses. */
export const PREFIX = { en: 'En', ru: 'Ru' } as const;

/** The address of a page: `pageUrl('ru', 'track')` → `/Ru/track`. */
export function pageUrl(locale: 'en' | 'ru', page: PageName, query: Readonly<Record<string, string>> = {}): string {
  const { path } = PAGES[page];
  const search = new URLSearchParams(query).toString();
  return `/${PREFIX[locale]}${path === '' ? '' : `/${path}`}${search === '' ? '' : `?${search}`}`;
}
