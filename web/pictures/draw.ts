/**
 * Draws the pictures that are shown when a page is shared, one per page and language, and the icons of an installed site: `node
 * web/pictures/draw.ts`. The files are stored in `web/static`; a test fails if a file is missing or out of date.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { kitFiles } from '../brand/kit.ts';
import { smallArrows } from '../brand/mark.ts';
import { PNGS, sourceOf } from '../brand/pngs.ts';
import { rosette } from '../engraving/engraving.ts';
import { startBrowser } from '../testing/browser.ts';
import { stubSite } from '../testing/serve.ts';
import { pictureTitles } from './titles.ts';

const STATIC = join(import.meta.dirname, '../static');
const FONT = await readFile(
  fileURLToPath(import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2')),
);
const CYRILLIC = await readFile(
  fileURLToPath(import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-cyrillic-600-normal.woff2')),
);
const KIT = kitFiles(await readFile(join(import.meta.dirname, '../ui/theme/tokens.css'), 'utf8'));
const MARK = KIT['favicon.svg'] ?? '';
const ARROWS = smallArrows('#fff');

const svg = (text: string): string => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`;
const font = (file: Buffer, range: string): string =>
  `@font-face { font-family: Title; font-weight: 600; src: url(data:font/woff2;base64,${file.toString('base64')}); unicode-range: ${range}; }`;

const escape = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

function sharedPicture(title: string): string {
  return `<!doctype html><style>
${font(FONT, 'U+0000-03FF, U+2000-206F')} ${font(CYRILLIC, 'U+0400-04FF')}
body { margin: 0; width: 1200px; height: 630px; position: relative; overflow: hidden; background: #fafaf7; color: #101616; }
i { position: absolute; right: -300px; top: -200px; width: 1030px; height: 1030px; opacity: 0.75; background: linear-gradient(135deg, #86d5d4, #c9b8fe); mask: linear-gradient(90deg, transparent 4%, #000 34%), url(${svg(rosette())}) center / contain no-repeat; mask-composite: intersect; }
h1 { position: absolute; left: 88px; bottom: 96px; margin: 0; width: 820px; font: 600 84px/90px Title; letter-spacing: -0.026em; text-wrap: balance; }
img { position: absolute; left: 88px; top: 80px; width: 96px; height: 96px; }
</style><i></i><img src="${svg(MARK)}"><h1>${escape(title)}</h1>`;
}

/** Mark on a full square: the icon of an installed site, which each system crops to its own shape. */
const maskable = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M0 0h32v32H0z" fill="#036666"/><g transform="translate(16 16) scale(.72) translate(-16 -16)">${ARROWS}</g></svg>`;

async function takePicture(page: Page, file: string, content: string, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.setContent(content);
  await page.evaluate(() => document.fonts.ready);
  const isPhoto = file.endsWith('.jpg');
  await page.screenshot({ path: file, ...(isPhoto ? { type: 'jpeg', quality: 84 } : { type: 'png', omitBackground: true }) });
}

const site = await stubSite({ url: 'http://kurs.test' });
const titles = await pictureTitles(site);
const browser = await startBrowser();
const page = await browser.newPage();
const folder = join(STATIC, 'shared');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, title] of Object.entries(titles)) await takePicture(page, join(folder, name), sharedPicture(title), 1200, 630);
await writeFile(join(folder, 'titles.json'), `${JSON.stringify(titles, null, 2)}\n`);
const icon = (text: string, side: number): string =>
  `<style>body { margin: 0 } img { display: block; width: ${side}px }</style><img src="${svg(text)}">`;
for (const side of [192, 512]) {
  await takePicture(page, join(STATIC, `icon-${side}.png`), icon(MARK, side), side, side);
  if (side === 512) await takePicture(page, join(STATIC, 'icon-maskable-512.png'), icon(maskable, side), side, side);
}
await mkdir(join(STATIC, 'brand'), { recursive: true });
const drawn: Record<string, string> = {};
for (const { name, of, side } of PNGS) {
  await takePicture(page, join(STATIC, 'brand', name), icon(KIT[of] ?? '', side), side, side);
  drawn[name] = sourceOf(KIT, of);
}
await writeFile(join(STATIC, 'brand/drawn.json'), `${JSON.stringify(drawn, null, 2)}\n`);
await browser.close();
