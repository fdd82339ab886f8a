import type { Exposure } from '@kurs/contract';
import type { Other } from '../entries/entry.ts';

/** Entry of a page in the list of pages. */
export interface Page extends Exposure {
  /** Path after the language. `:slug` stands for a variable segment. */
  readonly path: string;
  /**
   * Folder below `_site/`. Its `page.tsx` renders the page; its `page.server.ts` loads the page's data and handles the page's
   * form.
   */
  readonly folder: string;
  /** Kind of the header; absent for the full header. `reduced` has fewer links. */
  readonly header?: 'reduced' | 'none';
  /** Name of the guard that decides who may see the page. A guarded page is shown inside the dashboard's frame. */
  readonly guard?: string;
  /**
   * Set if the page is always loaded as a document, never by navigation inside the browser. With `words` it is a page of text,
   * whose document contains no currencies and no data of the frame.
   */
  readonly document?: 'whole' | 'words';
  /**
   * Name of the page's own entry (`entries/`), without the site's router. Such a page is always loaded as a document. Absent for
   * pages of the site's entry.
   */
  readonly entry?: 'pay';
  /** True if opening the page may change something. The page then answers no HEAD requests. */
  readonly hasEffect?: true;
  /**
   * True if the page loads its data again whenever the account changes. Pages of orders have an event stream of their own
   * instead.
   */
  readonly hasUpdates?: true;
  /** True if the answer to the page's form contains only the form's result, so that the page's data must be loaded again. */
  readonly mayReload?: true;
  /** True if the page itself contains a robot check. (The sign-in dialog may contain one, too.) */
  readonly hasRobotCheck?: true;
  /** Group in the header that links to this page; absent if none does. */
  readonly menu?: 'directions' | 'business' | 'earn';
  /** Column in the footer that links to this page; absent if none does. */
  readonly footer?: 'exchange' | 'solutions' | 'help' | 'rules';
  /**
   * Set for a public page, which search engines may list. `changed` is the day on which the page last changed, unless its texts
   * come from `content/`. `hasDirections` is true if the page lists all directions, and so changes with them.
   */
  readonly sitemap?: { readonly changed?: string; readonly hasDirections?: true };
}

const OF_ACCOUNT = { header: 'none', guard: 'session' } as const;

