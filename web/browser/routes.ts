import type { LoaderFunctionArgs, RouteObject, ShouldRevalidateFunctionArgs } from 'react-router';
import { ErrorPage } from '../routes/_site/error.tsx';
import { SiteLayout } from '../routes/_site/layout.tsx';
import { ALL_PAGES, type PageName, pageNamed } from '../routes/pages.ts';
import { documentNavigation, loadData, submitForm } from './data.ts';
import { unlessLeaving } from './whole-navigation.ts';

const SHOWN = import.meta.glob<React.ComponentType>('../routes/_site/**/page.tsx', { import: 'default' });

/** Routes of the site in the browser. The code of a page is part of the build; its data comes from the web server. */
export const browserRoutes: RouteObject[] = [
  {
    id: 'site',
    path: '/:language',
    Component: SiteLayout,
    ErrorBoundary: ErrorPage,
    // The layout's data is loaded once, with the document.
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

/** Returns the route of a page. A page that is always loaded as a document has no data for the browser. */
function routeOf(name: PageName): RouteObject {
  const { path, folder, header, document, mayReload } = pageNamed(name);
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
 * Skips loading after a form was sent: its response already holds the change. At the review, loading would make another quote.
 */
function shouldRevalidate({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionResult === undefined || actionResult === null ? defaultShouldRevalidate : false;
}
