// A browser with a token that is no longer valid: its holder is signed out and reads on as a visitor. Runs over the built site
// and the stub.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTakenOver, windowsOnSite } from '../testing/windows.ts';

const site = windowsOnSite();
const MESSAGE = 'Your session is over.';

test('an expired token is removed: pages are read as a visitor, and a form stays to be sent again', async () => {
  const { page, context } = await site.open();
  await page.goto(`${site.url}/En/verify`);
  await isTakenOver(page);
  await page.evaluate(() => localStorage.setItem('accessToken', 'over'));
  const withToken: string[] = [];
  await context.route('**/*.data*', async (route) => {
    const request = route.request();
    if (request.headers()['authorization'] === undefined) return route.continue();
    withToken.push(request.method());
    return route.fulfill({ status: 401, json: { failure: { status: 401, message: MESSAGE } } });
  });
  const token = () => page.evaluate(() => localStorage.getItem('accessToken'));
  const track = page.getByRole('contentinfo').getByRole('link', { name: 'Find my order' });
  await track.click();
  await page.waitForURL('**/En/track');
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.deepEqual([withToken, await token()], [['GET'], null]);

  await page.evaluate(() => localStorage.setItem('accessToken', 'over'));
  await page.locator('input[name=id]').fill('KX-7F3Q-2M8C');
  await page.locator('input[name=email]').fill('ann@example.org');
  await page.locator('main form button[type=submit]').first().click();
  await page.getByText(MESSAGE).waitFor();
  assert.deepEqual([withToken, await token()], [['GET', 'POST'], null], 'nobody else sends it again');
  assert.equal(await page.locator('input[name=id]').inputValue(), 'KX-7F3Q-2M8C');
  await context.close();
});
