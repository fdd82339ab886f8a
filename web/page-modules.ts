import type { PageName } from './routes/pages.ts';

const WRITTEN = 'browser/written-pages.ts';
const FRAME = 'routes/_site/dashboard/frame/frame.tsx';
const DASHBOARD = 'routes/_site/dashboard/pages.ts';
const WALLET = 'routes/_site/dashboard/wallet/pages.ts';

/** Where each page's code begins, for its chunks and styles. */
export const PAGE_MODULES: Record<PageName, string | readonly string[]> = {
  home: 'routes/_site/home/home.tsx',
  exchange: 'routes/_site/exchange/exchange.tsx',
  order: 'routes/_site/order/order.tsx',
  paid: 'routes/_site/returned/returned.tsx',
  unpaid: 'routes/_site/returned/returned.tsx',
  track: 'routes/_site/track/track.tsx',
  letters: 'routes/_site/letters/letters.tsx',
  discountButton: 'routes/_site/discount-button/discount-button.tsx',
  rates: 'routes/_site/rates/rates.tsx',
  service: 'routes/_site/solutions/pages.ts',
  verify: 'routes/_site/verify/verify.tsx',
  hiWallet: [WRITTEN, 'routes/_site/solutions/solution.tsx'],
  exchangePaypal: 'routes/_site/solutions/pages.ts',
  onlinePayment: [WRITTEN, 'routes/_site/solutions/solution.tsx'],
  forBusiness: [WRITTEN, 'routes/_site/solutions/solution.tsx'],
  paymentGate: [WRITTEN, 'routes/_site/solutions/solution.tsx'],
  vouchers: 'routes/_site/solutions/pages.ts',
  status: [WRITTEN, 'routes/_site/status/status.tsx'],
  contact: [WRITTEN, 'routes/_site/contact/contact.tsx'],
  ticket: [WRITTEN, 'routes/_site/contact/contact.tsx'],
  faq: [WRITTEN, 'routes/_site/faq/faq.tsx'],
  terms: [WRITTEN, 'routes/_site/text/text.tsx'],
  aml: [WRITTEN, 'routes/_site/text/text.tsx'],
  privacy: [WRITTEN, 'routes/_site/text/text.tsx'],
  brand: [WRITTEN, 'routes/_site/brand/brand.tsx'],
  affiliateProgram: [WRITTEN, 'routes/_site/earn/affiliate.tsx'],
  earnFree: [WRITTEN, 'routes/_site/earn/earn.tsx'],
  dashboard: [FRAME, DASHBOARD],
  orders: [FRAME, DASHBOARD],
  ownOrder: [FRAME, DASHBOARD],
  wallet: [FRAME, WALLET],
  deposit: [FRAME, WALLET],
  withdraw: [FRAME, WALLET],
  transactions: [FRAME, WALLET],
  account: [FRAME, WALLET],
  newOrder: [FRAME, DASHBOARD],
  affiliates: [FRAME, 'routes/_site/dashboard/affiliates/affiliates.tsx'],
  discount: [FRAME, DASHBOARD],
};
