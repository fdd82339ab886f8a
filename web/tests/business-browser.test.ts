// Keys of a store in a browser: they are listed, made with the permissions that the caller may give, and shown once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answers, merchant, storeAs, withAnswers } from '../testing/gate/answers.ts';
import { serve } from '../testing/serve.ts';
import { windowsOnSite } from '../testing/windows.ts';

const now = new Date();
const made: unknown[] = [];
const ANSWERS: Answers = {
  ...merchant(now),
  storeKeyMake: (input: { name: string }) => {
    made.push(input);
    return { name: input.name, key: 'kurs_live_the-whole-key' };
  },
  storeKeyRevoke: (input: object) => void made.push(input),
};
const site = windowsOnSite(() =>
  serve(
    0,
    'sandbox',
    withAnswers(() => new Date(), ANSWERS),
  ),
);

test('a key of a store is made with a permission that the caller may give, shown once, and revoked', async () => {
  const { page, context, troubles } = await site.open();
  await context.addInitScript(() => localStorage.setItem('accessToken', 'a-token'));
  const { id } = storeAs('business', 'developer', now);
  await page.goto(`${site.url}/En/dashboard/business/store/keys?id=${id}`);
  await page.getByText('Created by boris@example.org').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Members' }).count(), 0);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('till');
  assert.equal(await page.getByRole('checkbox').count(), 5);
  assert.equal(await page.getByText('refund up to the store’s limit').count(), 0);
  await page.getByText('create invoices', { exact: true }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('kurs_live_the-whole-key').waitFor();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  assert.equal(await page.getByText('kurs_live_the-whole-key').count(), 0);
  await page.getByRole('button', { name: /Revoke the key/ }).click();
  await page.waitForFunction(() => document.querySelector('ul[aria-busy]') === null);
  assert.deepEqual(made[0], { store: id, name: 'till', permissions: ['invoices.create'], networks: [], days: 90 });
  assert.equal((made[1] as { store: string }).store, id);
  assert.deepEqual(troubles, []);
  await context.close();
});
