import { type ActionFunctionArgs, type LoaderFunctionArgs, type RouteObject, data } from 'react-router';
import { SiteLayout } from '../../routes/_site/layout.tsx';
import { loadSite } from '../../routes/_site/site-data.ts';
import { ErrorPage } from '../../routes/_site/error.tsx';
import type { Closed } from '../../routes/closed.ts';
import { DashboardFrame } from '../../routes/_site/dashboard/frame/frame.tsx';
import { PAGE_NAMES } from '../../routes/_site/dashboard/names.ts';
import { ALL_PAGES, type GuardedPage, type PageName, pageNamed } from '../../routes/pages.ts';
import { asFailure, failedWith, notFound } from '../document/failure.ts';
import { guardNamed } from './guards.ts';
import { type Visit, visitContext } from './visit.ts';

/**
 * Exports of a page's `page.server.ts`: `load` returns the page's data, `submit` processes the page's form. Several pages may
 * share one module.
 */
interface ServerModule {
  readonly load: (visit: Visit, page: PageName) => Promise<unknown>;
  readonly submit?: (visit: Visit, form: URLSearchParams, page: PageName) => Promise<unknown>;
}

type Work = (visit: Visit) => Promise<unknown>;

const SHOWN = import.meta.glob<React.ComponentType>('../../routes/_site/**/page.tsx', { import: 'default', eager: true });
const SERVED = import.meta.glob<ServerModule>('../../routes/_site/**/page.server.{ts,tsx}', { eager: true });

/** Routes of the site on the server: each page of the list with its loader and its action. */
export const serverRoutes: RouteObject[] = [
  {
    id: 'site',
    path: '/:language',
    Component: SiteLayout,
    ErrorBoundary: ErrorPage,
    loader: ({ context }) => loadSite(context.get(visitContext)),
    children: [
      ...ALL_PAGES.filter((name) => pageNamed(name).guard === undefined).map(routeOf),
      {
        id: 'frame',
        Component: DashboardFrame,
        ErrorBoundary: ErrorPage,
        children: ALL_PAGES.filter((name) => pageNamed(name).guard !== undefined).map(routeOf),
      },
      { id: 'missing', path: '*', ErrorBoundary: ErrorPage, loader: ({ context }) => notFound(context.get(visitContext)) },
    ],
  },
];

/** Returns the route of a page. Throws if its folder has no component. */
function routeOf(name: PageName): RouteObject {
  const { path, folder, header } = pageNamed(name);
  const at = `../../routes/_site/${folder}/page`;
  const Component = SHOWN[`${at}.tsx`];
  if (!Component) throw new Error(`The page ${name} has no ${folder}/page.tsx`);
  const { load, submit } = SERVED[`${at}.server.ts`] ?? SERVED[`${at}.server.tsx`] ?? {};
  const loadIt = guarded(name, async (visit) => (await load?.(visit, name)) ?? null);
  const route = {
    id: name,
    Component,
    ErrorBoundary: ErrorPage,
    handle: { header },
    loader: ({ context }: LoaderFunctionArgs) => run(context.get(visitContext), loadIt),
    ...(submit && {
      action: async ({ context, request }: ActionFunctionArgs) => {
        const form = new URLSearchParams(await request.text());
        return run(context.get(visitContext), (visit) => submit(visit, form, name));
      },
    }),
  };
  return path === '' ? { ...route, index: true } : { ...route, path };
}

/**
 * Runs a loader or an action. An error, such as a failed call, becomes the error page. Redirects and results of the router's
 * `data()` are passed on.
 */
async function run(visit: Visit, work: Work): Promise<unknown> {
  try {
    return await work(visit);
  } catch (error) {
    if (error instanceof Response || isAnswer(error)) throw error;
    throw asFailure(error, visit);
  }
}

/** True for a result of the router's `data()`. */
function isAnswer(value: unknown): value is ReturnType<typeof data> {
  return typeof value === 'object' && value !== null && (value as { type?: string }).type === 'DataWithResponseInit';
}

/**
 * Returns the account's change token. With this token the page reloads its data after changes of the account. If the token can't
 * be loaded, the page is shown without these reloads.
 */
const markOf = (visit: Visit): Promise<{ accountMark?: string }> =>
  visit.client.userChanges({}).then(
    ({ mark }) => ({ accountMark: mark }),
    (error: unknown) => {
      if (failedWith(error, 'unauthorised')) throw error;
      return {};
    },
  );

/**
 * Wraps a page's loader in the page's guard, if there is one. Without a valid session the guarded loader returns the page's title
 * only.
 */
function guarded(name: PageName, load: Work): Work {
  const { guard, hasUpdates } = pageNamed(name);
  if (guard === undefined) return load;
  const lets = guardNamed(guard);
  return async (visit) => {
    const head = { title: PAGE_NAMES[name as GuardedPage]() };
    if (!lets(visit)) return { head, closed: 'no session' } satisfies Closed;
    try {
      // The change token is loaded before the data, so that the event stream also reports changes during the load.
      const followed = hasUpdates ? await markOf(visit) : {};
      const loaded = await load(visit);
      return loaded instanceof Response || isAnswer(loaded) ? loaded : { head, ...followed, ...(loaded as object | null) };
    } catch (error) {
      if (failedWith(error, 'unauthorised')) return { head, closed: 'session over' } satisfies Closed;
      throw error;
    }
  };
}
