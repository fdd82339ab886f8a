import type { LoaderFunctionArgs, RouteObject, ShouldRevalidateFunctionArgs } from 'react-router';
import { ErrorPage } from '../routes/_site/error.tsx';
import { SiteLayout } from '../routes/_site/layout.tsx';
import { PAGES, type PageName, WRITTEN_PAGES, type WrittenPage } from '../routes/pages.ts';
import { documentNavigation, loadData, submitForm } from './data.ts';
import { unlessLeaving } from './whole-navigation.ts';

// Named once: what is fetched with a part of the code is listed wherever its import is written.
const dashboardPages = () => import('../routes/_site/dashboard/pages.ts');
const walletPages = () => import('../routes/_site/dashboard/wallet/pages.ts');
const dealPages = () => import('../routes/_site/solutions/pages.ts');
const returnedPage = () => import('../routes/_site/returned/returned.tsx');

/** Pages whose answer to a form tells what became of it alone: what else it changed is loaded anew. */
const LOADED_ANEW: ReadonlySet<PageName> = new Set(['affiliates', 'discount']);

/** The site map as the browser runs it: the code of a page comes with it, its data from the web server. */
export const browserRoutes: RouteObject[] = [
  {
    id: 'site',
    path: '/:language',
    Component: SiteLayout,
    ErrorBoundary: ErrorPage,
    // The frame is loaded once, with the document.
    loader: () => null,
    shouldRevalidate: () => false,
    children: [
      page('home', async () => (await import('../routes/_site/home/home.tsx')).HomePage, true),
      page('exchange', async () => (await import('../routes/_site/exchange/exchange.tsx')).ExchangePage),
      page('order', async () => (await import('../routes/_site/order/order.tsx')).OrderPage),
      page('paid', async () => (await returnedPage()).ReturnedPage),
      page('unpaid', async () => (await returnedPage()).ReturnedPage),
      page('track', async () => (await import('../routes/_site/track/track.tsx')).TrackPage),
      page(
        'discountButton',
        async () => (await import('../routes/_site/discount-button/discount-button.tsx')).DiscountButtonPage,
      ),
      page('letters', async () => (await import('../routes/_site/letters/letters.tsx')).LettersPage),
      page('rates', async () => (await import('../routes/_site/rates/rates.tsx')).RatesPage, true),
      page('service', async () => (await dealPages()).ServicePage, true),
      page('verify', async () => (await import('../routes/_site/verify/verify.tsx')).VerifyPage),
      page('exchangePaypal', async () => (await dealPages()).DealPage, true),
      page('vouchers', async () => (await dealPages()).DealPage, true),
      ...WRITTEN_PAGES.map((name) => page(name, written(name), true)),
      {
        id: 'frame',
        ErrorBoundary: ErrorPage,
        lazy: async () => ({ Component: (await import('../routes/_site/dashboard/frame/frame.tsx')).DashboardFrame }),
        children: [
          page('dashboard', async () => (await dashboardPages()).OverviewPage),
          page('orders', async () => (await dashboardPages()).OrdersPage),
          page('ownOrder', async () => (await dashboardPages()).OwnOrderPage),
          page('account', async () => (await walletPages()).AccountPage),
          page('wallet', async () => (await walletPages()).WalletPage),
          page('deposit', async () => (await walletPages()).DepositPage),
          page('withdraw', async () => (await walletPages()).WithdrawPage),
          page('transactions', async () => (await walletPages()).TransactionPage),
          page('newOrder', async () => (await dashboardPages()).NewOrderPage),
          page('affiliates', async () => (await import('../routes/_site/dashboard/affiliates/affiliates.tsx')).AffiliatesPage),
          page('discount', async () => (await dashboardPages()).DiscountPage),
        ],
      },
      { id: 'missing', path: '*', ErrorBoundary: ErrorPage, loader: documentNavigation },
    ],
  },
];

/**
 * A page of words, which is always loaded as a document. Where its code lies is written in a file of its own, so that other
 * pages don't carry it.
 */
function written(name: WrittenPage): () => Promise<React.ComponentType> {
  return async () => (await import('./written-pages.ts')).CODE_OF[name]();
}

/** One page. `whole`: it has no data for the browser and is always loaded as a document. */
function page(name: PageName, component: () => Promise<React.ComponentType>, whole = false): RouteObject {
  const { path, header } = PAGES[name];
  const route = {
    id: name,
    handle: { header, whole },
    ErrorBoundary: ErrorPage,
    loader: whole ? documentNavigation : (args: LoaderFunctionArgs) => unlessLeaving(loadData(args)),
    action: submitForm,
    ...(!LOADED_ANEW.has(name) && { shouldRevalidate }),
    lazy: async () => ({ Component: await unlessLeaving(component()) }),
  };
  return path === '' ? { ...route, index: true } : { ...route, path };
}

/** An answer to a form already holds what changed; asking again would, at the review, make another quote. */
function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionResult === undefined || actionResult === null ? defaultShouldRevalidate : false;
}
