import { PREFIX } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';
import moved from './moved.json' with { type: 'json' };

/** Addresses that pages once had, by what stands behind the language; each leads to where its page is now. */
const MOVED: Readonly<Record<string, string>> = moved;

/**
 * Where an old address leads for good, in one hop: to the same language, or to English where it names none; a slash at its
 * end and a language in lower case make no difference. Undefined for every other path.
 */
export function movedTo(path: string): string | undefined {
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  const locale = (Object.keys(PREFIX) as SiteLocale[]).find((one) => one === segments[0]?.toLowerCase());
  const old = (locale ? segments.slice(1) : segments).join('/');
  if (!Object.hasOwn(MOVED, old)) return undefined;
  const target = MOVED[old] as string;
  return `/${PREFIX[locale ?? 'en']}${target === '' ? '' : `/${target}`}`;
}
