/**
 * Web: what people see. This door is all that the server knows of the site; the rest is built by `build.ts` into
 *
 * - `dist/server/site.js`: exports `createSite`, of the type `CreateSite` below,
 * - `dist/client/`: static files (`/assets/*` have hashed names and never change), each with a `.br` and a `.gz` copy,
 * - `dist/client/builds/latest.json`: `{ "id": … }`, the id of the build.
 *
 * Words: **page** (an address that answers HTML), **data request** (a page's address with `.data` behind its path: the
 * same loaders, answered as JSON, for navigation inside the browser), **visit** (what a request says about the visitor:
 * language and theme).
 */
import type { Client } from '@kurs/contract/client';
import type { Reference } from '@kurs/contract/reference';

export type SiteLocale = 'en' | 'ru';

/** A request as the web server sees it. */
export interface SiteRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Of a form post, as it came: `application/x-www-form-urlencoded`. */
  readonly body?: string;
  /** Of a form post: the files that came along, in base64. */
  readonly files?: readonly { readonly name: string; readonly data: string }[];
  /** More came than is taken of files: there are the fields alone. */
  readonly filesTooLarge?: true;
}

export interface SiteResponse {
  readonly status: number;
  /** `set-cookie` may be several, so headers are pairs. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** An anonymous page that is the same for everybody with the same `cacheKey`: no cookie but the theme's was read for it. */
  readonly cacheable: boolean;
}

/** What an operator's configuration says about the site. Absent facts are absent on the pages. */
export interface SiteConfig {
  readonly name: string;
  /** The address that people reach us by, without a slash at the end. */
  readonly url: string;
  readonly mode: 'sandbox' | 'live';
  /** The client-id that pages call the API under. */
  readonly clientId: string;
  /** Prefix of the API's paths in browsers, without a slash at the end; absent at our own address. */
  readonly api?: string;
  /** Origins of providers that a browser posts the form of a payment to. */
  readonly formOrigins?: readonly string[];
  /**
   * Sign-in with Google: our client id there, and the address of its script. One of our own origin is a path; any other is
   * let in by the policy of every page.
   */
  readonly google?: { readonly clientId: string; readonly script: string };
  /**
   * Who checks for robots in place of the product itself, and the address of its script (a path where it is our own origin's).
   */
  readonly botCheck?: { readonly name: 'turnstile' | 'recaptcha'; readonly script: string };
  readonly legal?: { readonly entity: string; readonly address?: string; readonly registration?: string };
  readonly contacts?: { readonly email?: string; readonly links?: readonly { readonly name: string; readonly url: string }[] };
  /** The address of the error page's animation (Lottie); our own when absent. One of another's is let in by the policy. */
  readonly animation?: string;
  /** Seconds after which a browser asks for a newer build; an hour when absent. */
  readonly buildCheckSeconds?: number;
  /** The chat of somebody else that visitors may allow: our id there, and the address of its script. */
  readonly chat?: { readonly websiteId: string; readonly script: string };
  /** `{ from: '08:00', to: '23:00' }` in UTC. */
  readonly supportHours?: { readonly from: string; readonly to: string };
}

export interface SiteOptions {
  readonly config: SiteConfig;
  /**
   * The typed client bound to one request: the caller's address and device, and the page's language. `nobody`: for what is the
   * same for everybody, without the caller's session.
   */
  readonly client: (request: SiteRequest, locale: SiteLocale, as?: 'nobody') => Client;
  /** Told of everything that ends as a 500 page. Gives the reference that the page shows. */
  readonly onError: (error: unknown) => string;
  /** Told of a link with a reference that somebody opens; false for one that nobody has, of which nothing is kept. */
  readonly opened?: (request: SiteRequest, reference: Reference) => Promise<boolean>;
  /** The product's clock, which the sandbox may have moved on. This machine's clock when absent. */
  readonly now?: () => Date;
}

export interface Site {
  readonly buildId: string;
  /**
   * The key under which a GET of a public page may be kept for a second (path, language, theme), or undefined where it may
   * not (another page, a query, a session, a data request, another method). Add the rates' version to it. Only an answer
   * that is `cacheable` may be given to others.
   */
  cacheKey(request: SiteRequest): string | undefined;
  /** Answers any request that is not the API's. Never throws: what fails becomes the 500 page. */
  handle(request: SiteRequest): Promise<SiteResponse>;
}

export type CreateSite = (options: SiteOptions) => Site;
