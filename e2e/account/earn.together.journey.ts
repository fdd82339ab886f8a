// Makes a draw in both languages: it is started, claimed and verified in the browser, which must detect manipulated results.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { before, test } from 'node:test';
import type { Client } from '@kurs/contract/client';
import { drawText, numberOf, prizeAt } from '@kurs/contract/draw';
import type { Browser } from 'playwright-core';
import { PREFIX, type Visit, brings, openVisit } from '../harness/browser.ts';
import { languages } from '../harness/languages.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';
import { signUp } from '../customers/signed.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Opens the page as a new account holder and starts a draw. */
async function beginDraw(visit: Visit): Promise<void> {
  const { page, say, locale } = visit;
  const { token } = await signUp(system);
  await page.addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
  await page.goto(`${system.url}/${PREFIX[locale]}/earnmoney/earn-free-crypto`);
  await page.getByRole('button', { name: say('earn_begin') }).click();
  await brings(visit, page.getByLabel(say('earn_text')).first().waitFor());
}

type ClaimedDraw = Awaited<ReturnType<Client['earnClaim']>>;

/** Manipulated results that don't match the commitment: another prize, and another seed with a matching hash and prize. */
const TAMPERED: Readonly<Record<string, (made: ClaimedDraw) => ClaimedDraw>> = {
  'another prize': (made) => ({ ...made, prize: made.prize === '0.50' ? '0.20' : '0.50' }),
  'another seed and its hash': (made) => {
    const seed = Buffer.alloc(32, 7);
    const mac = createHmac('sha256', seed).update(drawText(made.client_seed, made.id)).digest();
    const prize = prizeAt(made.table, numberOf(mac));
    return { ...made, seed: seed.toString('hex'), commit: createHash('sha256').update(seed).digest('hex'), prize };
  },
};

for (const locale of languages('ru')) {
  test(`a draw is claimed with the holder’s text, verified in the browser, and its prize becomes credit (${locale})`, async () => {
    const visit = await openVisit(browser, locale);
    const { page, say, troubles, close } = visit;
    await beginDraw(visit);
    await page.getByLabel(say('earn_text')).first().fill('my own words');
    await page.getByRole('button', { name: say('earn_claim') }).click();
    await brings(visit, page.getByText(say('earn_won')).waitFor());
    await page.getByText(say('earn_checked')).waitFor();
    const own = page.getByRole('region', { name: say('earn_draws_title') });
    await own.getByText(say('earn_fits')).waitFor();
    await own.locator('summary').click();
    await own.getByText('my own words').waitFor();
    await page.getByRole('button', { name: say('earn_make_credit') }).click();
    await brings(visit, page.getByText(say('earn_moved_credit')).waitFor());
    assert.deepEqual(troubles, []);
    await close();
  });

  for (const [what, tampered] of Object.entries(TAMPERED)) {
    test(`an answer with ${what} fails the verification (${locale})`, async () => {
      const visit = await openVisit(browser, locale);
      const { page, say, close } = visit;
      await page.route('**/api/v1/earn/claim', async (route) => {
        const response = await route.fetch();
        const { data } = (await response.json()) as { data: ClaimedDraw };
        await route.fulfill({ response, json: { data: tampered(data) } });
      });
      await beginDraw(visit);
      const draw = page.getByRole('region', { name: say('earn_draw_title') });
      const commit = (await draw.getByText(/^[0-9a-f]{64}$/).textContent()) ?? '';
      await page.getByRole('button', { name: say('earn_claim') }).click();
      await brings(visit, page.getByText(say('earn_tampered')).waitFor());
      assert.equal(await page.getByText(say('earn_won')).count(), 0);
      // If the seed is genuine, the page shows its hash beside the commitment.
      await draw.getByText(commit).first().waitFor();
      await close();
    });
  }
}
