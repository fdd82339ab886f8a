import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { type HydrationState, createBrowserRouter, matchRoutes } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import '../ui/theme/fonts.css';
import '../ui/theme/tokens.css';
import '../ui/theme/base.css';
import type { SiteData } from '../routes/_site/site-data.ts';
import type { DocumentSite } from '../server/document/document-data.ts';
import { LocaleProvider } from '../ui/base/locale.ts';
import { watchBuild } from './build-check.ts';
import { CatchUp } from './catch-up.tsx';
import { rememberData } from './data.ts';
import { siteOf } from './document-site.ts';
import { followLinks } from './follow-links.ts';
import { opensMore } from './let-in.ts';
import { closeMenus } from './menus.ts';
import { pageLocale } from './page-locale.ts';
import { browserRoutes } from './routes.ts';
import { navigateWhole, watchNavigation } from './whole-navigation.ts';

const locale = pageLocale(document, console.warn);

interface PageState {
  readonly loaderData: Readonly<Record<string, unknown>>;
  readonly actionData?: HydrationState['actionData'];
  readonly errors?: Readonly<Record<string, { status?: number } | null>>;
}

/** Converts errors of the document's data to the form that the router recognises as a failed response. */
function errorsOf(errors: NonNullable<PageState['errors']>): HydrationState['errors'] {
  return Object.fromEntries(
    Object.entries(errors).map(([route, failure]) => [
      route,
      { status: failure?.status ?? 500, statusText: '', internal: false, data: failure },
    ]),
  );
}

/** Hydrates the page. Loads the code of its routes first. */
async function start(): Promise<void> {
  await breath();
  const element = document.getElementById('app');
  const data = document.getElementById('data')?.textContent;
  if (!element || !data) return;
  const matched = matchRoutes(browserRoutes, location) ?? [];
  await Promise.all(
    matched.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return;
      Object.assign(route, await route.lazy());
      delete route.lazy;
    }),
  );
  await breath();
  const state = JSON.parse(data) as PageState;
  const reported = state.loaderData['site'] as DocumentSite | undefined;
  const site = reported && siteOf(reported);
  const router = createBrowserRouter(browserRoutes, {
    hydrationData: {
      loaderData: { ...state.loaderData, site },
      actionData: state.actionData,
      errors: state.errors && errorsOf(state.errors),
    } as HydrationState,
  });
  const leaf = matched.at(-1)?.route.id ?? '';
  if (!state.errors) rememberData(location.href, state.loaderData[leaf]);
  watchNavigation(router, (path) => site !== undefined && opensMore(site, path));
  watchBuild(site?.buildCheckSeconds ?? HOUR);
  if (site) offerChoices(site);
  // The document of a text page has no currencies, which other pages need. So its links load documents.
  if (site?.currencies.length) followLinks(router);
  else navigateWhole();
  closeMenus();
  later(site?.chat);
  // Nothing is awaited between making the router and hydrating: if the router navigated meanwhile, the page would differ from the
  // HTML that the server rendered.
  startTransition(() => {
    hydrateRoot(
      element,
      <StrictMode>
        <LocaleProvider value={locale}>
          <RouterProvider router={router} />
          <CatchUp />
        </LocaleProvider>
      </StrictMode>,
    );
  });
  // React now receives every click, and hydrates the clicked part first. `begin.ts` stops storing clicks.
  document.dispatchEvent(new Event('taken-over'));
}

/** Lets the browser paint and handle input before the next task. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const HOUR = 3600;
const CHAT_MS = 3000;

/** Starts less urgent work: prefetching of links, and a third-party chat if one is configured. */
function later(chat: SiteData['chat']): void {
  const ignored = (): void => undefined;
  (globalThis.requestIdleCallback ?? setTimeout)(() => {
    import('./prefetch.ts').then(({ prefetchLinks }) => prefetchLinks(), ignored);
  });
  if (!chat) return;
  setTimeout(() => {
    import('./scripts-of-others.ts').then(({ offerChat }) => offerChat(chat), ignored);
  }, CHAT_MS);
}

/** Opens the settings for third-party scripts when the visitor clicks their link at the page's end. */
function offerChoices(site: SiteData): void {
  document.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('a[data-others]')) return;
    event.preventDefault();
    import('./scripts-of-others.ts').then(
      ({ showChoices }) => showChoices(site),
      () => undefined,
    );
  });
}

void start();
