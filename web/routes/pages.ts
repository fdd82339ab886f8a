import type { Exposure } from '@kurs/contract';

/**
 * The pages that exist, by name, each under `/En` and `/Ru`. A link to anything else is a dead link. One that others may show in
 * a frame says so here, and one that tells others its address. `changes`: opening it may change something (an order that needs
 * an offer is made one), so that there is no HEAD of it.
 */
export const PAGES = {
  home: { path: '', header: 'full' },
  exchange: { path: 'exchange', header: 'reduced' },
  order: { path: 'order', header: 'reduced', changes: true },
  paid: { path: 'payment/success', header: 'reduced', changes: true },
  unpaid: { path: 'payment/fail', header: 'reduced', changes: true },
  track: { path: 'track', header: 'full' },
  letters: { path: 'letters', header: 'reduced' },
  discountButton: { path: 'discount', header: 'reduced' },
  rates: { path: 'rates', header: 'full' },
  service: { path: 'services/:slug', header: 'full' },
  verify: { path: 'verify', header: 'full' },
  hiWallet: { path: 'solutions/HiWallet', header: 'full' },
  exchangePaypal: { path: 'solutions/exchange-paypal', header: 'full' },
  onlinePayment: { path: 'solutions/online-payment', header: 'full' },
  forBusiness: { path: 'solutions/online-payment-for-business', header: 'full' },
  paymentGate: { path: 'solutions/payment-gate', header: 'full' },
  vouchers: { path: 'solutions/buy-sell-perfectmoney-voucher', header: 'full' },
  faq: { path: 'faq', header: 'full' },
  status: { path: 'status', header: 'full' },
  terms: { path: 'terms-of-services', header: 'full' },
  contact: { path: 'contact-us', header: 'full' },
  ticket: { path: 'contact-us/ticket', header: 'full', changes: true },
  aml: { path: 'aml-kyc-policy', header: 'full' },
  privacy: { path: 'privacy-policy', header: 'full' },
  affiliateProgram: { path: 'earnmoney/affiliate-program', header: 'full' },
  earnFree: { path: 'earnmoney/earn-free-crypto', header: 'full' },
  brand: { path: 'brand-guidelines', header: 'full' },
  dashboard: { path: 'dashboard', header: 'none', guard: 'session' },
  orders: { path: 'dashboard/orders', header: 'none', guard: 'session' },
  ownOrder: { path: 'dashboard/order', header: 'none', guard: 'session', changes: true },
  wallet: { path: 'dashboard/wallet', header: 'none', guard: 'session' },
  deposit: { path: 'dashboard/wallet/deposit', header: 'none', guard: 'session' },
  withdraw: { path: 'dashboard/wallet/withdraw', header: 'none', guard: 'session' },
  transactions: { path: 'dashboard/wallet/transaction', header: 'none', guard: 'session' },
  account: { path: 'dashboard/account', header: 'none', guard: 'session' },
  newOrder: { path: 'dashboard/new-order', header: 'none', guard: 'session' },
  affiliates: { path: 'dashboard/affiliates', header: 'none', guard: 'session', changes: true },
  discount: { path: 'dashboard/discount', header: 'none', guard: 'session' },
} as const satisfies Record<
  string,
  { path: string; header: 'full' | 'reduced' | 'none'; guard?: string; changes?: true } & Exposure
>;

export type PageName = keyof typeof PAGES;

/** Pages that only an account holder who is signed in may see: they stand in the dashboard's own frame. */
export type GuardedPage = { [N in PageName]: (typeof PAGES)[N] extends { guard: string } ? N : never }[PageName];

/** Pages for everybody, which search engines may keep. The others belong to one person. */
export const PUBLIC_PAGES = [
  'home',
  'rates',
  'service',
  'track',
  'verify',
  'hiWallet',
  'exchangePaypal',
  'vouchers',
  'onlinePayment',
  'forBusiness',
  'paymentGate',
  'faq',
  'contact',
  'status',
  'terms',
  'aml',
  'privacy',
  'brand',
  'affiliateProgram',
  'earnFree',
] as const satisfies readonly PageName[];

const PUBLIC_PATHS: ReadonlySet<string> = new Set(
  PUBLIC_PAGES.map((page) => PAGES[page].path).filter((path) => !path.includes(':')),
);

/** Whether a public page stands at a path (behind its language, without a slash before it), written exactly so. */
export const isPublicPath = (path: string): boolean => PUBLIC_PATHS.has(path) || /^services\/[^/?]+$/.test(path);

/**
 * Pages of words: always loaded as documents, as is whatever they lead to. The browser is told nothing there of currencies,
 * and of the frame only what it does itself.
 */
export const WRITTEN_PAGES = [
  'hiWallet',
  'onlinePayment',
  'forBusiness',
  'paymentGate',
  'faq',
  'status',
  'contact',
  'ticket',
  'terms',
  'aml',
  'privacy',
  'brand',
  'affiliateProgram',
  'earnFree',
] as const satisfies readonly PageName[];

export type WrittenPage = (typeof WRITTEN_PAGES)[number];

/** How a language stands in addresses. */
export const PREFIX = { en: 'En', ru: 'Ru' } as const;

/**
 * The address of a page: `pageUrl('ru', 'track')` → `/Ru/track`. What its path asks for is taken from the query:
 * `pageUrl('en', 'service', { slug: 'tether-to-paypal-exchange' })` → `/En/services/tether-to-paypal-exchange`.
 */
export function pageUrl(locale: 'en' | 'ru', page: PageName, query: Readonly<Record<string, string>> = {}): string {
  const rest = { ...query };
  const path = PAGES[page].path.replace(/:([a-z]+)/g, (_, name: string) => {
    const value = rest[name] ?? '';
    delete rest[name];
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(rest).toString();
  return `/${PREFIX[locale]}${path === '' ? '' : `/${path}`}${search === '' ? '' : `?${search}`}`;
}

/**
 * The path of a page (behind its language, without a slash before it) as it is written, in whatever letter case it is asked
 * for: `pagePathOf('FAQ')` → `faq`. Undefined where no page is. What stands for a parameter stays as it is.
 */
export function pagePathOf(path: string): string | undefined {
  const asked = path.split('/');
  for (const page of Object.values(PAGES)) {
    const segments = page.path.split('/');
    const fits = (segment: string, at: number): boolean =>
      segment.startsWith(':') ? asked[at] !== '' : segment.toLowerCase() === asked[at]?.toLowerCase();
    if (segments.length === asked.length && segments.every(fits))
      return segments.map((segment, at) => (segment.startsWith(':') ? asked[at] : segment)).join('/');
  }
  return undefined;
}
