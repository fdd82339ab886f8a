import { readFileSync } from 'node:fs';
import type { PageName } from '../../routes/pages.ts';
import type { SiteLocale } from '../../site.ts';

/** URLs of the build's files for the browser. `build.ts` writes them to `assets.json` beside the server's bundle. */
export interface Assets {
  readonly buildId: string;
  /**
   * Small script at the end of each page (`browser/begin.ts`), by language. It fetches the other scripts after the first paint.
   */
  readonly begin: Readonly<Record<SiteLocale, string>>;
  readonly pages: Readonly<Record<SiteLocale, Readonly<Record<PageName, PageAssets>>>>;
  /** Fonts that every page preloads, by language. Russian pages also need the Latin fonts, for digits and names. */
  readonly fonts: Readonly<Record<SiteLocale, readonly string[]>>;
  readonly favicon: string;
  /** Script inside the frame of the calculator for other sites. */
  readonly embed: string;
}

export interface PageAssets {
  /** Module that starts the page in the browser. It contains the texts of one language. */
  readonly entry: string;
  /** Scripts that the page needs besides the entry. */
  readonly modules: readonly string[];
  /** All CSS of the page, which the document contains. */
  readonly css: string;
  /** Hash of the CSS, for the content security policy. */
  readonly cssHash: string;
  /** Files from which the page's CSS was taken. The document names these files, so that the browser does not load them again. */
  readonly stylesheets: readonly string[];
}

/** Reads `assets.json` beside the bundle. Called once, when the site is created. */
export function readAssets(): Assets {
  return JSON.parse(readFileSync(new URL('./assets.json', import.meta.url), 'utf8')) as Assets;
}
