import { PREFIX } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';
import moved from './moved.json' with { type: 'json' };

/** Former paths of pages, without the language, and the present path of each. */
const MOVED: Readonly<Record<string, string>> = moved;

/**
 * Returns the permanent target of an old address: in the same language, or in English if it names none. Ignores a trailing slash
 * and the case of the language. Undefined for every other path.
 */
export function movedTo(path: string): string | undefined {
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  const locale = (Object.keys(PREFIX) as SiteLocale[]).find((one) => one === segments[0]?.toLowerCase());
  const old = (locale ? segments.slice(1) : segments).join('/');
  if (!Object.hasOwn(MOVED, old)) return undefined;
  const target = MOVED[old] as string;
  return `/${PREFIX[locale ?? 'en']}${target === '' ? '' : `/${target}`}`;
}
