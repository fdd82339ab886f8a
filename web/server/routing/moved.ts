import { PREFIX } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';
import moved from './moved.json' with { type: 'json' };

/** Present paths of pages by their former paths, both without the language. */
const MOVED: Readonly<Record<string, string>> = moved;

/**
 * Returns the present path for a former one, in the same language, or in English if the former path has none. Ignores a trailing
 * slash and the letter case of the language. Returns undefined for every other path.
 */
export function movedTo(path: string): string | undefined {
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  const locale = (Object.keys(PREFIX) as SiteLocale[]).find((one) => one === segments[0]?.toLowerCase());
  const old = (locale ? segments.slice(1) : segments).join('/');
  if (!Object.hasOwn(MOVED, old)) return undefined;
  const target = MOVED[old] as string;
  return `/${PREFIX[locale ?? 'en']}${target === '' ? '' : `/${target}`}`;
}
