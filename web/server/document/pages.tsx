import { renderToString } from 'react-dom/server';
import {
  type RouteObject,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
  createStaticHandler,
  createStaticRouter,
} from 'react-router';
import type { Exposure } from '@kurs/contract';
import type { Entry, Other } from '../../entries/entry.ts';
import { PAY } from '../../entries/pay.ts';
import { ServerPartsProvider } from '../../features/server-part.tsx';
import { m } from '../../features/words.ts';
import * as frameLinks from '../../routes/_site/frame-links.tsx';
import { FramePartsProvider } from '../../routes/_site/frame-parts.tsx';
import { LazyCardsProvider } from '../../routes/_site/order/lazy-cards.ts';
import { CouponField } from '../../features/calculator/coupon-field.tsx';
import { LazyCouponProvider } from '../../features/calculator/lazy-coupon.ts';
import { LazyChatProvider } from '../../routes/_site/order/lazy-chat.ts';
import { LazyChoicesProvider } from '../../routes/_site/order/choices/lazy-choices.ts';
import { Chat } from '../../routes/_site/order/chat.tsx';
import { Choices } from '../../routes/_site/order/choices/choices.tsx';
import { ProviderCards } from '../../routes/_site/order/provider-cards.tsx';
import { ALL_PAGES, PAGES, PREFIX, type PageName, isPublic, pageNamed } from '../../routes/pages.ts';
import { SITE } from '../../entries/site.ts';
import type { SiteConfig, SiteRequest, SiteResponse } from '../../site.ts';
import { LocaleProvider } from '../../ui/base/locale.ts';
import type { Assets } from './assets.ts';
import { type Head, renderDocument } from './document.ts';
import type { Failure } from './failure.ts';
import { COMMON_HEADERS, type Headers, contentSecurityPolicy, pageHeaders } from '../routing/headers.ts';
import { partsOf } from './server-drawn-parts.ts';
import { serverRoutes } from '../routing/routes.ts';
import { documentDataOf } from './document-data.ts';
import { type Visit, visitContext } from '../routing/visit.ts';

/**
 * State of a page for the browser's router: part of a document, for hydration, or the source of a data request's answer. Empty
 * fields are absent.
 */
interface PageState {
  readonly loaderData: StaticHandlerContext['loaderData'];
  readonly actionData?: NonNullable<StaticHandlerContext['actionData']>;
  readonly errors?: Readonly<Record<string, unknown>>;
}

type Handler = ReturnType<typeof createStaticHandler>;

/** Renders pages, and answers data requests with the same loaders and actions. */
export class Pages {
  readonly #handler = createStaticHandler(serverRoutes);
  readonly #handlers = new Map<PageName, Handler>();
  readonly #assets: Assets;
  readonly #config: SiteConfig;

  constructor(assets: Assets, config: SiteConfig) {
    this.#assets = assets;
    this.#config = config;
  }

  /** Returns a whole HTML page, or the redirect of its loader or action. */
  async page(request: SiteRequest, url: URL, visit: Visit): Promise<SiteResponse> {
    const context = await this.#query(request, url, visit);
    if (context instanceof Response) return redirectOf(context);
    const shown = this.#draw(context, visit);
    return { ...shown, isCacheable: shown.isCacheable && request.method === 'GET' };
  }

  /** Returns the error page for a failure before or after rendering. `reference` identifies the failure in the log. */
  async failed(visit: Visit, reference: string): Promise<SiteResponse> {
    const context = await this.#query({ method: 'GET' }, new URL(`/${PREFIX[visit.locale]}/-`, this.#config.url), visit);
    if (context instanceof Response) return redirectOf(context);
    fail(context, visit, reference);
    return this.#draw(context, visit);
  }

