/**
 * Types of the site: the only file of `web` that the server imports. `build.ts` builds the rest into
 *
 * - `dist/server/site.js`: exports `createSite`, of the type `CreateSite` below,
 * - `dist/client/`: static files (`/assets/*` have hashed names and never change), each with a `.br` and a `.gz` copy,
 * - `dist/client/builds/latest.json`: `{ "id": … }`, the id of the build.
 *
 * Words: **page** (an address that answers HTML), **data request** (a page's address with `.data` after its path: the same
 * loaders, answered as JSON, for navigation inside the browser), **visit** (a request with the visitor's language and theme).
 */
import type { Client } from '@kurs/contract/client';
import type { Reference } from '@kurs/contract/reference';

export type SiteLocale = 'en' | 'ru';

/** Request as the web server sees it. */
export interface SiteRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Headers with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Body of a posted form, as it arrived: `application/x-www-form-urlencoded`. */
  readonly body?: string;
  /** Files of a posted form, in base64. */
  readonly files?: readonly { readonly name: string; readonly data: string }[];
  /** Present if the files exceeded the limit; then only the fields are given. */
  readonly hasTooLargeFiles?: true;
}

export interface SiteResponse {
  readonly status: number;
  /** Pairs, since `set-cookie` may occur several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /**
   * True for an anonymous page that is the same for all requests with the same `cacheKey`: its rendering read no cookie but the
   * theme's.
   */
  readonly isCacheable: boolean;
}

/** Configuration of the site by its operator. Pages leave out what is absent. */
export interface SiteConfig {
  readonly name: string;
  /** Address at which people reach the site, without a trailing slash. */
  readonly url: string;
  readonly mode: 'sandbox' | 'live';
  /** Client-id with which pages call the API. */
  readonly clientId: string;
  /** Prefix of the API's paths in browsers, without a trailing slash; absent if the API is at our own address. */
  readonly api?: string;
  /** Origins of providers to which a browser posts the form of a payment. */
  readonly formOrigins?: readonly string[];
  /**
   * Sign-in with Google: our client id there, and the address of its script. A path means our own origin. Pages that open it
   * admit any other origin in their content security policy.
   */
  readonly google?: { readonly clientId: string; readonly script: string };
  /** Third-party robot check, and the address of its script. A path means our own origin. */
  readonly botCheck?: { readonly name: 'turnstile' | 'recaptcha'; readonly script: string };
  readonly legal?: { readonly entity: string; readonly address?: string; readonly registration?: string };
  readonly contacts?: { readonly email?: string; readonly links?: readonly { readonly name: string; readonly url: string }[] };
  /** Address of the error page's animation (Lottie); our own if absent. The content security policy admits another origin. */
  readonly animation?: string;
  /** Interval at which a browser checks for a newer build, in seconds; an hour if absent. */
  readonly buildCheckSeconds?: number;
  /** Third-party chat that visitors may permit: our id there, and the address of its script. */
  readonly chat?: { readonly websiteId: string; readonly script: string };
  /** Hours of support in UTC: `{ from: '08:00', to: '23:00' }`. */
  readonly supportHours?: { readonly from: string; readonly to: string };
}

export interface SiteOptions {
  readonly config: SiteConfig;
  /**
   * Returns the typed client for one request: with the caller's address and device, and the page's language. `nobody`: without
   * the caller's session, for data that is the same for all visitors.
   */
  readonly client: (request: SiteRequest, locale: SiteLocale, as?: 'nobody') => Client;
  /** Reports each error that ends as a 500 page. Returns the reference that the page shows. */
  readonly onError: (error: unknown) => string;
  /** Reports that someone opened a link with a reference. Returns false if the reference is unknown, so that it is not stored. */
  readonly opened?: (request: SiteRequest, reference: Reference) => Promise<boolean>;
  /** The product's clock, which the sandbox may have moved forward. This machine's clock if absent. */
  readonly now?: () => Date;
}

export interface Site {
  readonly buildId: string;
  /**
   * Returns the key under which a public page may be cached for a second: path, language and theme. Undefined for every request
   * that may not be cached: another page, a query, a session, a data request, another method. The caller adds the version of the
   * rates. Only an answer that is `isCacheable` may be served to others.
   */
  cacheKey(request: SiteRequest): string | undefined;
  /** Answers any request that is not for the API. Never throws: failures become the 500 page. */
  handle(request: SiteRequest): Promise<SiteResponse>;
}

export type CreateSite = (options: SiteOptions) => Site;
