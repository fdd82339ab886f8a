import type { Locator } from 'playwright-core';
import { PREFIX, type Visit, brings, readAmount } from './browser.ts';
import type { Wish } from '../customers/customer.ts';
import { until } from './system.ts';

/** What a price breakdown shows: plain decimals, and the rate as it is written. */
export interface Figures {
  readonly give: string;
  readonly get: string;
  readonly rate: string;
}

/** Where a visitor wants to be paid, paid back and written to; empty where that isn't asked. */
export interface Details {
  readonly receive: string;
  readonly refund: string;
  readonly email: string;
}

const TRIES = 5;

/** Step 1 at a page that has its script: the currencies, the amount, and what the calculator makes of them. */
export async function calculate(visit: Visit, base: string, wish: Wish): Promise<Figures> {
  const { page, say, locale } = visit;
  await page.goto(`${base}/${PREFIX[locale]}`);
  // The currencies are buttons as soon as the script runs.
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

/** Step 1 where no script runs: the browser's own lists, and a button that calculates. */
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

/** Types an amount as people of a language write it, and leaves the field. */
async function typed({ page, say, locale }: Visit, amount: string): Promise<void> {
  const field = page.getByRole('textbox', { name: say('you_send') });
  await field.fill(locale === 'ru' ? amount.replace('.', ',') : amount);
  await field.blur();
}

/** From the calculator to step 2. */
export async function goOn(visit: Visit): Promise<void> {
  const { page, say } = visit;
  // The first of the two is for the Enter key and hidden.
  await page.getByRole('button', { name: say('calculator_continue') }).click();
  await brings(visit, page.getByRole('heading', { name: say('details_title') }).waitFor());
}

/** Step 2: fills the form in and sends it. */
export async function giveDetails({ page, say }: Visit, { receive, refund, email }: Details): Promise<void> {
  // Some rails ask for nothing: a voucher is shown by the order's page, a refund goes back to where the payment came from.
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

/**
 * Fills a field, and once more where the page brought back what was typed before between the moment in which the field was
 * emptied and the one in which it was filled.
 */
async function fills(field: Locator, text: string): Promise<void> {
  for (let tries = 0; tries < TRIES && (await field.inputValue()) !== text; tries += 1) await field.fill(text);
}

/** Step 3: what the order will hold, by the price breakdown beside it. */
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

/** How often the three steps are walked. */
const WALKS = 5;

/**
 * Steps 1 to 3 until the market stood still between the first and the last, so that the calculator's result must be the
 * review's to the last digit. Rates are made anew every ten seconds; the walk takes a few, on a busy machine nearly as many:
 * after the first it begins with new rates.
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

/** Waits until the feed says other rates than now. */
async function newRates({ page }: Visit): Promise<void> {
  const { origin } = new URL(page.url());
  // A line is: from;to;in;out;reserve;…
  const rates = async (): Promise<string> => {
    const feed = await (await page.request.get(`${origin}/rates.txt`)).text();
    return feed.replace(/^((?:[^;\n]*;){4}).*$/gm, '$1');
  };
  const before = await rates();
  await until('new rates', 30_000, async () => (await rates()) !== before, 250);
}

/** Places the order; gives what its address names it by. */
export async function placeOrder(visit: Visit): Promise<{ id: string; token: string }> {
  const { page, say } = visit;
  await page.getByRole('button', { name: say('review_place') }).click();
  await brings(visit, page.getByRole('button', { name: say('sandbox_pay') }).waitFor());
  const { searchParams } = new URL(page.url());
  return { id: searchParams.get('id') ?? '', token: searchParams.get('token') ?? '' };
}

/** The value of a line, by the words that the line begins with. */
async function line(breakdown: Locator, words: RegExp): Promise<string> {
  const value = breakdown.getByRole('term').filter({ hasText: words }).locator('xpath=following-sibling::dd[1]');
  return (await value.first().innerText()).trim();
}