  /** Returns the response with a rendered page, or with the error page if the page's loader or rendering failed. */
  #draw(context: StaticHandlerContext, visit: Visit): SiteResponse {
    const page = this.#pageOf(context);
    const html = this.#render(context, visit);
    const failed = context.errors !== null;
    const head = failed ? failureHead(context) : headOf(context);
    const shown = failed ? undefined : page;
    const body = renderDocument({
      assets: this.#assets,
      config: this.#config,
      locale: visit.locale,
      theme: visit.theme,
      page: shown,
      path: visit.url.pathname.slice(`/${PREFIX[visit.locale]}`.length),
      head,
      html,
      data: stateOf(context, shown),
    });
    const isForAll = shown !== undefined && isPublic(shown);
    const isCacheable = isForAll && context.statusCode === 200;
    const headers = this.#headers(shown, visit, { opens: this.#opened(context), isStored: isForAll && context.statusCode < 400 });
    return { status: context.statusCode, headers, body, isCacheable };
  }

  /** Renders a page as HTML. If rendering fails, reports the error and renders the error page. */
  #render(context: StaticHandlerContext, visit: Visit): string {
    // Only the matched routes are given to the router, because it copies all its routes for every page.
    const routes = context.matches.map(({ route }) => ({ ...route, children: undefined }) as RouteObject);
    const router = createStaticRouter(routes, context);
    const draw = (): string =>
      renderToString(
        <LocaleProvider value={visit.locale}>
          <ServerPartsProvider value={partsOf(headOf(context))}>
            <LazyCardsProvider value={ProviderCards}>
              <LazyChoicesProvider value={Choices}>
                <LazyChatProvider value={Chat}>
                  <LazyCouponProvider value={CouponField}>
                    <FramePartsProvider value={frameLinks}>
                      <StaticRouterProvider router={router} context={context} hydrate={false} />
                    </FramePartsProvider>
                  </LazyCouponProvider>
                </LazyChatProvider>
              </LazyChoicesProvider>
            </LazyCardsProvider>
          </ServerPartsProvider>
        </LocaleProvider>,
      );
    try {
      return draw();
    } catch (error) {
      fail(context, visit, visit.report(error));
      return draw();
    }
  }

  /** Returns the data of the innermost route as JSON, for a navigation or a form in the browser. */
  async data(request: SiteRequest, url: URL, visit: Visit): Promise<SiteResponse> {
    const context = await this.#query(request, url, visit);
    const headers: Headers = [
      ...COMMON_HEADERS,
      ['content-type', 'application/json; charset=utf-8'],
      ['cache-control', 'no-store'],
    ];
    if (context instanceof Response) {
      return {
        status: 200,
        headers,
        body: JSON.stringify({ redirect: context.headers.get('location') }),
        isCacheable: false,
      };
    }
    const leaf = context.matches.at(-1)?.route.id ?? '';
    const state = stateOf(context, this.#pageOf(context));
    const failure = Object.values(state.errors ?? {})[0];
    const body = failure
      ? { failure }
      : request.method === 'POST'
        ? { data: state.actionData?.[leaf] ?? null }
        : { data: state.loaderData[leaf] ?? null };
    return { status: context.statusCode, headers, body: JSON.stringify(body), isCacheable: false };
  }

  async #query(request: Pick<SiteRequest, 'method' | 'body'>, url: URL, visit: Visit): Promise<StaticHandlerContext | Response> {
    const init: RequestInit = { method: request.method === 'POST' ? 'POST' : 'GET' };
    if (init.method === 'POST') {
      // The router requires the parameter `index` for a form that is posted to the home page.
      if (isHome(url)) url.searchParams.set('index', '');
      init.body = request.body ?? '';
      init.headers = { 'content-type': 'application/x-www-form-urlencoded' };
    }
    const requestContext = new RouterContextProvider(new Map([[visitContext, visit]]));
    return this.#handlerAt(url).query(new Request(url, init), { requestContext });
  }

  /**
   * Returns the router's handler for a URL. A path without parameters has a handler with the routes of its page only, because the
   * router tries all its routes one after the other.
   */
  #handlerAt({ pathname }: URL): Handler {
    const page = ADDRESSES.get(pathname);
    if (page === undefined) return this.#handler;
    const known = this.#handlers.get(page) ?? createStaticHandler(wayTo(page, serverRoutes));
    this.#handlers.set(page, known);
    return known;
  }

  #pageOf(context: StaticHandlerContext): PageName | undefined {
    const leaf = context.matches.at(-1)?.route.id;
    return leaf !== undefined && leaf in PAGES ? (leaf as PageName) : undefined;
  }

  /**
   * Returns the third parties whose scripts the document may load. An error page has the same header as the page that failed, but
   * no chat.
   */
  #opened(context: StaticHandlerContext): readonly Other[] {
    const page = this.#pageOf(context);
    const opens = entryOf(page).policy.opens(page);
    return context.errors === null ? opens : opens.filter((other) => other !== 'chat');
  }

  #headers(
    page: PageName | undefined,
    visit: Visit,
    { opens, isStored }: { opens: readonly Other[]; isStored: boolean },
  ): Headers {
    const isSecure = this.#config.url.startsWith('https:');
    const { api, animation, formOrigins = [] } = this.#config;
    const opened = <Name extends Other>(name: Name): SiteConfig[Name] | undefined =>
      opens.includes(name) ? this.#config[name] : undefined;
    const exposure: Exposure = page === undefined ? {} : pageNamed(page);
    return [
      ...pageHeaders(opened('google'), exposure),
      ['content-type', 'text/html; charset=utf-8'],
      ...contentSecurityPolicy(entryOf(page).policy, this.#assets.pages[visit.locale][page ?? 'home'].cssHash, {
        isSecure,
        forms: page !== undefined && leadsToPayment(page) ? formOrigins : [],
        fetched: animation ? [new URL(animation).origin] : [],
        api: api && new URL(api).origin,
        google: opened('google')?.script,
        botCheck: opened('botCheck'),
        chat: opened('chat')?.script,
        exposure,
      }),
      ['cache-control', isStored ? 'private, no-cache' : 'no-store'],
    ];
  }
}

