import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { isFullRun } from '../../tools/runner/full-run.ts';

export type Locale = 'en' | 'ru';

/** Browser window of one person that records everything that goes wrong in it. */
export interface Visit {
  readonly page: Page;
  readonly locale: Locale;
  /** Texts of the interface in the person's language, by their key. */
  readonly say: Words;
  /** Errors and warnings of the console, violations of the policy and failed requests. Empty if all is well. */
  readonly troubles: readonly string[];
  /** URLs of the documents that were loaded. A page that follows an order without a reload adds none. */
  readonly documents: readonly string[];
  close(): Promise<void>;
}

/** Returns a pattern for a text of the interface. A parameter in braces without a value matches any text. */
export type Words = (key: string, params?: Readonly<Record<string, string>>) => RegExp;

const FILES: Readonly<Record<Locale, string>> = { en: 'en-US', ru: 'ru-RU' };
export const PREFIX: Readonly<Record<Locale, string>> = { en: 'En', ru: 'Ru' };

/**
 * User agent of a person's browser. The journeys' own user agent says that the browser is automated, and its clicks aren't
 * counted.
 */
export const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export { layOutAll, startBrowser, startFirefox } from '../../tools/browser.ts';

/** Opens a window for one person: without cookies, in a language, with or without JavaScript. */
export async function openVisit(
  browser: Browser,
  locale: Locale,
  options: { readonly hasJavaScript?: boolean; readonly userAgent?: string } = {},
): Promise<Visit> {
  const { hasJavaScript = true, userAgent } = options;
  const context = await browser.newContext({
    locale: FILES[locale],
    viewport: { width: 1280, height: 900 },
    javaScriptEnabled: hasJavaScript,
    ...(userAgent !== undefined && { userAgent }),
    // Animations are redrawn all the time while a journey waits, so only the full run shows them.
    reducedMotion: isFullRun ? 'no-preference' : 'reduce',
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents.push(request.url());
  });
  return { page, locale, say: wordsOf(locale), troubles: watch(page, hasJavaScript), documents, close: () => context.close() };
}

/** Errors that Chromium and Firefox report for a request or stream that the page itself has aborted. */
const ABORTED: ReadonlySet<string> = new Set(['net::ERR_ABORTED', 'NS_BINDING_ABORTED', 'NS_BASE_STREAM_CLOSED']);

/** Records what goes wrong in a page. Violations of the content security policy are reported as errors of the console. */
function watch(page: Page, javaScript: boolean): string[] {
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      troubles.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => troubles.push(`thrown: ${error.stack ?? error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // A page that is left, or that no longer needs an answer, aborts its own requests. A browser without JavaScript refuses the
    // scripts of a page.
    const expected = ABORTED.has(why) || (!javaScript && why === 'csp');
    if (!expected) troubles.push(`${why} ${request.method()} ${request.url()}`);
  });
  return troubles;
}

function wordsOf(locale: Locale): Words {
  const words = readWords(new URL(`../../web/locales/${FILES[locale]}.json`, import.meta.url));
  return (key, params = {}) => {
    const text = words[key];
    if (text === undefined) throw new Error(`There are no words ${key}`);
    const pieces = text.split(/\{(\w+)\}/).map((piece, at) => {
      const given = at % 2 === 1 ? params[piece] : piece;
      return given === undefined ? '.*' : given.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s/g, '\\s');
    });
    return new RegExp(`^${pieces.join('')}`);
  };
}

/** Reads the texts of a language. Of a text with plural forms it returns the last one, which applies to most numbers. */
function readWords(file: URL): Readonly<Record<string, string>> {
  const found = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | { match: Record<string, string> }[]>;
  const textOf = (words: (typeof found)[string]): string =>
    typeof words === 'string' ? words : (Object.values(words[0]?.match ?? {}).at(-1) ?? '');
  return Object.fromEntries(Object.entries(found).map(([key, words]) => [key, textOf(words)]));
}

/** Waits for the result of a click. If it fails, the error contains the page's text, which usually names the reason. */
export async function brings<T>({ page }: Visit, waiting: Promise<T>): Promise<T> {
  try {
    return await waiting;
  } catch (error) {
    throw new Error(`${String(error)}\n${page.url()} says:\n${await page.getByRole('main').innerText()}`, { cause: error });
  }
}

/** Parses an amount that a page shows into a plain decimal: `1,234.50` and `1 234,50` become `1234.50`. */
export function readAmount(shown: string, locale: Locale): string {
  const figures = /[\d\s.,\u00a0\u202f]*\d/.exec(shown)?.[0].replace(/[\s\u00a0\u202f]/g, '') ?? '';
  return locale === 'ru' ? figures.replace(',', '.') : figures.replaceAll(',', '');
}
