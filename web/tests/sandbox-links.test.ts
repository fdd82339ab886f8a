// Links to the sandbox's own pages and wallet appear in a sandbox only, never with real money.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Client, Transport } from '@kurs/contract/client';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };
import type { Site } from '../site.ts';
import { serve, stubSite } from '../testing/serve.ts';
import { stubClient, stubTransport } from '../testing/stub.ts';
import { isTakenOver, windowsOnSite } from '../testing/windows.ts';

const WORDS = { En: en, Ru: ru } as const;
const MODES = ['sandbox', 'live'] as const;

const PLACE = { address: 'rb1qplace', currency: 'BTC', network: 'Bitcoin', min: '0.0001', confirmations: 1 };
const RAIL = { rail: 'bitcoin', currency: 'BTC', network: 'Bitcoin', kind: 'address', min: '0.0001', payer_fields: [] };
/** Stub with an account that has a bitcoin deposit address. */
const client = {
  ...stubClient(() => new Date()),
  userChanges: async () => ({ mark: '1' }),
  walletCurrencies: async () => [{ currency: 'BTC', rails: [RAIL] }],
  walletDeposits: async () => [],
  walletStore: async () => ({ deposit: PLACE }),
} as unknown as Client;

const sites = {} as Record<(typeof MODES)[number], Site>;
before(async () => {
  for (const mode of MODES) sites[mode] = await stubSite({ url: 'https://kurs.example', mode, client });
});

async function read(mode: (typeof MODES)[number], url: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await sites[mode].handle({ method: 'GET', url, headers, cookies: {} });
  assert.equal(status, 200, url);
  return body;
}

test('each page’s banner links to the mailbox; with real money there is neither', async () => {
  for (const prefix of ['En', 'Ru'] as const) {
    const words = WORDS[prefix].sandbox_mailbox;
    for (const path of ['', '/faq', '/track', '/dashboard', '/dashboard/wallet/deposit']) {
      const shown = await read('sandbox', `/${prefix}${path}`);
      assert.match(shown, new RegExp(`<a [^>]*href="/sandbox/mail"[^>]*>${words}</a>`), path);
      assert.doesNotMatch(await read('live', `/${prefix}${path}`), /\/sandbox\//, path);
    }
  }
});

test('a deposit address can be paid from the sandbox’s wallet, and never with real money', async () => {
  for (const [mode, isThere] of [
    ['sandbox', true],
    ['live', false],
  ] as const) {
    const text = await read(mode, '/En/dashboard/wallet/deposit.data?currency=BTC', { authorization: 'Bearer x' });
    const { data } = JSON.parse(text) as { data: { place?: object; isSandbox?: true } };
    assert.deepEqual([data.place, data.isSandbox], [PLACE, isThere ? true : undefined], mode);
  }
});

test('the README names the mailbox’s address', async () => {
  assert.match(await readFile(new URL('../../README.md', import.meta.url), 'utf8'), /`\/sandbox\/mail`/);
});

const stub = stubTransport(() => new Date());
/** Stub that mails codes. */
const mailing: Transport = async (call) =>
  call.name === 'signUpGetOtp' ? { handle: 'one', expires_in: 600, resend_in: 30 } : stub(call);
const windows = {
  sandbox: windowsOnSite(() => serve(0, 'sandbox', mailing)),
  live: windowsOnSite(() => serve(0, 'live', mailing)),
};

for (const mode of MODES)
  test(`the dialog for a mailed code links to that address’s mailbox in a sandbox alone (${mode})`, async () => {
    const { page, context } = await windows[mode].open();
    await page.goto(`${windows[mode].url}/En/track`);
    await isTakenOver(page);
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(en.sign_in_email).fill('anna+k@example.org');
    await dialog.getByRole('button', { name: en.sign_in_send }).click();
    await dialog.getByLabel(en.code_label).first().waitFor();
    const link = dialog.getByRole('link', { name: en.sandbox_mailbox });
    if (mode === 'live') assert.equal(await link.count(), 0);
    else assert.equal(await link.getAttribute('href'), '/sandbox/mail?to=anna%2Bk%40example.org');
    await context.close();
  });
