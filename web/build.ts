/**
 * Builds the site: compiled texts, drawings, and the bundles of the browser and the server. `node web/build.ts` builds only if
 * the hash of the sources has changed since the last build; `--force` always builds.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { compile } from '@inlang/paraglide-js';
import react from '@vitejs/plugin-react';
import { type InlineConfig, type Manifest, type Plugin, type Rolldown, build as viteBuild } from 'vite';
import { kitFiles } from './brand/kit.ts';
import { bundleEmbed } from './bundle-embed.ts';
import type { Entry } from './entries/entry.ts';
import { PAY } from './entries/pay.ts';
import { SITE } from './entries/site.ts';
import { WIDGET } from './entries/widget.ts';
import { outlinesOf } from './brand/outlines.ts';
import { clearForBuild } from './former-builds.ts';
import { SMALL_ROSETTE, rosette, waves } from './engraving/engraving.ts';
import { tornNote } from './engraving/torn-note.ts';
import { iconSprite } from './icons/sprite.ts';
import type { Assets, PageAssets } from './server/document/assets.ts';
import type { SiteLocale } from './site.ts';
import { requireGuards } from './server/routing/guards.ts';
import { ALL_PAGES, PAGES, pageNamed } from './routes/pages.ts';
import { sourceHash } from './sources.mjs';
import { machineNow } from './ui/base/clock.ts';
import { withWidths } from './ui/theme/with-widths.ts';

const WEB = dirname(fileURLToPath(import.meta.url));
const CLIENT = join(WEB, 'dist/client');
const SERVER = join(WEB, 'dist/server');
const DRAWN = join(WEB, '.build');

/**
 * Builds the site unless the last build has the same sources. Concurrent calls wait until the running build has ended. Returns
 * the build's id. Throws if a page names an unknown guard.
 */
export async function build(options: { isForced?: boolean } = {}): Promise<string> {
  requireGuards(PAGES);
  const release = await lock();
  try {
    const id = sourceHash();
    const last = await readFile(join(SERVER, 'assets.json'), 'utf8').then(
      (text) => (JSON.parse(text) as Assets).buildId,
      () => undefined,
    );
    if (last !== id || options.isForced) await buildAll(id);
    return id;
  } finally {
    await release();
  }
}

async function buildAll(id: string): Promise<void> {
  // A running server is not affected: it has loaded its build into memory.
  await clearForBuild(join(WEB, 'dist'), machineNow());
  await Promise.all([compileWords(), draw()]);
  const bundles = { en: await bundleEntries('en'), ru: await bundleEntries('ru') };
  const embed = await bundleEmbed({ ...configOf(WIDGET), publicDir: false }, CLIENT);
  await viteBuild(serverBundle());
  await copyStatic(id);
  await compressAll(CLIENT);
  // Written last: without this file a build counts as incomplete.
  await writeFile(join(SERVER, 'assets.json'), JSON.stringify(await describeAssets(id, bundles, embed), null, 1));
}

/** Age in ms above which a lock is removed, because the build that took it must have been killed. */
const LOCK_MS = 120_000;

/**
 * Takes the build's lock by creating a folder, which succeeds for one process only. Returns the function that releases the lock.
 */
