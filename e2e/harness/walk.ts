import type { Locator } from 'playwright-core';
import { PREFIX, type Visit, brings, readAmount } from './browser.ts';
import type { Wish } from '../customers/customer.ts';
import { until } from './system.ts';

/** Amounts of a price breakdown as plain decimals, and the rate as shown. */
export interface Figures {
  readonly give: string;
  readonly get: string;
  readonly rate: string;
}

/** Addresses that a visitor enters for the payout, the refund and letters. Empty if the page doesn't ask for them. */
export interface Details {
  readonly receive: string;
  readonly refund: string;
  readonly email: string;
}

const TRIES = 5;

/** Does step 1 on a page with JavaScript: selects the currencies, types the amount, and returns the calculator's result. */
export async function calculate(visit: Visit, base: string, wish: Wish): Promise<Figures> {
  const { page, say, locale } = visit;
  await page.goto(`${base}/${PREFIX[locale]}`);
  // The currencies become buttons once the script runs.
  const give = page.getByRole('button', { name: say('picker_give') });
  await give.waitFor();
  if (!(await give.textContent())?.includes(wish.from.split('_')[0] as string)) {
    await page.getByRole('button', { name: say('calculator_swap') }).click();
  }
  await typed(visit, wish.amount);
  const got = page.getByRole('textbox', { name: say('you_receive') });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  const breakdown = page.getByRole('region', { name: say('calculator_title') });
  return {
    give: readAmount(await page.getByRole('textbox', { name: say('you_send') }).inputValue(), locale),
    get: readAmount(await got.inputValue(), locale),
    rate: await line(breakdown, say('slip_rate')),
  };
}

/** Does step 1 without JavaScript, by the browser's own lists and the button "Calculate". */
export async function calculateByForm(visit: Visit, base: string, wish: Wish): Promise<Figures> {
  const { page, say, locale } = visit;
  await page.goto(`${base}/${PREFIX[locale]}`);
  await page.getByRole('combobox', { name: say('picker_give') }).selectOption(wish.from);
  await page.getByRole('combobox', { name: say('picker_get') }).selectOption(wish.to);
  await typed(visit, wish.amount);
  await page.getByRole('button', { name: say('calculator_calculate') }).click();
  const breakdown = page.getByRole('region', { name: say('calculator_title') });
  return {
    give: readAmount(await page.getByRole('textbox', { name: say('you_send') }).inputValue(), locale),
    get: readAmount(await page.getByRole('textbox', { name: say('you_receive') }).inputValue(), locale),
    rate: await line(breakdown, say('slip_rate')),
  };
}

/** Types an amount in the format of the language, and leaves the field. */
async function typed({ page, say, locale }: Visit, amount: string): Promise<void> {
  const field = page.getByRole('textbox', { name: say('you_send') });
  await field.fill(locale === 'ru' ? amount.replace('.', ',') : amount);
  await field.blur();
}

/** Goes from the calculator to step 2. */
export async function goOn(visit: Visit): Promise<void> {
  const { page, say } = visit;
  // The first button with this name is hidden and only for the Enter key.
  await page.getByRole('button', { name: say('calculator_continue') }).click();
  await brings(visit, page.getByRole('heading', { name: say('details_title') }).waitFor());
}

/** Does step 2: fills in the form and sends it. */
export async function giveDetails({ page, say }: Visit, { receive, refund, email }: Details): Promise<void> {
  // Some rails need no address: a voucher is shown on the order's page, and a refund returns to the account that paid.
  const group = (key: string): Locator => page.getByRole('group', { name: say(key) });
  for (const [fields, account] of [
    [group('details_receive').or(group('details_receive_at')), receive],
    [group('details_refund'), refund],
  ] as const) {
    if (account !== '') await fills(fields.getByRole('textbox'), account);
  }
  await fills(page.getByRole('textbox', { name: say('details_email') }), email);
  await page.getByRole('checkbox', { name: say('details_terms_before') }).check();
  await page.getByRole('button', { name: say('details_continue') }).click();
}

/** Fills a field, and again if the page restored the earlier text while the field was being filled. */
async function fills(field: Locator, text: string): Promise<void> {
  for (let tries = 0; tries < TRIES && (await field.inputValue()) !== text; tries += 1) await field.fill(text);
}

/** Returns the amounts of step 3 from the price breakdown beside the review. */
export async function readReview(visit: Visit): Promise<Figures> {
  const { page, say, locale } = visit;
  await brings(visit, page.getByRole('heading', { name: say('review_title') }).waitFor());
  const breakdown = page.getByRole('region', { name: say('summary_label') });
  return {
    give: readAmount(await line(breakdown, say('slip_amount')), locale),
    get: readAmount(await line(breakdown, say('slip_total')), locale),
    rate: await line(breakdown, say('slip_rate')),
  };
}

/** Maximum number of walks through the three steps. */
const WALKS = 5;

/**
 * Repeats steps 1 to 3 until the rates didn't change meanwhile, so that the calculator's result must equal the review's to the
 * last digit. Rates change every ten seconds, and the steps can take nearly as long on a busy machine, so each repetition begins
 * with new rates.
 */
export async function walkToReview(
  visit: Visit,
  details: Details,
  step1: () => Promise<Figures>,
): Promise<{ calculated: Figures; reviewed: Figures }> {
  for (let attempt = 1; ; attempt += 1) {
    const calculated = await step1();
    await goOn(visit);
    await giveDetails(visit, details);
    const reviewed = await readReview(visit);
    if (calculated.rate === reviewed.rate || attempt === WALKS) return { calculated, reviewed };
    await newRates(visit);
  }
}

/** Waits until the feed shows other rates. */
async function newRates({ page }: Visit): Promise<void> {
  const { origin } = new URL(page.url());
  // Format of a line: from;to;in;out;reserve;…
  const rates = async (): Promise<string> => {
    const feed = await (await page.request.get(`${origin}/rates.txt`)).text();
    return feed.replace(/^((?:[^;\n]*;){4}).*$/gm, '$1');
  };
  const before = await rates();
  await until('new rates', 30_000, async () => (await rates()) !== before, 250);
}

/** Places the order, and returns the id and the token from its address. */
export async function placeOrder(visit: Visit): Promise<{ id: string; token: string }> {
  const { page, say } = visit;
  await page.getByRole('button', { name: say('review_place') }).click();
  await brings(visit, page.getByRole('button', { name: say('sandbox_pay') }).waitFor());
  const { searchParams } = new URL(page.url());
  return { id: searchParams.get('id') ?? '', token: searchParams.get('token') ?? '' };
}

/** Returns the value of the line whose label contains the words. */
async function line(breakdown: Locator, words: RegExp): Promise<string> {
  const value = breakdown.getByRole('term').filter({ hasText: words }).locator('xpath=following-sibling::dd[1]');
  return (await value.first().innerText()).trim();
}
