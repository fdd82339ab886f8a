// The owner moves a store's balance to the wallet in a browser, with a mailed code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answers, merchant, storeAs, withAnswers } from '../testing/gate/answers.ts';
import { movesAs, settlementAnswers } from '../testing/gate/settlements.ts';
import { serve } from '../testing/serve.ts';
import { windowsOnSite } from '../testing/windows.ts';

const now = new Date();
const made: [string, unknown][] = [];
const noting = (name: string, answer: unknown) => (input: unknown) => {
  made.push([name, input]);
  return answer;
};
const ANSWERS: Answers = {
  ...merchant(now),
  ...settlementAnswers(now),
  userEmailGetOtp: noting('code', {}),
  settlementMake: noting('make', movesAs(now)[0]),
};
const site = windowsOnSite(() =>
  serve(
    0,
    'sandbox',
    withAnswers(() => new Date(), ANSWERS),
  ),
);

test('a part of the balance moves by a code that is bound to the store and the sum', async () => {
  const { page, context, troubles } = await site.open();
  await context.addInitScript(() => localStorage.setItem('accessToken', 'a-token'));
  const { id } = storeAs('business', 'owner', now);
  await page.goto(`${site.url}/En/dashboard/business/store/settlements?id=${id}`);
  await page.getByRole('button', { name: 'Move to wallet' }).first().click();
  await page.getByLabel('Amount to move to the wallet').fill('1,000.50');
  await page.getByRole('button', { name: 'E‑mail me a code' }).click();
  await page.getByRole('textbox', { name: /code/i }).fill('123456');
  await page.getByRole('button', { name: /^Move 1,000.50/ }).click();
  await page.getByText('The money is in your wallet.').waitFor();
  assert.deepEqual(made, [
    ['code', { purpose: 'money_out', about: `w-${id}-USDT-1000_50` }],
    ['make', { store: id, currency: 'USDT', amount: '1000.50', otp: '123456' }],
  ]);
  assert.deepEqual(troubles, []);
});