async function lock(): Promise<() => Promise<void>> {
  const folder = join(DRAWN, 'lock');
  await mkdir(DRAWN, { recursive: true });
  for (;;) {
    try {
      await mkdir(folder);
      return () => rm(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const made = await stat(folder).catch(() => undefined);
    if (made && machineNow() - made.mtimeMs > LOCK_MS) await rm(folder, { recursive: true, force: true });
    await setTimeout(100);
  }
}

/**
 * Compiles the texts of the interface. If the compiler finds no texts it only warns, so the number of compiled texts is checked.
 */
async function compileWords(): Promise<void> {
  const out = join(WEB, 'paraglide');
  await compile({
    project: join(WEB, 'project.inlang'),
    outdir: out,
    strategy: ['globalVariable', 'baseLocale'],
    isServer: 'import.meta.env.SSR',
    disableAsyncLocalStorage: true,
    emitGitIgnore: false,
    emitPrettierIgnore: false,
    emitReadme: false,
  });
  const messages = await readdir(join(out, 'messages'));
  const expected = Object.keys(JSON.parse(await readFile(join(WEB, 'locales/en-US.json'), 'utf8')) as object).filter(
    (key) => !key.startsWith('$'),
  );
  if (messages.filter((name) => name.endsWith('.js')).length < expected.length) throw new Error('The words were not compiled');
  await storePluralRules(join(out, 'registry.js'));
}

/**
 * Makes the compiled texts cache their plural rules. Otherwise each sentence makes new rules, which takes a tenth of the time to
 * render a page.
 */
async function storePluralRules(file: string): Promise<void> {
  const made = 'return new Intl.PluralRules(locale, options).select(Number(input))';
  const code = await readFile(file, 'utf8');
  if (!code.includes(made)) throw new Error('The compiler of words writes plurals in another way now');
  const rules = 'rules[locale + JSON.stringify(options)] ??= new Intl.PluralRules(locale, options)';
  await writeFile(file, `const rules = {};\n${code.replace(made, `return (${rules}).select(Number(input))`)}`);
}

/** Draws the engraving, the icons and the letters of the wordmark into files that the bundles import. */
async function draw(): Promise<void> {
  await mkdir(DRAWN, { recursive: true });
  await Promise.all([
    writeFile(join(DRAWN, 'icons.svg'), await iconSprite()),
    writeFile(join(DRAWN, 'rosette.svg'), rosette()),
    writeFile(join(DRAWN, 'rosette-small.svg'), rosette(SMALL_ROSETTE)),
    writeFile(join(DRAWN, 'waves.svg'), waves()),
    drawLetters(),
  ]);
}

/** Writes the outlines of the letters for the wordmark, from the font of the pages' titles. */
async function drawLetters(): Promise<void> {
  const fonts = await Promise.all(TITLE_FONTS.map(async (font) => outlinesOf(await readFile(fileURLToPath(font)))));
  const all = fonts.flatMap(({ glyphs: own }) => Object.entries(own)).filter(([letter]) => /[\p{L}\p{Nd} .,&'’+-]/u.test(letter));
  const glyphs = Object.fromEntries(all);
  await writeFile(join(DRAWN, 'letters.json'), JSON.stringify({ em: fonts[0]?.em, glyphs }));
}

const TITLE_FONTS = ['latin', 'cyrillic'].map((script) =>
  import.meta.resolve(`@fontsource/source-serif-4/files/source-serif-4-${script}-600-normal.woff`),
);

/** Returns the part of Vite's configuration that all bundles of one entry (the site or the widget) share. */
function configOf({ classNames }: Entry): InlineConfig {
  return {
    root: WEB,
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    plugins: [react(), widths()],
    css: { modules: { generateScopedName: classNames } },
    json: { namedExports: true },
  };
}

/** Modules of the pages of stores. Their words are recognized by the topic that begins their names. */
const STORES =
  /\/dashboard\/business\/|\/messages\/(?:book|business|entries|invoices|keys|links|members|moves|overview|refunds|settlements|stores?|webhooks)_/;

/**
 * Groups of modules that are put into one file, since fewer files compress better. `core` has all modules that the entry needs;
 * `shared` has modules that at least eight pages or parts use, and `stores` those of them that only pages of stores use. Paths of
 * account calls have their own file. Visitors' pages need neither of the last two.
 */
const FILES = [
  { name: 'core', test: /\/browser\/entry\.tsx$/, priority: 4 },
  { name: 'account-paths', test: /\/contract\/account-paths\.ts$/, priority: 3 },
  { name: 'shared', test: (id: string) => /\/web\/|\/contract\//.test(id) && !STORES.test(id), minShareCount: 8, priority: 2 },
  { name: 'stores', test: STORES, minShareCount: 8, priority: 1 },
];

/** Bundles of the browser: the entry that states each, its first module, and its groups of modules. */
const BUNDLES = {
  site: { entry: SITE, first: 'browser/entry.tsx', groups: FILES },
  pay: { entry: PAY, first: 'browser/pay.tsx', groups: [] },
} as const;
type BundleName = keyof typeof BUNDLES;
type Manifests = Readonly<Record<BundleName, Manifest>>;

/** Builds all bundles of the browser in one language and returns their manifests. */
async function bundleEntries(locale: SiteLocale): Promise<Manifests> {
  return { site: await bundleBrowser(locale, 'site'), pay: await bundleBrowser(locale, 'pay') };
}

/**
 * Builds a bundle of the browser in one language and returns its manifest. Names of styles and pictures are the same in both
 * languages, and in all bundles.
 */
async function bundleBrowser(locale: SiteLocale, name: BundleName): Promise<Manifest> {
  const { entry, first, groups } = BUNDLES[name];
  const names = `assets/${locale}/[name]-[hash].js`;
  const built = await viteBuild({
    ...configOf(entry),
    publicDir: false,
    plugins: [react(), widths(), oneLanguage(LANGUAGE[locale]), compiledAside(first)],
    worker: { format: 'es', rolldownOptions: { output: { entryFileNames: names } } },
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      manifest: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: (name === 'site' ? [first, BEGIN] : [first]).map((file) => join(WEB, file)),
        output: {
          entryFileNames: names,
          chunkFileNames: ({ facadeModuleId }) => names.replace('[name]', nameOfPage(facadeModuleId) ?? '[name]'),
          assetFileNames: 'assets/[name]-[hash][extname]',
          codeSplitting: { groups: [...groups] },
        },
      },
    },
  });
  requireNoLoaders(built as Rolldown.RolldownOutput);
  const file = join(CLIENT, '.vite/manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  await rm(dirname(file), { recursive: true });
  return manifest;
}

/** File name for a page's code, made from the page's folder: `dashboard-orders`. Undefined for any other module. */
const nameOfPage = (module: string | null): string | undefined =>
  /\/_site\/(.+)\/page\.tsx$/.exec(module ?? '')?.[1]?.replaceAll('/', '-');

/** Throws if the browser's bundle contains the loader of a page, which only the server runs. */
function requireNoLoaders({ output }: Rolldown.RolldownOutput): void {
  const held = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const loaders = held.filter((id) => /\.server\.tsx?$/.test(id));
  if (loaders.length > 0) throw new Error(`Loaders are in the browser's bundle: ${loaders.join(', ')}`);
}

/** Replaces the names of window widths in style sheets with numbers. */
function widths(): Plugin {
  return {
    name: 'widths',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.css') ? { code: withWidths(code), map: null } : undefined),
  };
}

/** Prefix of each language's names in the compiled texts, and the name of the language's files. */
const LANGUAGE = { en: { prefix: 'en_us2', file: 'en-US' }, ru: { prefix: 'ru_ru2', file: 'ru-RU' } } as const;

/**
 * Removes the texts of the other language from a bundle. Each text becomes a constant, without the function that chooses a
 * language.
 */
function oneLanguage({ prefix, file }: (typeof LANGUAGE)[SiteLocale]): Plugin {
  return {
    name: 'one-language',
    enforce: 'pre',
    // Code imports the contract's texts in both languages. Both imports lead to the texts of the bundle's language.
    resolveId(source, importer, options) {
      const own = source.replace(/(\/words\/)(en-US|ru-RU)(\.json)$/, `$1${file}$3`);
      return own === source ? null : this.resolve(own, importer, options);
    },
    transform(code, id) {
      const name = /export const (\w+) =/.exec(code);
      if (!id.includes('/paraglide/messages/') || !name) return undefined;
      const own = `const ${prefix}_${name[1]} =`;
      if (!code.includes(own)) throw new Error(`The compiler of words writes ${own} in another way now`);
      const words = code.slice(0, name.index).replace(/import \{[^}]*\} from '\.\.\/runtime\.js';/, '');
      return { code: words.replace(own, `export const ${name[1]} =`), map: null };
    },
  };
}

/**
 * Makes the browser compile all functions of the entry in the background while the entry is fetched, instead of each at its first
 * call. Pages call most of these functions immediately. https://v8.dev/blog/explicit-compile-hints
 */
function compiledAside(first: string): Plugin {
  return {
    name: 'compiled-aside',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, files) {
        const module = join(WEB, first);
        const entry = Object.values(files).find(
          (file) => file.type === 'chunk' && file.isEntry && file.facadeModuleId === module,
        );
        if (entry?.type !== 'chunk') throw new Error(`${first} is no entry of its bundle`);
        entry.code = `//# allFunctionsCalledOnLoad\n${entry.code}`;
      },
    },
  };
}

/**
 * Configures the server's bundle: one self-contained file, with its own React in production mode regardless of the environment.
 */
function serverBundle(): InlineConfig {
  return {
    ...configOf(SITE),
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(WEB, 'server/entry.tsx'),
      outDir: SERVER,
      emptyOutDir: true,
      assetsDir: 'assets',
      assetsInlineLimit: 0,
      target: 'node24',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'site.js', codeSplitting: false } },
    },
  };
}

