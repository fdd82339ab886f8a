// Starts the browser for journeys and for pictures of the product.

import { type Browser, type Page, type Response, chromium, firefox } from 'playwright-core';
import { findChromium, findFirefox } from './chromium.mjs';
import { askOnFailure } from './runner/on-failure.ts';

/**
 * Starts Chromium without its own network connections. A page opened by its address counts as open once its scripts run, which is
 * after it has loaded. Throws if there is no Chromium.
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: npm test installs one, or name it by CHROMIUM');
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return withPatientWindows(browser);
}

/** Returns the system's Firefox, by its own protocol (WebDriver BiDi), or undefined if there is none. */
export async function startFirefox(): Promise<Browser | undefined> {
  const executablePath = findFirefox();
  if (executablePath === undefined) return undefined;
  const browser = await firefox.launch({ executablePath, channel: 'moz-firefox' });
  leaveMediaAsItIs(browser);
  return withPatientWindows(browser);
}

interface InProcess {
  readonly _connection: {
    toImpl(client: object): { readonly _browserSession: { send: (method: string, given: unknown) => Promise<unknown> } };
  };
}

/** Playwright's windows set media features by a command that Debian's Firefox doesn't know: there they set none. */
function leaveMediaAsItIs(browser: Browser): void {
  const session = (browser as unknown as InProcess)._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = async (method, given) => (method === 'emulation.setMediaFeaturesOverride' ? {} : send(method, given));
}

/** Windows whose pages wait for their scripts, and whose console prints each violation of a policy. */
function withPatientWindows(browser: Browser): Browser {
  askOnFailure(() => Promise.all(browser.contexts().flatMap((context) => context.pages().map(whatSays))));
  const openWindow = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await openWindow(options);
    if (options?.javaScriptEnabled === false) return context;
    await context.addInitScript(REPORT_REPORTS);
    await context.addInitScript(NOTE_TAKEN_OVER);
    return context.on('page', awaitScripts);
  };
  return browser;
}

const SAID_LENGTH = 1_000;
const POLL_MS = 3_000;

/** Returns the address and text of a page, to explain why the awaited element is missing. */
async function whatSays(page: Page): Promise<string> {
  const text = await page
    .locator('body, main')
    .last()
    .innerText({ timeout: POLL_MS })
    .catch(() => 'nothing');
  return `${page.url()} says: ${text.replaceAll(/\s+/g, ' ').slice(0, SAID_LENGTH)}`;
}

/** Prints policy violations to the console, since not every browser reports them to programs. */
const REPORT_REPORTS = `document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
  console.error('policy: ' + effectiveDirective + ' refuses ' + blockedURI + ' at ' + sourceFile + ':' + lineNumber));`;

/**
 * Lays out the parts of a page that are skipped until they come near (`content-visibility`). Only then do they have their size,
 * in pictures too, and overflow is seen instead of being cut off.
 */
export async function layOutAll(page: Page): Promise<void> {
  await page.evaluate(LAY_OUT_ALL);
}

const LAY_OUT_ALL = `(() => {
  const all = new CSSStyleSheet();
  all.replaceSync('* { content-visibility: visible !important; }');
  document.adoptedStyleSheets = [all];
})()`;

const NOTE_TAKEN_OVER = `let isTakenOver = false;
document.addEventListener('taken-over', () => { isTakenOver = true; });
globalThis.isReady = () => isTakenOver || document.getElementById('data') === null;`;
const isReady = (): boolean => (globalThis as unknown as { isReady: () => boolean }).isReady();

function awaitScripts(page: Page): void {
  for (const open of ['goto', 'reload'] as const) {
    const own = page[open].bind(page) as (...given: unknown[]) => Promise<Response | null>;
    const patient = async (...given: unknown[]): Promise<Response | null> => {
      const answer = await own(...given);
      const { waitUntil = 'load' } = (given.at(-1) ?? {}) as { waitUntil?: string };
      if (waitUntil !== 'commit') await page.waitForFunction(isReady);
      return answer;
    };
    Object.assign(page, { [open]: patient });
  }
}
