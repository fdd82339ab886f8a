import { readFileSync } from 'node:fs';
import type { PageName } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';

/** What the build knows of its files, written by `build.ts` beside the server bundle. */
export interface Assets {
  readonly buildId: string;
  /** The small script of a page's end, which fetches the rest once the page has been painted. */
  readonly begin: Readonly<Record<SiteLocale, string>>;
  /** The module that starts the site in the browser, with the words of one language. */
  readonly entry: Readonly<Record<SiteLocale, string>>;
  readonly pages: Readonly<Record<SiteLocale, Readonly<Record<PageName, PageAssets>>>>;
  /** The fonts that every page of a language has, loaded early. Russian ones have Latin digits and names. */
  readonly fonts: Readonly<Record<SiteLocale, readonly string[]>>;
  readonly favicon: string;
  /** The script of the calculator for other sites. */
  readonly embed: string;
}

export interface PageAssets {
  /** Chunks that the page's module needs besides the entry. */
  readonly modules: readonly string[];
  /** Its whole CSS, inlined, and the hash of it for the Content-Security-Policy. */
  readonly css: string;
  readonly cssHash: string;
  /** The files that the inlined CSS comes from: named, so that the browser does not load them again. */
  readonly stylesheets: readonly string[];
}

/** Reads the file beside the bundle; once, when the site is made. */
export function readAssets(): Assets {
  return JSON.parse(readFileSync(new URL('./assets.json', import.meta.url), 'utf8')) as Assets;
}
