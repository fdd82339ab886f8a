/**
 * Builds the site: words, drawings, the browser's bundle and the server's. `node web/build.ts` builds if the sources' hash
 * differs from the last build's; `--force` always builds.
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
 * Builds the site unless the last build has the same sources. Concurrent calls wait for the one that builds. Returns the build's
 * id. Throws if a page names an unknown guard.
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
  // A running server is not affected: it has its build in memory.
  await clearForBuild(join(WEB, 'dist'), machineNow());
  await Promise.all([compileWords(), draw()]);
  const bundles = { en: await bundleBrowser('en'), ru: await bundleBrowser('ru') };
  const embed = await bundleEmbed({ ...configOf(WIDGET), publicDir: false }, CLIENT);
  await viteBuild(serverBundle());
  await copyStatic(id);
  await compressAll(CLIENT);
  // Written last: without this file a build counts as incomplete.
  await writeFile(join(SERVER, 'assets.json'), JSON.stringify(await describeAssets(id, bundles, embed), null, 1));
}

/** Age at which a lock counts as left behind by a killed build, in ms. */
const LOCK_MS = 120_000;

/** Takes the lock of the build's folder. Creating a folder succeeds only once. Returns the function that releases the lock. */
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

/** Compiles the interface's words. The compiler only warns if it finds none, so their number is checked. */
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
 * Caches plural rules in the compiled words. They make new rules for each sentence, which takes a tenth of a page's rendering.
 */
async function storePluralRules(file: string): Promise<void> {
  const made = 'return new Intl.PluralRules(locale, options).select(Number(input))';
  const code = await readFile(file, 'utf8');
  if (!code.includes(made)) throw new Error('The compiler of words writes plurals in another way now');
  const rules = 'rules[locale + JSON.stringify(options)] ??= new Intl.PluralRules(locale, options)';
  await writeFile(file, `const rules = {};\n${code.replace(made, `return (${rules}).select(Number(input))`)}`);
}

/** Draws the engraving and the icons into files that the bundles name by hash. */
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

