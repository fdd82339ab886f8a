import type { Page } from 'playwright-core';
import type { Visit } from '../harness/browser.ts';
import { until } from '../harness/system.ts';

const LEAVES_MS = 30_000;
/** Buttons that a payer presses on a provider's pages, in order. */
const STEPS = [/^Log in$/, /^(Confirm|Pay|Pay now)$/];

/** Pays on the pages of a provider's counterpart as a payer does: logs in, confirms, and is redirected back. */
export async function payAtProvider({ page, say }: Visit): Promise<void> {
  // Some providers are entered by a form, the others by a link.
  const leave = say('pay_leave');
  await page
    .getByRole('button', { name: leave })
    .or(page.getByRole('link', { name: leave }))
    .click();
  for (const words of STEPS) await page.getByRole('button', { name: words }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sandbox/'), { timeout: LEAVES_MS });
}

/** Waits until the page to which the provider redirected has followed the order to its end, and opens the receipt from there. */
export async function readReturn({ page }: Visit, doneMs: number): Promise<void> {
  // The link to the order is the page's second link while the order is in progress, and the first one once it is done.
  await page.locator('main a[href*="/order?id="]:first-child').click({ timeout: doneMs });
  await page.waitForURL((url) => url.pathname.endsWith('/order') && url.searchParams.has('token'));
}

/** Buys a voucher on the provider's own page in another tab, and enters it on the order's page. */
export async function payByVoucher(
  { page, say }: Visit,
  base: string,
  { currency, amount }: { currency: string; amount: string },
): Promise<void> {
  const shop = await page.context().newPage();
  await shop.goto(`${base}/sandbox/perfectmoney/`);
  await shop.getByRole('textbox', { name: 'Currency (USD or EUR)' }).fill(currency.split('_')[1] ?? '');
  await shop.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await shop.getByRole('button', { name: 'Buy an e-Voucher' }).click();
  const { number, code } = await readVoucher(shop);
  await shop.close();
  const fields = page.getByRole('region', { name: say('pay_label') }).getByRole('textbox');
  await fields.nth(0).fill(number);
  await fields.nth(1).fill(code);
  await page.getByRole('button', { name: say('entry_send') }).click();
}

/** Reads a voucher's number (10 digits) and code (16 digits) from the page. */
function readVoucher(shop: Page): Promise<{ number: string; code: string }> {
  return until('the voucher', LEAVES_MS, async () => {
    const text = await shop.locator('main').innerText();
    const [number, code] = [/\b\d{10}\b/.exec(text)?.[0], /\b\d{16}\b/.exec(text)?.[0]];
    return number !== undefined && code !== undefined && { number, code };
  });
}
