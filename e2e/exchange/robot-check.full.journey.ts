// Tests a product whose bot check is done by an external provider.

import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../harness/browser.ts';
import { meetsRobotCheck, outlivesSilence } from '../harness/robot-check.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let browser: Browser;

before(async () => {
  system = await startSystem({ env: { KURS_BOT_CHECK: 'turnstile' } });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await system?.stop();
});

for (const locale of ['en', 'ru'] as const)
  test(`a third-party check is loaded when it is needed (${locale})`, () => meetsRobotCheck(system, browser, locale));

test('while the third party doesn’t answer, the browser does a proof of work', () => outlivesSilence(system, browser, 'ru'));
