import { type ActionFunctionArgs, type LoaderFunctionArgs, type RouteObject, data } from 'react-router';
import { SiteLayout } from '../../routes/_site/layout.tsx';
import { loadSite } from '../../routes/_site/site-data.ts';
import { ErrorPage } from '../../routes/_site/error.tsx';
import { BrandPage } from '../../routes/_site/brand/brand.tsx';
import { loadBrand } from '../../routes/_site/brand/brand-data.tsx';
import { AffiliatePage } from '../../routes/_site/earn/affiliate.tsx';
import { loadAffiliate } from '../../routes/_site/earn/affiliate-data.tsx';
import { EarnPage } from '../../routes/_site/earn/earn.tsx';
import { loadEarn } from '../../routes/_site/earn/earn-data.tsx';
import * as exchangeData from '../../routes/_site/exchange/exchange-data.ts';
import { ExchangePage } from '../../routes/_site/exchange/exchange.tsx';
import type { Closed } from '../../routes/closed.ts';
import { AccountPage } from '../../routes/_site/dashboard/account/account.tsx';
import { DashboardFrame } from '../../routes/_site/dashboard/frame/frame.tsx';
import { AffiliatesPage } from '../../routes/_site/dashboard/affiliates/affiliates.tsx';
import { actOnAffiliates, loadAffiliates } from '../../routes/_site/dashboard/affiliates/affiliates-data.ts';
import { DiscountPage } from '../../routes/_site/dashboard/discount/discount.tsx';
import { actOnDiscounts, loadDiscount } from '../../routes/_site/dashboard/discount/discount-data.ts';
import { PAGE_NAMES } from '../../routes/_site/dashboard/names.ts';
import * as newOrderData from '../../routes/_site/dashboard/new-order/new-order-data.ts';
import { NewOrderPage } from '../../routes/_site/dashboard/new-order/new-order.tsx';
import * as ownOrderData from '../../routes/_site/dashboard/orders/order-data.ts';
import { OwnOrderPage } from '../../routes/_site/dashboard/orders/order.tsx';
import { loadOrders } from '../../routes/_site/dashboard/orders/orders-data.ts';
import { OrdersPage } from '../../routes/_site/dashboard/orders/orders.tsx';
import { loadOverview } from '../../routes/_site/dashboard/overview/overview-data.ts';
import { OverviewPage } from '../../routes/_site/dashboard/overview/overview.tsx';
import { DepositPage } from '../../routes/_site/dashboard/wallet/deposit.tsx';
import { loadDeposit } from '../../routes/_site/dashboard/wallet/deposit-data.ts';
import { TransactionPage } from '../../routes/_site/dashboard/wallet/transaction.tsx';
import { loadTransaction } from '../../routes/_site/dashboard/wallet/transaction-data.ts';
import { WalletPage } from '../../routes/_site/dashboard/wallet/wallet.tsx';
import { loadWallet } from '../../routes/_site/dashboard/wallet/wallet-data.ts';
import { WithdrawPage } from '../../routes/_site/dashboard/wallet/withdraw.tsx';
import { loadWithdraw } from '../../routes/_site/dashboard/wallet/withdraw-data.ts';
import { ContactPage } from '../../routes/_site/contact/contact.tsx';
import { actOnContact, loadContact } from '../../routes/_site/contact/contact-data.tsx';
import { actOnTicket, loadTicket } from '../../routes/_site/contact/ticket-data.tsx';
import { FaqPage } from '../../routes/_site/faq/faq.tsx';
import { loadFaq } from '../../routes/_site/faq/faq-data.tsx';
import * as homeData from '../../routes/_site/home/home-data.tsx';
import { HomePage } from '../../routes/_site/home/home.tsx';
import * as orderData from '../../routes/_site/order/order-data.ts';
import { OrderPage } from '../../routes/_site/order/order.tsx';
import { loadText } from '../../routes/_site/text/text-data.tsx';
import { TextPage } from '../../routes/_site/text/text.tsx';
import * as ratesData from '../../routes/_site/rates/rates-data.tsx';
import { RatesPage } from '../../routes/_site/rates/rates.tsx';
import { ReturnedPage } from '../../routes/_site/returned/returned.tsx';
import { loadReturned } from '../../routes/_site/returned/returned-data.ts';
import { StatusPage } from '../../routes/_site/status/status.tsx';
import { loadStatus } from '../../routes/_site/status/status-data.tsx';
import * as serviceData from '../../routes/_site/service/service-data.tsx';
import { ServicePage } from '../../routes/_site/service/service.tsx';
import { actAt } from '../../routes/_site/solutions/deals/deal-data.ts';
import { loadBusiness } from '../../routes/_site/solutions/business-data.tsx';
import { loadGate } from '../../routes/_site/solutions/gate-data.tsx';
import { loadPayment } from '../../routes/_site/solutions/payment-data.tsx';
import { DealPage } from '../../routes/_site/solutions/deals/deal.tsx';
import { loadHiWallet } from '../../routes/_site/solutions/wallet/hi-wallet-data.tsx';
import { loadPayPal } from '../../routes/_site/solutions/deals/paypal-data.tsx';
import { SolutionPage } from '../../routes/_site/solutions/solution.tsx';
import { loadVouchers } from '../../routes/_site/solutions/deals/vouchers-data.tsx';
import * as trackData from '../../routes/_site/track/track-data.ts';
import { TrackPage } from '../../routes/_site/track/track.tsx';
import * as discountButtonData from '../../routes/_site/discount-button/discount-button-data.ts';
import { DiscountButtonPage } from '../../routes/_site/discount-button/discount-button.tsx';
import * as lettersData from '../../routes/_site/letters/letters-data.ts';
import { LettersPage } from '../../routes/_site/letters/letters.tsx';
import * as verifyData from '../../routes/_site/verify/verify-data.ts';
import { VerifyPage } from '../../routes/_site/verify/verify.tsx';
import { type GuardedPage, PAGES, type PageName } from '../../routes/pages.ts';
import { asFailure, failedWith, notFound } from '../document/failure.ts';
import { guardNamed } from './guards.ts';
import { type Visit, visitContext } from './visit.ts';

