// The form for a new invoice in a browser: its lines, their sum, and what stays after a refusal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answers, merchant, refusal, storeAs, withAnswers } from '../testing/gate/answers.ts';
import { invoiceAnswers, sampleId } from '../testing/gate/store-invoices.ts';
import { serve } from '../testing/serve.ts';
import { windowsOnSite } from '../testing/windows.ts';

const now = new Date();
const made: unknown[] = [];
const ANSWERS: Answers = {
  ...merchant(now),
  ...invoiceAnswers(now),
  invoiceMake: (input: { store: string }) => {
    made.push(input);
    if (made.length === 1) throw refusal({ 'lines.0.unit_price': ['Too many decimals'] });
    return (invoiceAnswers(now).invoiceMake as (input: object) => unknown)(input);
  },
};
const site = windowsOnSite(() =>
  serve(
    0,
    'sandbox',
    withAnswers(() => new Date(), ANSWERS),
  ),
);

test('lines are added and removed beside their sum, which becomes the amount, and stay after a refusal', async () => {
  const { page, context, troubles } = await site.open();
  await context.addInitScript(() => localStorage.setItem('accessToken', 'a-token'));
  const { id } = storeAs('business', 'manager', now);
  await page.goto(`${site.url}/En/dashboard/business/store/invoices?store=${id}`);
  await page.getByRole('link', { name: 'New invoice' }).click();
  await page.getByLabel('Line 1', { exact: true }).fill('Birds');
  await page.getByLabel('Quantity, line 1').fill('3');
  await page.getByLabel('Unit price, line 1').fill('0.10');
  await page.getByRole('button', { name: 'Add a line' }).click();
  assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).name), 'lines.1.name');
  await page.keyboard.type('Delivery');
  await page.getByText('The sum appears once each line has a quantity and a price.').waitFor();
  await page.getByLabel('Unit price, line 2').fill('0.20');
  await page.getByText('The lines make 0.50 USDT').waitFor();
  await page.getByRole('button', { name: 'Use as the amount' }).click();
  await page.getByText('the same as the amount').waitFor();
  assert.equal(await page.getByLabel('Amount to pay').inputValue(), '0.50');
  await page.getByRole('button', { name: 'Remove line 1' }).click();
  await page.getByText('The lines make 0.20 USDT').waitFor();
  assert.equal(await page.getByLabel('Line 1', { exact: true }).inputValue(), 'Delivery');
  await page.getByLabel('Amount to pay').fill('0.20');
  // Enter presses the form's button, not one that removes a line.
  await page.getByLabel('Amount to pay').press('Enter');
  await page.getByText('Too many decimals').last().waitFor();
  assert.equal(await page.getByLabel('Line 1', { exact: true }).inputValue(), 'Delivery');
  assert.equal(await page.getByLabel('Unit price, line 1').getAttribute('aria-invalid'), 'true');
  await page.getByRole('button', { name: 'Create the invoice' }).click();
  await page.waitForURL(`**/invoice?store=${id}&id=${sampleId('open')}`);
  const request = { store: id, amount: '0.20', currency: 'USDT', life_minutes: 1_440, tolerance: '0.5', return_url: null };
  const lines = [{ name: 'Delivery', quantity: '1', unit_price: '0.20' }];
  assert.deepEqual(made, [
    { ...request, lines },
    { ...request, lines },
  ]);
  await page.getByText('Cancel the invoice').click();
  await page.getByRole('button', { name: /Cancel invoice KI-/ }).click();
  await page.getByText('The invoice is cancelled.').waitFor();
  assert.deepEqual(
    troubles.filter((trouble) => !trouble.includes('status of 422')),
    [],
  );
  await context.close();
});
