import type { LoaderFunctionArgs, RouteObject, ShouldRevalidateFunctionArgs } from 'react-router';
import { ErrorPage } from '../routes/_site/error.tsx';
import { SiteLayout } from '../routes/_site/layout.tsx';
import { ALL_PAGES, type PageName, pageNamed } from '../routes/pages.ts';
import { documentNavigation, loadData, submitForm } from './data.ts';
import { unlessLeaving } from './whole-navigation.ts';

const SHOWN = import.meta.glob<React.ComponentType>(['../routes/_site/**/page.tsx', '!../routes/_site/pay/page.tsx'], {
  import: 'default',
});

/** Routes of the site in the browser. A page's code comes from the build, its data from the web server. */
export const browserRoutes: RouteObject[] = [
  {
    id: 'site',
    path: '/:language',
    Component: SiteLayout,
    ErrorBoundary: ErrorPage,
    // The layout's data came with the document and is never loaded again.
    loader: () => null,
    shouldRevalidate: () => false,
    children: [
      ...ALL_PAGES.filter((name) => pageNamed(name).guard === undefined).map(routeOf),
      {
        id: 'frame',
        ErrorBoundary: ErrorPage,
        lazy: async () => ({ Component: (await import('../routes/_site/dashboard/frame/frame.tsx')).DashboardFrame }),
        children: ALL_PAGES.filter((name) => pageNamed(name).guard !== undefined).map(routeOf),
      },
      { id: 'missing', path: '*', ErrorBoundary: ErrorPage, loader: documentNavigation },
    ],
  },
];

/** Returns the route of a page. If the page is always loaded as a document, its loader starts that load. */
function routeOf(name: PageName): RouteObject {
  const { path, folder, header, document, entry, mayReload } = pageNamed(name);
  if (entry !== undefined) return { id: name, path, ErrorBoundary: ErrorPage, loader: documentNavigation };
  const fetchCode = SHOWN[`../routes/_site/${folder}/page.tsx`] as () => Promise<React.ComponentType>;
  const isWhole = document !== undefined;
  const route = {
    id: name,
    handle: { header, isWhole },
    ErrorBoundary: ErrorPage,
    loader: isWhole ? documentNavigation : (args: LoaderFunctionArgs) => unlessLeaving(loadData(args)),
    action: submitForm,
    ...(!mayReload && { shouldRevalidate }),
    lazy: async () => ({ Component: await unlessLeaving(fetchCode()) }),
  };
  return path === '' ? { ...route, index: true } : { ...route, path };
}

/**
 * Skips loading the page's data after a form was sent: the response already contains the change. On the review page, loading
 * would also make another quote.
 */
function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionResult === undefined || actionResult === null ? defaultShouldRevalidate : false;
}