/** Writes the outlines that the wordmark is drawn with, from the font of the pages' titles. */
async function drawLetters(): Promise<void> {
  const fonts = await Promise.all(TITLE_FONTS.map(async (font) => outlinesOf(await readFile(fileURLToPath(font)))));
  const all = fonts.flatMap(({ glyphs: own }) => Object.entries(own)).filter(([letter]) => /[\p{L}\p{Nd} .,&'’+-]/u.test(letter));
  const glyphs = Object.fromEntries(all);
  await writeFile(join(DRAWN, 'letters.json'), JSON.stringify({ em: fonts[0]?.em, glyphs }));
}

const TITLE_FONTS = ['latin', 'cyrillic'].map((script) =>
  import.meta.resolve(`@fontsource/source-serif-4/files/source-serif-4-${script}-600-normal.woff`),
);

/** Returns the part of Vite's configuration that all bundles of an entry share. */
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

/**
 * Groups of modules that share a file. Fewer files compress better. One file holds all that the entry needs, and another what at
 * least eight parts share; without groups the bundler splits wherever two parts differ. Calls of an account are separate, since
 * visitors' pages make none.
 */
const FILES = [
  { name: 'core', test: /\/browser\/entry\.tsx$/, priority: 3 },
  { name: 'account-paths', test: /\/contract\/account-paths\.ts$/, priority: 2 },
  { name: 'shared', test: /\/web\/|\/contract\//, minShareCount: 8, priority: 1 },
];

/**
 * Builds the browser's bundle in one language and returns its manifest. Both languages share the names of styles and pictures.
 */
async function bundleBrowser(locale: SiteLocale): Promise<Manifest> {
  const names = `assets/${locale}/[name]-[hash].js`;
  const built = await viteBuild({
    ...configOf(SITE),
    publicDir: false,
    plugins: [react(), widths(), oneLanguage(LANGUAGE[locale]), compiledAside()],
    worker: { format: 'es', rolldownOptions: { output: { entryFileNames: names } } },
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      manifest: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: [ENTRY, BEGIN].map((file) => join(WEB, file)),
        output: {
          entryFileNames: names,
          chunkFileNames: ({ facadeModuleId }) => names.replace('[name]', nameOfPage(facadeModuleId) ?? '[name]'),
          assetFileNames: 'assets/[name]-[hash][extname]',
          codeSplitting: { groups: FILES },
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

/** Name for the code of a page, after its folder: `dashboard-orders`. Undefined for any other module. */
const nameOfPage = (module: string | null): string | undefined =>
  /\/_site\/(.+)\/page\.tsx$/.exec(module ?? '')?.[1]?.replaceAll('/', '-');

/** Throws if the browser's bundle contains the loader of a page, which only the server runs. */
function requireNoLoaders({ output }: Rolldown.RolldownOutput): void {
  const held = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const loaders = held.filter((id) => /\.server\.tsx?$/.test(id));
  if (loaders.length > 0) throw new Error(`Loaders are in the browser's bundle: ${loaders.join(', ')}`);
}

/** Replaces names of widths in style sheets by their numbers. */
function widths(): Plugin {
  return {
    name: 'widths',
    enforce: 'pre',
    transform: (code, id) => (id.endsWith('.css') ? { code: withWidths(code), map: null } : undefined),
  };
}

/** Prefix of each language's compiled words, and the name of its files. */
const LANGUAGE = { en: { prefix: 'en_us2', file: 'en-US' }, ru: { prefix: 'ru_ru2', file: 'ru-RU' } } as const;

/**
 * Builds a bundle for one language, so that no page carries the words of the other. Each word becomes the text of its language,
 * without the function that would choose one.
 */
function oneLanguage({ prefix, file }: (typeof LANGUAGE)[SiteLocale]): Plugin {
  return {
    name: 'one-language',
    enforce: 'pre',
    // Code imports the contract's words in both languages; the bundle contains its own only.
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
 * Asks the browser to compile the whole entry while it is fetched, in the background, instead of each function at its first call.
 * Pages call most of it at once. https://v8.dev/blog/explicit-compile-hints
 */
function compiledAside(): Plugin {
  return {
    name: 'compiled-aside',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, files) {
        const entry = Object.values(files).find((file) => file.type === 'chunk' && file.isEntry && file.name === 'entry');
        if (entry?.type !== 'chunk') throw new Error('The entry has another name now');
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

/** Copies the files whose names have no hash: words, favicon, brand kit, licences of fonts and the build's id. */
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

/** Returns the names and styles of the browser's files, for the server. */
async function describeAssets(buildId: string, manifests: Record<SiteLocale, Manifest>, embed: string): Promise<Assets> {
  const inBoth = (module: string): Assets['entry'] => ({
    en: `/${chunkOf(manifests.en, module).file}`,
    ru: `/${chunkOf(manifests.ru, module).file}`,
  });
  const font = (part: string): string => {
    const file = chunkOf(manifests.en, ENTRY).assets?.find((one) => one.includes(part));
    if (!file) throw new Error(`The font ${part} is not in the bundle`);
    return `/${file}`;
  };
  const latin = [font('golos-text-latin-wght'), font('source-serif-4-latin')];
  const pages = async (locale: SiteLocale): Promise<Assets['pages'][SiteLocale]> => {
    const rows = ALL_PAGES.map(async (name) => {
      const { folder, guard } = pageNamed(name);
      const code = [`routes/_site/${folder}/page.tsx`, ...(guard === undefined ? [] : [FRAME])];
      return [name, await pageAssets(manifests[locale], code)] as const;
    });
    return Object.fromEntries(await Promise.all(rows)) as Assets['pages'][SiteLocale];
  };
  return {
    buildId,
    begin: inBoth(BEGIN),
    entry: inBoth(ENTRY),
    pages: { en: await pages('en'), ru: await pages('ru') },
    fonts: { en: latin, ru: [font('golos-text-cyrillic-wght'), font('source-serif-4-cyrillic'), ...latin] },
    favicon: '/favicon.svg',
    embed,
  };
}

const BEGIN = 'browser/begin.ts';
const ENTRY = 'browser/entry.tsx';
const FRAME = 'routes/_site/dashboard/frame/frame.tsx';

function chunkOf(manifest: Manifest, key: string): Manifest[string] {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the manifest`);
  return chunk;
}

/** Returns a page's chunks and styles, with those of all its imports and of the entry. */
async function pageAssets(manifest: Manifest, begin: readonly string[]): Promise<PageAssets> {
  const modules = new Set<string>();
  const styles = new Set<string>();
  const visit = (key: string): void => {
    const chunk = chunkOf(manifest, key);
    if (modules.has(chunk.file)) return;
    chunk.imports?.forEach(visit);
    modules.add(chunk.file);
    chunk.css?.forEach((file) => styles.add(file));
  };
  [ENTRY, ...begin].forEach(visit);
  modules.delete(chunkOf(manifest, ENTRY).file);
  const css = (await Promise.all([...styles].map((file) => readFile(join(CLIENT, file), 'utf8'))))
    .map((text) => text.trim())
    .join('');
  return {
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
