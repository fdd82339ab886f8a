/**
 * Walks through an exchange on the stub and takes a screenshot of each step: `node web/testing/flow.ts <url> <folder> [no-js]
 * [ru] [390]`. `390` sets the window's width in pixels instead of 1440.
 */
import { mkdir } from 'node:fs/promises';
import { layOutAll, startBrowser } from './browser.ts';

const [base = '', folder = '', ...flags] = process.argv.slice(2);
const scripted = !flags.includes('no-js');
const language = flags.includes('ru') ? 'Ru' : 'En';
const width = flags.includes('390') ? 390 : 1440;
await mkdir(folder, { recursive: true });
const browser = await startBrowser();
const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled: scripted });
const page = await context.newPage();
page.on(
  'console',
  (message) => ['error', 'warning'].includes(message.type()) && process.stdout.write(`${message.type()}: ${message.text()}\n`),
);
page.on('pageerror', (error) => process.stdout.write(`pageerror: ${error.message}\n`));
const shot = async (name: string): Promise<void> => {
  await page.waitForTimeout(400);
  await layOutAll(page);
  await page.screenshot({ path: `${folder}/flow-${name}${scripted ? '' : '.nojs'}.${language}-${width}.png`, fullPage: true });
  process.stdout.write(`${name} ${page.url()} "${await page.title()}"\n`);
};
await page.goto(`${base}/${language}`);
if (scripted) await page.waitForTimeout(500);
await page.fill('#amount-give', '0.0001');
await page.locator('h1').click();
await shot('below');
await page.fill('#amount-give', language === 'Ru' ? '0,008' : '0.008');
await page.waitForTimeout(600);
await shot('typed');
if (scripted) {
  await page.locator('button[aria-haspopup=dialog]').first().click();
  await shot('picker');
  await page.keyboard.press('Escape');
}
await page.locator('button[value=continue]:visible').click();
await page.waitForURL(/exchange/);
await page.waitForTimeout(300);
await page.fill('[name="receive.address"]', '0x71C7656EC7ab88b098defB751B7401B5f6d8976F');
await page.fill('[name="refund.address"]', 'TJ7hhYhVhaxNx6BPyq7yFpqZrQULL3JSdb');
await page.fill('[name="email"]', 'anna.k@example.org');
await page.check('[name="terms_accepted"]');
await page.locator('main button[type=submit]:visible').last().click();
await page.waitForTimeout(600);
await shot('details-error');
await page.fill('[name="refund.address"]', 'rb1q5m3k0h2tqz8x7w6v5u4t3s2r1p0n9m8l7k6j5h4');
await page.locator('main button[type=submit]:visible').last().click();
await page.waitForTimeout(900);
await shot('review');
await page.locator('button[type=submit]:visible').last().click();
await page.waitForURL(/order/);
await page.waitForTimeout(500);
await shot('placed');
await page.goto(page.url().replace('WAIT', 'LATE'));
await page.waitForTimeout(300);
await page.locator('button[value=code]').first().click();
await page.waitForTimeout(700);
await shot('code');
await page.fill('[name=otp]', '000000');
await page.locator('button[value=choose]:visible').last().click();
await page.waitForTimeout(700);
await shot('code-wrong');
await browser.close();