/** Licences of the fonts, which must be distributed with them. */
const FONT_LICENCES = {
  'golos-text': import.meta.resolve('@fontsource-variable/golos-text/LICENSE'),
  'jetbrains-mono': import.meta.resolve('@fontsource-variable/jetbrains-mono/LICENSE'),
  'source-serif-4': import.meta.resolve('@fontsource/source-serif-4/LICENSE'),
};

/** Writes the files whose names have no hash: texts, static files, the brand kit, licences of fonts and the build's id. */
async function copyStatic(id: string): Promise<void> {
  for (const folder of ['builds', 'animations', 'brand']) await mkdir(join(CLIENT, folder), { recursive: true });
  const kit = kitFiles(await readFile(join(WEB, 'ui/theme/tokens.css'), 'utf8'));
  await Promise.all([
    ...Object.entries(FONT_LICENCES).map(([name, from]) => cp(fileURLToPath(from), join(CLIENT, `licences/${name}.txt`))),
    cp(join(WEB, 'locales'), join(CLIENT, 'locales'), { recursive: true }),
    cp(join(WEB, 'static'), CLIENT, { recursive: true }),
    writeFile(join(CLIENT, 'animations/torn-note.json'), JSON.stringify(tornNote())),
    ...Object.entries(kit).map(([name, content]) => writeFile(join(CLIENT, name), content)),
    writeFile(join(CLIENT, 'builds/latest.json'), JSON.stringify({ id })),
  ]);
}