type Load = (visit: Visit) => Promise<unknown>;
type Act = (visit: Visit, form: URLSearchParams) => Promise<unknown>;

/** The site map as the server runs it: each page with what loads it and what takes its forms. */
export const serverRoutes: RouteObject[] = [
  {
    id: 'site',
    path: '/:language',
    Component: SiteLayout,
    ErrorBoundary: ErrorPage,
    loader: ({ context }) => loadSite(context.get(visitContext)),
    children: [
      page('home', HomePage, homeData.load, homeData.act),
      page('exchange', ExchangePage, exchangeData.load, exchangeData.act),
      page('order', OrderPage, orderData.load, orderData.act),
      page('paid', ReturnedPage, loadReturned('paid')),
      page('unpaid', ReturnedPage, loadReturned('unpaid')),
      page('track', TrackPage, trackData.load, trackData.act),
      page('letters', LettersPage, lettersData.load, lettersData.act),
      page('discountButton', DiscountButtonPage, discountButtonData.load, discountButtonData.act),
      page('rates', RatesPage, ratesData.load),
      page('service', ServicePage, serviceData.load, serviceData.act),
      page('verify', VerifyPage, verifyData.load, verifyData.act),
      page('hiWallet', SolutionPage, loadHiWallet),
      page('exchangePaypal', DealPage, loadPayPal, actAt('exchangePaypal')),
      page('onlinePayment', SolutionPage, loadPayment),
      page('forBusiness', SolutionPage, loadBusiness),
      page('paymentGate', SolutionPage, loadGate),
      page('vouchers', DealPage, loadVouchers, actAt('vouchers')),
      page('status', StatusPage, loadStatus),
      page('faq', FaqPage, loadFaq),
      page('contact', ContactPage, loadContact, actOnContact),
      page('ticket', ContactPage, loadTicket, actOnTicket),
      page('terms', TextPage, loadText('terms')),
      page('aml', TextPage, loadText('aml')),
      page('privacy', TextPage, loadText('privacy')),
      page('brand', BrandPage, loadBrand),
      page('affiliateProgram', AffiliatePage, loadAffiliate),
      page('earnFree', EarnPage, loadEarn),
      {
        id: 'frame',
        Component: DashboardFrame,
        ErrorBoundary: ErrorPage,
        children: [
          page('dashboard', OverviewPage, loadOverview),
          page('orders', OrdersPage, loadOrders),
          page('ownOrder', OwnOrderPage, ownOrderData.load, ownOrderData.act),
          page('account', AccountPage),
          page('wallet', WalletPage, loadWallet),
          page('deposit', DepositPage, loadDeposit),
          page('withdraw', WithdrawPage, loadWithdraw),
          page('transactions', TransactionPage, loadTransaction),
          page('newOrder', NewOrderPage, newOrderData.load, newOrderData.act),
          page('affiliates', AffiliatesPage, loadAffiliates, actOnAffiliates),
          page('discount', DiscountPage, loadDiscount, actOnDiscounts),
        ],
      },
      { id: 'missing', path: '*', ErrorBoundary: ErrorPage, loader: ({ context }) => notFound(context.get(visitContext)) },
    ],
  },
];

