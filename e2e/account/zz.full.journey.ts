import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Signed, signUp } from '../looks/account-pages.ts';
import { startBrowser } from '../harness/browser.ts';
import { type System, startSystem } from '../harness/system.ts';
import { inspectOpened, open } from '../looks/pages.ts';
let system: System;
let browser: Browser;
let signed: Signed;
before(async () => {
  browser = await startBrowser();
  system = await startSystem();
  signed = await signUp(system);
  const lost = await signUp(system);
  await lost.client.earnBegin({ bot_token: 'sandbox' });
  const { id } = await signed.client.earnBegin({ bot_token: 'sandbox' });
  await signed.client.earnClaim({ id, client_seed: 'mine' });
  await signed.client.earnTask({ task: 'email' });
});
after(async () => {
  await browser?.close();
  await system?.stop();
});
const path = '/earnmoney/earn-free-crypto';
for (const [language, theme, width] of [
  ['En', 'light', 1440],
  ['Ru', 'light', 390],
  ['Ru', 'dark', 1440],
  ['En', 'dark', 390],
  ['Ru', 'light', 320],
  ['En', 'light', 1920],
] as const)
  for (const who of ['visitor', 'signed'] as const)
    test(`${language} ${theme} ${width} ${who}`, async () => {
      const looker = await open(
        browser,
        system,
        { name: 'earn', path, ...(who === 'signed' && { token: signed.token }) },
        { language, theme, width },
      );
      if (who === 'signed') await looker.page.locator('#yours').waitFor();
      await inspectOpened(looker.page, `zz ${who} ${language} ${theme} ${width}`);
      console.log(looker.complaints);
      await looker.close();
    });
test('open', async () => {
  const other = await signUp(system);
  await other.client.earnBegin({ bot_token: 'sandbox' });
  for (const [language, width] of [
    ['En', 1440],
    ['Ru', 390],
  ] as const) {
    const looker = await open(browser, system, { name: 'earn', path, token: other.token }, { language, theme: 'light', width });
    await looker.page.locator('[name=client_seed]').waitFor();
    await inspectOpened(looker.page, `zz open ${language} ${width}`);
    await looker.close();
  }
});
