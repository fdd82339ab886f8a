import type { Page } from 'playwright-core';
import type { Visit } from '../harness/browser.ts';
import { until } from '../harness/system.ts';

const LEAVES_MS = 30_000;
/** What a payer presses on a provider's page, in the order in which it comes. */
const STEPS = [/^Log in$/, /^(Confirm|Pay|Pay now)$/];

/** Pays on the page of a provider's counterpart, as its payer would: logs in, confirms, and is led back. */
export async function payAtProvider({ page, say }: Visit): Promise<void> {
  // A form where the provider wants one, else a link.
  const leave = say('pay_leave');
  await page
    .getByRole('button', { name: leave })
    .or(page.getByRole('link', { name: leave }))
    .click();
  for (const words of STEPS) await page.getByRole('button', { name: words }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sandbox/'), { timeout: LEAVES_MS });
}

/** The page of the way back follows the order to its end by itself, in this browser, and leads on to the receipt. */
export async function readReturn({ page }: Visit, doneMs: number): Promise<void> {
  // While the order goes on its page is the second way on; once it is done, the receipt is the first.
  await page.locator('main a[href*="/order?id="]:first-child').click({ timeout: doneMs });
  await page.waitForURL((url) => url.pathname.endsWith('/order') && url.searchParams.has('token'));
}

/** Buys a voucher on the provider's own page, in another tab, and enters it on the order's page. */
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

/** A voucher's ten and sixteen digits, as the page shows them. */
function readVoucher(shop: Page): Promise<{ number: string; code: string }> {
  return until('the voucher', LEAVES_MS, async () => {
    const text = await shop.locator('main').innerText();
    const [number, code] = [/\b\d{10}\b/.exec(text)?.[0], /\b\d{16}\b/.exec(text)?.[0]];
    return number !== undefined && code !== undefined && { number, code };
  });
}