/** Returns the names of the browser's files and the styles of each page. The server puts them into documents. */
async function describeAssets(buildId: string, manifests: Record<SiteLocale, Manifests>, embed: string): Promise<Assets> {
  const font = (part: string): string => {
    const file = chunkOf(manifests.en.site, BUNDLES.site.first).assets?.find((one) => one.includes(part));
    if (!file) throw new Error(`The font ${part} is not in the bundle`);
    return `/${file}`;
  };
  const latin = [font('golos-text-latin-wght'), font('source-serif-4-latin')];
  const pages = async (locale: SiteLocale): Promise<Assets['pages'][SiteLocale]> => {
    const rows = ALL_PAGES.map(async (name) => {
      const { folder, guard, entry } = pageNamed(name);
      if (entry !== undefined) return [name, await pageAssets(manifests[locale], entry, [])] as const;
      const code = [`routes/_site/${folder}/page.tsx`, ...(guard === undefined ? [] : [FRAME])];
      return [name, await pageAssets(manifests[locale], 'site', code)] as const;
    });
    return Object.fromEntries(await Promise.all(rows)) as Assets['pages'][SiteLocale];
  };
  return {
    buildId,
    begin: { en: `/${chunkOf(manifests.en.site, BEGIN).file}`, ru: `/${chunkOf(manifests.ru.site, BEGIN).file}` },
    pages: { en: await pages('en'), ru: await pages('ru') },
    fonts: { en: latin, ru: [font('golos-text-cyrillic-wght'), font('source-serif-4-cyrillic'), ...latin] },
    favicon: '/favicon.svg',
    embed,
  };
}

const BEGIN = 'browser/begin.ts';
const FRAME = 'routes/_site/dashboard/frame/frame.tsx';

function chunkOf(manifest: Manifest, key: string): Manifest[string] {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the manifest`);
  return chunk;
}

/** Returns the chunks and styles that a page needs: its own, those of all its imports, and those of its bundle's entry. */
async function pageAssets(manifests: Manifests, bundle: BundleName, begin: readonly string[]): Promise<PageAssets> {
  const manifest = manifests[bundle];
  const entry = chunkOf(manifest, BUNDLES[bundle].first).file;
  const modules = new Set<string>();
  const styles = new Set<string>();
  const visit = (key: string): void => {
    const chunk = chunkOf(manifest, key);
    if (modules.has(chunk.file)) return;
    chunk.imports?.forEach(visit);
    modules.add(chunk.file);
    chunk.css?.forEach((file) => styles.add(file));
  };
  [BUNDLES[bundle].first, ...begin].forEach(visit);
  modules.delete(entry);
  const css = (await Promise.all([...styles].map((file) => readFile(join(CLIENT, file), 'utf8'))))
    .map((text) => text.trim())
    .join('');
  return {
    entry: `/${entry}`,
    modules: [...modules].map((file) => `/${file}`),
    css,
    cssHash: `sha256-${createHash('sha256').update(css).digest('base64')}`,
    stylesheets: [...styles].map((file) => `/${file}`),
  };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes a `.br` and a `.gz` beside each file that compresses. Fonts are compressed already. */
async function compressAll(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && /\.(js|css|svg|json|txt)$/.test(entry.name),
  );
  for (const entry of files) {
    const file = join(entry.parentPath, entry.name);
    const content = await readFile(file);
    await writeFile(
      `${file}.br`,
      await brotli(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
      }),
    );
    await writeFile(`${file}.gz`, await zip(content, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const started = performance.now();
  const id = await build({ isForced: process.argv.includes('--force') });
  console.log(`site ${id} (${Math.round(performance.now() - started)} ms)`);
}
