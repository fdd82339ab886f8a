// Finds the browsers for the journeys. Plain JavaScript: ensure.mjs calls it before anything is installed.

import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

// The headless shell draws the same pages with a sixth less work, so it comes first.
const NAMES = ['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const INSIDE = [
  'chrome-linux/headless_shell',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-mac/headless_shell',
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns the path of a Chromium: $CHROMIUM, then one in PATH, then the newest in Playwright's cache; otherwise undefined. */
export function findChromium(environment = process.env) {
  if (environment.CHROMIUM) return environment.CHROMIUM;
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const inPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
  return inPath ?? inPlaywrightCache(environment);
}

/** Returns the path of a Firefox of the system: $FIREFOX, then one in PATH; otherwise undefined. */
export function findFirefox(environment = process.env) {
  if (environment.FIREFOX) return environment.FIREFOX;
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  return ['firefox-esr', 'firefox'].flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function inPlaywrightCache(environment) {
  const caches = [
    environment.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache/ms-playwright'),
    join(homedir(), 'Library/Caches/ms-playwright'),
  ];
  for (const cache of caches.filter((path) => path && existsSync(path))) {
    const versions = readdirSync(cache).filter((name) => /^chromium(_headless_shell)?-\d+$/.test(name));
    versions.sort((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]));
    const found = versions.flatMap((version) => INSIDE.map((path) => join(cache, version, path))).find(isExecutable);
    if (found) return found;
  }
  return undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
