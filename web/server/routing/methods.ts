import type { RouteObject } from 'react-router';
import type { SiteRequest, SiteResponse } from '../../site.ts';
import { ALL_PAGES, pageNamed } from '../../routes/pages.ts';
import { plain } from '../files/small-files.ts';
import { serverRoutes } from './routes.ts';
import { localeOfPath } from './visit.ts';

const READS: readonly string[] = ['GET', 'HEAD'];
const TAKES_FORMS: readonly string[] = [...READS, 'POST'];

/** Returns the names of the pages below a route that accept forms. */
const takingForms = ({ id, action, children = [] }: RouteObject): readonly (string | undefined)[] => [
  ...(action ? [id] : []),
  ...children.flatMap(takingForms),
];

const FORMS = new Set(serverRoutes.flatMap(takingForms));
const PATTERNS = ALL_PAGES.map((name) => {
  const { path, hasEffect } = pageNamed(name);
  return {
    pattern: new RegExp(`^${path.replace(/:[a-z]+/g, '[^/]+')}$`),
    methods: (FORMS.has(name) ? TAKES_FORMS : READS).filter((method) => method !== 'HEAD' || !hasEffect),
  };
});

/** Returns the methods that a page's URL accepts. Returns undefined for any other URL, which may be the URL of a file. */
export function methodsAt({ pathname }: URL): readonly string[] | undefined {
  if (pathname === '/theme') return ['POST'];
  if (isReturn(pathname)) return ['GET', 'POST'];
  if (localeOfPath(pathname) === undefined || pathname.endsWith('/')) return undefined;
  const path = pathname.split('/').slice(2).join('/');
  return PATTERNS.find(({ pattern }) => pattern.test(path))?.methods;
}

/** True for the paths to which payment providers send customers back, by a link or by a posted form. */
export const isReturn = (pathname: string): boolean => /^\/(En|Ru)\/payment\/(success|fail)$/.test(pathname);

/** Returns a 405 response if the request's method is not among the accepted ones (RFC 9110, 15.5.6); otherwise undefined. */
export function refusedMethod({ method }: SiteRequest, methods: readonly string[] = READS): SiteResponse | undefined {
  return methods.includes(method) ? undefined : plain(405, 'Method not allowed.\n', [['allow', methods.join(', ')]]);
}