/** All pages by name. Each exists under `/En` and `/Ru`. Menus and the footer list pages in this order. */
export const PAGES = {
  home: { path: '', folder: 'home', document: 'whole', sitemap: { changed: '2026-11-24', hasDirections: true } },
  exchange: { path: 'exchange', folder: 'exchange', header: 'reduced', hasRobotCheck: true },
  order: { path: 'order', folder: 'order', header: 'reduced', hasEffect: true },
  paid: { path: 'payment/success', folder: 'returned', header: 'reduced', hasEffect: true },
  unpaid: { path: 'payment/fail', folder: 'returned', header: 'reduced', hasEffect: true },
  pay: { path: 'pay/:id', folder: 'pay', header: 'none', entry: 'pay', framing: 'anyone' },
  payLink: { path: 'pay/link/:id', folder: 'pay/link', header: 'none', entry: 'pay', framing: 'anyone' },
  refund: { path: 'refund', folder: 'refund', header: 'reduced' },
  letters: { path: 'letters', folder: 'letters', header: 'reduced' },
  discountButton: { path: 'discount', folder: 'discount-button', header: 'reduced' },
  rates: {
    path: 'rates',
    folder: 'rates',
    document: 'whole',
    menu: 'directions',
    footer: 'exchange',
    sitemap: { changed: '2026-11-24', hasDirections: true },
  },
  service: { path: 'services/:slug', folder: 'service', document: 'whole', sitemap: { changed: '2026-11-24' } },
  hiWallet: { path: 'solutions/HiWallet', folder: 'solutions/wallet', document: 'words', footer: 'solutions', sitemap: {} },
  forBusiness: {
    path: 'solutions/online-payment-for-business',
    folder: 'solutions/business',
    document: 'words',
    menu: 'business',
    footer: 'solutions',
    sitemap: {},
  },
  onlinePayment: {
    path: 'solutions/online-payment',
    folder: 'solutions/payment',
    document: 'words',
    menu: 'business',
    footer: 'solutions',
    sitemap: {},
  },
  paymentGate: {
    path: 'solutions/payment-gate',
    folder: 'solutions/gate',
    document: 'words',
    menu: 'business',
    footer: 'solutions',
    sitemap: {},
  },
  exchangePaypal: {
    path: 'solutions/exchange-paypal',
    folder: 'solutions/deals/paypal',
    document: 'whole',
    footer: 'solutions',
    sitemap: {},
  },
  vouchers: {
    path: 'solutions/buy-sell-perfectmoney-voucher',
    folder: 'solutions/deals/vouchers',
    document: 'whole',
    footer: 'solutions',
    sitemap: {},
  },
  affiliateProgram: {
    path: 'earnmoney/affiliate-program',
    folder: 'earn/affiliate',
    document: 'words',
    menu: 'earn',
    footer: 'solutions',
    sitemap: {},
  },
  earnFree: {
    path: 'earnmoney/earn-free-crypto',
    folder: 'earn',
    document: 'words',
    menu: 'earn',
    footer: 'solutions',
    sitemap: {},
  },
  faq: { path: 'faq', folder: 'faq', document: 'words', footer: 'help', sitemap: {} },
  contact: { path: 'contact-us', folder: 'contact', document: 'words', footer: 'help', sitemap: {} },
  ticket: { path: 'contact-us/ticket', folder: 'contact/ticket', document: 'words', hasEffect: true },
  track: { path: 'track', folder: 'track', footer: 'help', sitemap: { changed: '2026-11-21' } },
  verify: { path: 'verify', folder: 'verify', footer: 'help', sitemap: { changed: '2026-11-22' } },
  status: { path: 'status', folder: 'status', document: 'words', footer: 'help', sitemap: {} },
  terms: { path: 'terms-of-services', folder: 'text', document: 'words', footer: 'rules', sitemap: {} },
  aml: { path: 'aml-kyc-policy', folder: 'text', document: 'words', footer: 'rules', sitemap: {} },
  privacy: { path: 'privacy-policy', folder: 'text', document: 'words', footer: 'rules', sitemap: {} },
  brand: { path: 'brand-guidelines', folder: 'brand', document: 'words', footer: 'rules', sitemap: {} },
  dashboard: { ...OF_ACCOUNT, path: 'dashboard', folder: 'dashboard/overview', hasUpdates: true },
  orders: { ...OF_ACCOUNT, path: 'dashboard/orders', folder: 'dashboard/orders', hasUpdates: true },
  ownOrder: { ...OF_ACCOUNT, path: 'dashboard/order', folder: 'dashboard/orders/order', hasEffect: true },
  wallet: { ...OF_ACCOUNT, path: 'dashboard/wallet', folder: 'dashboard/wallet', hasUpdates: true },
  deposit: { ...OF_ACCOUNT, path: 'dashboard/wallet/deposit', folder: 'dashboard/wallet/deposit', hasUpdates: true },
  withdraw: { ...OF_ACCOUNT, path: 'dashboard/wallet/withdraw', folder: 'dashboard/wallet/withdraw', hasUpdates: true },
  transactions: { ...OF_ACCOUNT, path: 'dashboard/wallet/transaction', folder: 'dashboard/wallet/transaction', hasUpdates: true },
  account: { ...OF_ACCOUNT, path: 'dashboard/account', folder: 'dashboard/account' },
  newOrder: { ...OF_ACCOUNT, path: 'dashboard/new-order', folder: 'dashboard/new-order' },
  affiliates: {
    ...OF_ACCOUNT,
    path: 'dashboard/affiliates',
    folder: 'dashboard/affiliates',
    hasEffect: true,
    hasUpdates: true,
    mayReload: true,
  },
  discount: { ...OF_ACCOUNT, path: 'dashboard/discount', folder: 'dashboard/discount', hasUpdates: true, mayReload: true },
  business: { ...OF_ACCOUNT, path: 'dashboard/business', folder: 'dashboard/business', hasUpdates: true, mayReload: true },
  businessApply: { ...OF_ACCOUNT, path: 'dashboard/business/apply', folder: 'dashboard/business/apply' },
  store: { ...OF_ACCOUNT, path: 'dashboard/business/store', folder: 'dashboard/business/store', mayReload: true },
  storeMembers: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/members',
    folder: 'dashboard/business/store/members',
    mayReload: true,
  },
  storeKeys: { ...OF_ACCOUNT, path: 'dashboard/business/store/keys', folder: 'dashboard/business/store/keys' },
  storeSettlements: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/settlements',
    folder: 'dashboard/business/store/settlements',
    mayReload: true,
  },
  storeWebhooks: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/webhooks',
    folder: 'dashboard/business/store/webhooks',
    mayReload: true,
  },
  storeWebhook: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/webhook',
    folder: 'dashboard/business/store/webhook',
    mayReload: true,
  },
  storeLinks: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/links',
    folder: 'dashboard/business/store/links',
    mayReload: true,
  },
  storeInvoices: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/invoices',
    folder: 'dashboard/business/store/invoices',
    hasUpdates: true,
  },
  storeEntries: { ...OF_ACCOUNT, path: 'dashboard/business/store/entries', folder: 'dashboard/business/store/entries' },
  storePreview: { ...OF_ACCOUNT, path: 'dashboard/business/store/preview', folder: 'dashboard/business/store/preview' },
  storeInvoiceNew: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/invoices/new',
    folder: 'dashboard/business/store/invoices/new',
  },
  storeInvoice: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/invoice',
    folder: 'dashboard/business/store/invoice',
    mayReload: true,
  },
  storeRefunds: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/refunds',
    folder: 'dashboard/business/store/refunds',
  },
  storeRefundNew: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/refunds/new',
    folder: 'dashboard/business/store/refunds/new',
  },
  storeRefund: {
    ...OF_ACCOUNT,
    path: 'dashboard/business/store/refund',
    folder: 'dashboard/business/store/refund',
  },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof PAGES;

