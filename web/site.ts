/**
 * Types of the site. This is the only file of `web` that the server imports. `build.ts` builds the rest into
 *
 * - `dist/server/site.js`: exports `createSite`, of the type `CreateSite` below,
 * - `dist/client/`: static files, each with a `.br` and a `.gz` copy (`/assets/*` have hashed names and never change),
 * - `dist/client/builds/latest.json`: `{ "id": … }`, the id of the build.
 *
 * Terms:
 *
 * - **page**: a URL that returns HTML,
 * - **data request**: a page's URL with `.data` after the path. It runs the same loaders and returns JSON, for navigation inside
 *   the browser,
 * - **visit**: a request with the visitor's language and theme.
 */
import type { Client } from '@kurs/contract/client';
import type { Reference } from '@kurs/contract/reference';

export type SiteLocale = 'en' | 'ru';

/** HTTP request that the server passes to the site. */
export interface SiteRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Body of a posted form as received: `application/x-www-form-urlencoded`. */
  readonly body?: string;
  /** Files of a posted form, with their content in base64. */
  readonly files?: readonly { readonly name: string; readonly data: string }[];
  /** Present if the form's files exceeded the size limit. Then `body` has the other fields, and `files` is absent. */
  readonly hasTooLargeFiles?: true;
}

export interface SiteResponse {
  readonly status: number;
  /** Pairs instead of an object, since `set-cookie` may occur several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /**
   * True for an anonymous page, rendered without reading any cookie except the theme's. It is the same for all requests with the
   * same `cacheKey`.
   */
  readonly isCacheable: boolean;
}

/** Configuration of the site by its operator. If a field is absent, pages leave out the part that needs it. */
export interface SiteConfig {
  readonly name: string;
  /** Public URL of the site, without a trailing slash. */
  readonly url: string;
  readonly mode: 'sandbox' | 'live';
  /** Client-id with which pages call the API. */
  readonly clientId: string;
  /** Base URL of the API for browsers, without a trailing slash; absent if the API has the same origin as the site. */
  readonly api?: string;
  /** Origins of payment providers to which a browser may post a payment's form. */
  readonly formOrigins?: readonly string[];
  /**
   * Sign-in with Google. `clientId` identifies us at Google. `script` is the URL of Google's script; a path stands for our own
   * origin. Pages with this sign-in allow the script's origin in their content security policy.
   */
  readonly google?: { readonly clientId: string; readonly script: string };
  /** Third-party robot check. `script` is the URL of the provider's script; a path stands for our own origin. */
  readonly botCheck?: { readonly name: 'turnstile' | 'recaptcha'; readonly script: string };
  readonly legal?: { readonly entity: string; readonly address?: string; readonly registration?: string };
  readonly contacts?: { readonly email?: string; readonly links?: readonly { readonly name: string; readonly url: string }[] };
  /** URL of the error page's Lottie animation; if absent, the site's own. The content security policy allows its origin. */
  readonly animation?: string;
  /** Interval at which a browser checks for a newer build, in seconds; default: an hour. */
  readonly buildCheckSeconds?: number;
  /**
   * Third-party chat, loaded only if the visitor permits it. `websiteId` identifies us at the chat's provider; `script` is the
   * URL of the chat's script.
   */
  readonly chat?: { readonly websiteId: string; readonly script: string };
  /** Hours of support in UTC: `{ from: '08:00', to: '23:00' }`. */
  readonly supportHours?: { readonly from: string; readonly to: string };
}

export interface SiteOptions {
  readonly config: SiteConfig;
  /**
   * Returns the API client for one request. It passes on the caller's IP address, device and session, and the page's language.
   * With `nobody` it leaves out the session, for data that is the same for all visitors.
   */
  readonly client: (request: SiteRequest, locale: SiteLocale, as?: 'nobody') => Client;
  /** Reports an error that leads to a 500 page. Returns the reference that the page shows. */
  readonly onError: (error: unknown) => string;
  /**
   * Records that someone opened a link with an affiliate's reference. Returns false if the reference is unknown; the site then
   * doesn't store the reference.
   */
  readonly opened?: (request: SiteRequest, reference: Reference) => Promise<boolean>;
  /** The product's clock, which the sandbox may have moved forward; if absent, the clock of this machine. */
  readonly now?: () => Date;
}

export interface Site {
  readonly buildId: string;
  /**
   * Returns the key under which a public page may be cached for a second: path, language and theme. The caller adds the version
   * of the rates. Returns undefined if the request's answer may not be cached: another page, a query, a session, a data request
   * or another method. Only answers that are `isCacheable` may be served from the cache.
   */
  cacheKey(request: SiteRequest): string | undefined;
  /** Answers any request that is not for the API. Never throws: failures become the 500 page. */
  handle(request: SiteRequest): Promise<SiteResponse>;
}

export type CreateSite = (options: SiteOptions) => Site;