/** Pages that follow what changes in the account while somebody looks at them. An order has a stream of its own. */
const FOLLOWED: ReadonlySet<PageName> = new Set([
  'dashboard',
  'orders',
  'wallet',
  'deposit',
  'withdraw',
  'transactions',
  'discount',
  'affiliates',
]);

function page(name: PageName, Component: React.ComponentType, given?: Load, act?: Act): RouteObject {
  const { path, header } = PAGES[name];
  const load = guarded(name, given);
  const shared = {
    id: name,
    Component,
    ErrorBoundary: ErrorPage,
    handle: { header },
    loader: ({ context }: LoaderFunctionArgs) => run(context.get(visitContext), load),
    ...(act
      ? { action: async ({ context, request }: ActionFunctionArgs) => acted(context.get(visitContext), request, act) }
      : {}),
  };
  return path === '' ? { ...shared, index: true } : { ...shared, path };
}

async function acted(visit: Visit, request: Request, act: Act): Promise<unknown> {
  const form = new URLSearchParams(await request.text());
  return run(visit, (one) => act(one, form));
}

/** Runs a loader or an action; a failed call becomes the error page, a redirect or an answer passes. */
async function run(visit: Visit, work: Load): Promise<unknown> {
  try {
    return await work(visit);
  } catch (error) {
    if (error instanceof Response || isAnswer(error)) throw error;
    throw asFailure(error, visit);
  }
}

/** What `data()` of the router makes. */
function isAnswer(value: unknown): value is ReturnType<typeof data> {
  return typeof value === 'object' && value !== null && (value as { type?: string }).type === 'DataWithResponseInit';
}

/** How the account stands, from which on the page follows it; a page that can't be told stands without. */
const markOf = (visit: Visit): Promise<{ accountMark?: string }> =>
  visit.client.userChanges({}).then(
    ({ mark }) => ({ accountMark: mark }),
    (error: unknown) => {
      if (failedWith(error, 'unauthorised')) throw error;
      return {};
    },
  );

/** A page's loader behind the page's guard, where it has one: without a session that stands it loads nothing. */
function guarded(name: PageName, load: Load = async () => null): Load {
  const page = PAGES[name];
  if (!('guard' in page)) return load;
  const lets = guardNamed(page.guard);
  return async (visit) => {
    const head = { title: PAGE_NAMES[name as GuardedPage]() };
    if (!lets(visit)) return { head, closed: 'no session' } satisfies Closed;
    try {
      // Before the data: what changes meanwhile is told of by the stream, and never missed.
      const followed = FOLLOWED.has(name) ? await markOf(visit) : {};
      const loaded = await load(visit);
      return loaded instanceof Response || isAnswer(loaded) ? loaded : { head, ...followed, ...(loaded as object | null) };
    } catch (error) {
      if (failedWith(error, 'unauthorised')) return { head, closed: 'session over' } satisfies Closed;
      throw error;
    }
  };
}
