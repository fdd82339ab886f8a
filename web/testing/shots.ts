/**
 * Takes screenshots of pages at 390 and 1440 pixels: `node web/testing/shots.ts <url> <folder> <name=path> …`. With `--dark` it
 * takes them in both themes.
 */
import { mkdir } from 'node:fs/promises';
import { layOutAll, startBrowser } from './browser.ts';

const [base = '', folder = '', ...pages] = process.argv.slice(2).filter((part) => !part.startsWith('--'));
const themes = process.argv.includes('--dark') ? (['light', 'dark'] as const) : (['light'] as const);
const widths = process.argv.includes('--wide') ? [1440] : process.argv.includes('--narrow') ? [390] : [390, 1440];
await mkdir(folder, { recursive: true });
const browser = await startBrowser();
for (const theme of themes) {
  for (const width of widths) {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    await context.addCookies([
      { name: 'theme', value: theme, url: base },
      // Cookie that opens the stub's only calculation.
      { name: 'calculation-0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10', value: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx', url: base },
    ]);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        process.stdout.write(`${message.type()}: ${message.text()}\n`);
    });
    page.on('pageerror', (error) => process.stdout.write(`pageerror: ${error.message}\n`));
    for (const entry of pages) {
      const [name, path = '/'] = entry.split(/=(.*)/s);
      await page.goto(base + path, { waitUntil: 'load' });
      await layOutAll(page);
      await page.waitForTimeout(500);
      await page.screenshot({ path: `${folder}/${name}${theme === 'dark' ? '.dark' : ''}-${width}.png`, fullPage: true });
    }
    await context.close();
  }
}
await browser.close();
