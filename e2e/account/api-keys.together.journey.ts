// Creates an API key on the account's page and uses it in a program, which may only read what the key allows, until the key is
// revoked.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Client, createClient, httpTransport } from '@kurs/contract/client';
import { signUp } from '../customers/signed.ts';
import { PREFIX, openVisit } from '../harness/browser.ts';
import { languages } from '../harness/languages.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

/** Returns a client with an API key and no client id of its own. */
const programWith = (key: string): Client =>
  createClient(httpTransport({ base: system.url, clientId: 'public', locale: () => 'en', token: () => key }));
const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

for (const locale of languages('ru'))
  test(`a key is created, shown once, used for reading and revoked (${locale})`, async () => {
    const { token, client } = await signUp(system);
    await client.walletStore({ currency: 'USDT', rail: 'evm' });
    const { page, say, troubles, close } = await openVisit(browser, locale);
    await page.context().addInitScript((stored) => localStorage.setItem('accessToken', stored), token);
    await page.goto(`${system.url}/${PREFIX[locale]}/dashboard/account#keys`);
    const part = page.locator('#keys');
    await part.getByText(say('keys_none')).waitFor();
    await part.getByRole('button', { name: say('keys_add') }).click();
    await part.getByRole('button', { name: say('keys_make'), exact: true }).click();
    await part.locator('[aria-invalid]').first().waitFor();
    await part.getByLabel(say('keys_name'), { exact: true }).fill('my books');
    await part.getByText(say('keys_scope_wallets')).click();
    await part.getByLabel(say('keys_networks')).fill('203.0.113.300');
    await part.getByRole('button', { name: say('keys_make'), exact: true }).click();
    await part.locator('input[name=key-networks][aria-invalid]').waitFor();
    await part.getByLabel(say('keys_networks')).fill('127.0.0.0/8, ::1');
    await part.getByRole('button', { name: say('keys_make'), exact: true }).click();
    const key = await part
      .locator('code', { hasText: /^kurs_test_/ })
      .first()
      .innerText();
    assert.match(key, /^kurs_test_[\w-]{43}$/);

    const program = programWith(key);
    assert.deepEqual(
      (await program.wallets({})).map(({ currency }) => currency),
      ['USDT'],
    );
    assert.equal(await refused(program.userOrders({})), 'forbidden');
    assert.equal(await refused(program.walletStore({ currency: 'BTC' })), 'unauthorised');

    await part.getByRole('button', { name: say('keys_kept') }).click();
    await page.reload();
    await part.getByText('my books').waitFor();
    assert.ok(!(await page.content()).includes(key), 'it is shown once');
    await part.getByRole('button', { name: say('keys_revoke_one', { name: 'my books' }) }).click();
    await part.getByText(say('keys_none')).waitFor();
    assert.equal(await refused(program.wallets({})), 'unauthorised');
    const expected = [/422 POST .*api-keys/, /status of 422/];
    assert.deepEqual(
      troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
      [],
    );
    await close();
  });
