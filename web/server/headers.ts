import type { PageAssets } from './assets.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/** Headers that every answer of the site has. */
export const COMMON_HEADERS: Headers = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()'],
];

/**
 * The policy of a page: our own files, its inlined style by hash, no inline script, and no text that becomes code or
 * HTML in the browser except through the policy `kurs` (the bot check's worker). `forms`: origins of providers that an
 * order's page posts a payment's form to.
 */
export function contentSecurityPolicy(files: PageAssets, secure: boolean, forms: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' '${files.cssHash}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    ['form-action', "'self'", ...forms].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types kurs',
    ...(secure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