/** Names of the pages whose entry has the field `Stated`. */
type PageWith<Stated extends keyof Page> = {
  [N in PageName]: (typeof PAGES)[N] extends { readonly [S in Stated]: unknown } ? N : never;
}[PageName];

/** Pages for signed-in account holders only, inside the dashboard's frame. */
export type GuardedPage = PageWith<'guard'>;
/** Public pages, which search engines may list. */
export type PublicPage = PageWith<'sitemap'>;
/** Pages that the header or the footer links to. */
export type LinkedPage = PageWith<'menu'> | PageWith<'footer'>;

export const ALL_PAGES = Object.keys(PAGES) as readonly PageName[];

/** Returns the entry of a page in the list. */
export const pageNamed = (name: PageName): Page => PAGES[name];

export const isPublic = (name: PageName): name is PublicPage => pageNamed(name).sitemap !== undefined;

export const PUBLIC_PAGES: readonly PublicPage[] = ALL_PAGES.filter(isPublic);

const PUBLIC_PATHS: ReadonlySet<string> = new Set(
  PUBLIC_PAGES.map((page) => PAGES[page].path).filter((path) => !path.includes(':')),
);

/** True if a public page has exactly this path (after the language, without a leading slash). */
export const isPublicPath = (path: string): boolean => PUBLIC_PATHS.has(path) || /^services\/[^/?]+$/.test(path);

/**
 * Returns the third parties whose scripts a page may load. Pages with the full header and the dashboard contain the sign-in
 * dialog; public pages offer the chat. `name` is undefined for the error page of an unknown URL.
 */
export function othersOf(name: PageName | undefined): readonly Other[] {
  const { header, entry, hasRobotCheck, sitemap }: Partial<Page> = name === undefined ? {} : pageNamed(name);
  const hasSignIn = header !== 'reduced' && entry === undefined;
  return [
    ...(hasSignIn ? (['google'] as const) : []),
    ...(hasSignIn || hasRobotCheck ? (['botCheck'] as const) : []),
    ...(sitemap ? (['chat'] as const) : []),
  ];
}

/** First segment of a page's path, by language. */
export const PREFIX = { en: 'En', ru: 'Ru' } as const;

/**
 * Returns the path and query of a page: `pageUrl('ru', 'track')` → `/Ru/track`. Parameters in the page's path are taken from
 * `query`: `pageUrl('en', 'service', { slug: 'tether-to-paypal-exchange' })` → `/En/services/tether-to-paypal-exchange`.
 */
export function pageUrl(locale: 'en' | 'ru', page: PageName, query: Readonly<Record<string, string>> = {}): string {
  const address = PAGES[page].path;
  if (Object.keys(query).length === 0 && !address.includes(':')) return `/${PREFIX[locale]}${address && `/${address}`}`;
  const rest = { ...query };
  const path = address.replace(/:([a-z]+)/g, (_, name: string) => {
    const value = rest[name] ?? '';
    delete rest[name];
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(rest).toString();
  return `/${PREFIX[locale]}${path === '' ? '' : `/${path}`}${search === '' ? '' : `?${search}`}`;
}

/**
 * Returns a page's path (after the language, without a leading slash) in its usual letter case: `pagePathOf('FAQ')` → `faq`.
 * Values of path parameters stay unchanged. Returns undefined if no page has this path.
 */
export function pagePathOf(path: string): string | undefined {
  const requests = path.split('/');
  for (const page of Object.values(PAGES)) {
    const segments = page.path.split('/');
    const fits = (segment: string, at: number): boolean =>
      segment.startsWith(':') ? requests[at] !== '' : segment.toLowerCase() === requests[at]?.toLowerCase();
    if (segments.length === requests.length && segments.every(fits))
      return segments.map((segment, at) => (segment.startsWith(':') ? requests[at] : segment)).join('/');
  }
  return undefined;
}
