import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { type HydrationState, createBrowserRouter, matchRoutes } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import '../ui/theme/fonts.css';
import '../ui/theme/tokens.css';
import '../ui/theme/base.css';
import { currencyOf } from '../features/currency-rows.ts';
import type { SiteData } from '../routes/_site/site-data.ts';
import type { DocumentSite } from '../server/document/document-data.ts';
import { LocaleProvider } from '../ui/base/locale.ts';
import { watchBuild } from './build-check.ts';
import { CatchUp } from './catch-up.tsx';
import { rememberData } from './data.ts';
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

/** Returns errors in the form that the router recognises. They arrive as plain data. */
function errorsOf(errors: NonNullable<PageState['errors']>): HydrationState['errors'] {
  return Object.fromEntries(
    Object.entries(errors).map(([route, failure]) => [
      route,
      { status: failure?.status ?? 500, statusText: '', internal: false, data: failure },
    ]),
  );
}

/** Returns the site's data as pages read it. A text page receives no currencies or directions, and uses none. */
const siteOf = ({ currencies = [], directions = [], year = '', ...reported }: DocumentSite): SiteData => ({
  ...reported,
  directions,
  year,
  currencies: currencies.map(currencyOf),
});

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
  // A text page has no data about money, which other pages need, so its links load documents.
  if (site?.currencies.length) followLinks(router);
  else navigateWhole();
  closeMenus();
  later(site?.chat);
  // No pause after the router was made: if it navigated meanwhile, the page would differ from what the server rendered.
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
  // From here on React receives every press, and hydrates what is pressed first.
  document.dispatchEvent(new Event('taken-over'));
}

/** Lets the browser paint and handle input before the next task. */
function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

const HOUR = 3600;
const CHAT_MS = 3000;

/** Starts what can wait: prefetching of links, and a third-party chat if one is configured. */
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

/** Opens the choice of third-party scripts when the link at a page's end is clicked. */
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