/** Returns the entry of a page; that of the site for an error page. */
const entryOf = (page: PageName | undefined): Entry => (page !== undefined && pageNamed(page).entry === 'pay' ? PAY : SITE);

/** Pages by path, without the pages whose path has parameters. */
const ADDRESSES: ReadonlyMap<string, PageName> = new Map(
  Object.values(PREFIX).flatMap((prefix) =>
    ALL_PAGES.map((name) => [name, pageNamed(name).path] as const)
      .filter(([, path]) => !path.includes(':'))
      .map(([name, path]) => [path === '' ? `/${prefix}` : `/${prefix}/${path}`, name] as const),
  ),
);

/** Returns the branch of the route tree that leads to a page. */
function wayTo(page: PageName, routes: readonly RouteObject[]): RouteObject[] {
  return routes.flatMap((route) => {
    if (route.id === page) return [route];
    const children = wayTo(page, route.children ?? []);
    return children.length > 0 ? [{ ...route, children } as RouteObject] : [];
  });
}

const isHome = ({ pathname }: URL): boolean => Object.values(PREFIX).some((prefix) => pathname === `/${prefix}`);

/** Changes a page's state to that of an internal error (500). */
function fail(context: StaticHandlerContext, visit: Visit, reference: string): void {
  const failure: Failure = { status: 500, path: visit.url.pathname, message: m.error_500_lead(), reference };
  const leaf = context.matches.at(-1)?.route.id ?? 'site';
  Object.assign(context, {
    statusCode: 500,
    errors: { [leaf]: { status: 500, statusText: '', internal: false, data: failure } },
  });
}

/**
 * True if a document may post a payment's form to a provider: on the pages of an order and of an invoice, and on all pages of the
 * dashboard, from which links lead to orders.
 */
const leadsToPayment = (page: PageName): boolean => page === 'order' || page === 'pay' || pageNamed(page).guard !== undefined;

function redirectOf(response: Response): SiteResponse {
  return {
    status: response.status,
    headers: [
      ...COMMON_HEADERS,
      ['location', response.headers.get('location') ?? '/'],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
    ],
    body: '',
    isCacheable: false,
  };
}

/**
 * Returns a page's state for the browser. Errors become plain data: the failure that a loader threw, or null for any other error.
 */
function stateOf(context: StaticHandlerContext, page: PageName | undefined): PageState {
  const { actionData, errors, loaderData } = context;
  const plain = Object.entries(errors ?? {}).map(([route, error]) => [route, (error as { data?: unknown }).data ?? null]);
  return {
    loaderData: documentDataOf(loaderData, page),
    ...(actionData && { actionData }),
    ...(errors && { errors: Object.fromEntries(plain) as Record<string, unknown> }),
  };
}

/**
 * Returns the head that the loader of the innermost route returned. An action that refused its form may replace fields of the
 * head, such as the title.
 */
function headOf(context: StaticHandlerContext): Head {
  const leaf = context.matches.at(-1)?.route.id ?? '';
  const loaded = (context.loaderData[leaf] as { head?: Head } | undefined)?.head ?? { title: '' };
  const acted = (context.actionData?.[leaf] as { head?: Partial<Head> } | undefined)?.head;
  return acted ? { ...loaded, ...acted } : loaded;
}

function failureHead(context: StaticHandlerContext): Head {
  const failure = Object.values(context.errors ?? {})[0] as { data?: Failure } | undefined;
  return { title: failure?.data?.title ?? (failure?.data?.status === 404 ? m.error_404_title() : m.error_500_title()) };
}
