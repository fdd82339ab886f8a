import { readFileSync } from 'node:fs';
import type { PageName } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';

/** Names of the build's files, written by `build.ts` beside the server bundle. */
export interface Assets {
  readonly buildId: string;
  /** Small script at a page's end, which fetches the others after the first paint. */
  readonly begin: Readonly<Record<SiteLocale, string>>;
  /** Module that starts the site in the browser, with the words of one language. */
  readonly entry: Readonly<Record<SiteLocale, string>>;
  readonly pages: Readonly<Record<SiteLocale, Readonly<Record<PageName, PageAssets>>>>;
  /** Fonts of every page in a language, preloaded. Russian pages have Latin digits and names too. */
  readonly fonts: Readonly<Record<SiteLocale, readonly string[]>>;
  readonly favicon: string;
  /** Script of the calculator for other sites. */
  readonly embed: string;
}

export interface PageAssets {
  /** Chunks that the page needs besides the entry. */
  readonly modules: readonly string[];
  /** All its CSS, inlined, and its hash for the Content-Security-Policy. */
  readonly css: string;
  readonly cssHash: string;
  /** Files of the inlined CSS. The document names them, so that the browser does not load them again. */
  readonly stylesheets: readonly string[];
}

/** Reads the file beside the bundle. Called once, when the site is created. */
export function readAssets(): Assets {
  return JSON.parse(readFileSync(new URL('./assets.json', import.meta.url), 'utf8')) as Assets;
}
