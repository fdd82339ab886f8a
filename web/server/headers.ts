import type { SiteConfig } from '../site.ts';
import type { PageAssets } from './assets.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/** Headers that every answer of the site has. */
export const COMMON_HEADERS: Headers = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
];

/** Those of a page. Google's button opens a window of Google's, which has to know the page that opened it. */
export function pageHeaders(google: SiteConfig['google']): Headers {
  if (!google) return COMMON_HEADERS;
  return COMMON_HEADERS.map(([name, value]) => [
    name,
    name === 'cross-origin-opener-policy' ? 'same-origin-allow-popups' : value,
  ]);
}

const TRUSTED_TYPES = ["require-trusted-types-for 'script'", 'trusted-types kurs'];

/**
 * The policies of a page: our own files, its inlined style by hash, no inline script, and no text that becomes code or
 * HTML in the browser except through the policy `kurs` (the bot check's worker, Google's script). `forms`: origins of
 * providers that an order's page posts a payment's form to. `google`: the address of Google's script; where that is another's
 * it is let in with what it fetches and frames below the same address
 * (https://developers.google.com/identity/gsi/web/guides/get-google-api-clientid), and text that becomes code, which it makes
 * without our policy, is only reported.
 */
export function contentSecurityPolicy(
  files: PageAssets,
  { secure, forms = [], google }: { secure: boolean; forms?: readonly string[]; google?: string | undefined },
): Headers {
  const others = google === undefined || google.startsWith('/') ? undefined : google;
  const below = others === undefined ? undefined : new URL('.', others).href;
  const sources = (name: string, ...allowed: readonly (string | undefined)[]): string =>
    [name, "'self'", ...allowed.filter((one) => one !== undefined)].join(' ');
  const enforced = [
    "default-src 'none'",
    sources('script-src', others),
    sources('style-src', `'${files.cssHash}'`, below && `${below}style`),
    "img-src 'self'",
    "font-src 'self'",
    sources('connect-src', below),
    ...(below === undefined ? [] : [`frame-src ${below}`]),
    "worker-src 'self'",
    "manifest-src 'self'",
    sources('form-action', ...forms),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(others === undefined ? TRUSTED_TYPES : []),
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ];
  return [
    ['content-security-policy', enforced.join('; ')],
    ...(others === undefined ? [] : [['content-security-policy-report-only', TRUSTED_TYPES.join('; ')] as const]),
  ];
}
