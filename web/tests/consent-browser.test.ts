// Third-party scripts in a browser: none loads before the visitor has allowed it, each needs its own permission, and each
// permission can be withdrawn. Runs over the built site and the stub; the third parties are stubs too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { serve } from '../testing/serve.ts';
import { stubTransport } from '../testing/stub.ts';
import { type OpenWindow, windowsOnSite } from '../testing/windows.ts';

const CHAT = { websiteId: 'our-website', script: 'https://client.crisp.chat/l.js' };
const GOOGLE = { clientId: 'ours', script: 'https://accounts.google.com/gsi/client' };
const TURNSTILE = { name: 'turnstile', script: 'https://challenges.cloudflare.com/turnstile/v0/api.js' } as const;

const site = windowsOnSite(() => {
  const stub = stubTransport(() => new Date());
  const transport: typeof stub = async (call) => {
    if (call.name === 'googleNonce') return { nonce: 'nonce', nonce_key: 'key', expires_in: 600 };
    if (call.name === 'signUpGetOtp') return { handle: 'h', expires_in: 600, resend_in: 60 };
    const answer = await stub(call);
    return call.name === 'botChallenge' ? { ...(answer as object), provider: { name: 'turnstile', site_key: 'ours' } } : answer;
  };
  return serve(0, 'live', transport, { chat: CHAT, google: GOOGLE, botCheck: TURNSTILE });
});

/** Stubs of third-party scripts, which show that they were loaded. */
const SCRIPTS: Readonly<Record<string, string>> = {
  [CHAT.script]: 'document.documentElement.dataset.chat = CRISP_WEBSITE_ID;',
  [GOOGLE.script]: `globalThis.google = { accounts: { id: {
    initialize() {},
    renderButton(place) { place.innerHTML = '<button type="button">Google’s own button</button>'; },
  } } };`,
  [TURNSTILE.script]: `globalThis.turnstile = { render(place, { callback }) { setTimeout(() => callback('passed')); } };`,
};

interface Opened extends OpenWindow {
  /** Third-party addresses that were requested. */
  readonly requests: string[];
}

async function open(): Promise<Opened> {
  const opened = await site.open();
  const requests: string[] = [];
  await opened.context.route(
    (url) => url.origin !== new URL(site.url).origin,
    async (route) => {
      const [address = ''] = route.request().url().split('?');
      requests.push(address);
      await route.fulfill({ contentType: 'text/javascript', body: SCRIPTS[address] ?? '' });
    },
  );
  return { ...opened, requests };
}

const barOf = (page: Page, name: string) => page.getByRole('complementary', { name });
const choices = async (page: Page) => {
  await page.getByRole('link', { name: 'Third-party scripts' }).click();
  return barOf(page, 'Third-party scripts');
};

test('the chat loads after three seconds and consent, with our website id, and can be forbidden again', async () => {
  const { page, context, troubles, requests } = await open();
  await page.goto(`${site.url}/En/faq`);
  const question = barOf(page, 'Chat with us here?');
  await question.waitFor();
  assert.deepEqual(requests, []);
  await question.getByRole('button', { name: 'Allow the chat' }).click();
  await page.locator('html[data-chat=our-website]').waitFor();
  assert.deepEqual(requests, [CHAT.script]);
  // The previous page has a secret in its address, which the chat's script must not see.
  await page.goto(`${site.url}/En/order?id=KX-WAIT-NG00&token=c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx`);
  await page.evaluate(() => location.assign('/En/faq'));
  await page.locator('html[data-chat=our-website]').waitFor();
  assert.equal(await page.evaluate(() => document.referrer), '');
  await page.goto(`${site.url}/En/track`);
  await page.locator('html[data-chat=our-website]').waitFor();
  const bar = await choices(page);
  await bar.getByRole('checkbox', { name: 'Chat on public pages, from client.crisp.chat' }).uncheck();
  await bar.getByRole('button', { name: 'Done' }).click();
  await page.waitForFunction(() => document.documentElement.dataset['chat'] === undefined);
  assert.equal(await page.evaluate(() => localStorage.getItem('allowed chat')), 'no');
  assert.deepEqual(troubles, []);
  await context.close();
});

test('the chat is not on a page that belongs to one person', async () => {
  const { page, context, requests } = await open();
  await page.goto(`${site.url}/En/faq`);
  await page.evaluate(() => localStorage.setItem('allowed chat', 'yes'));
  await page.clock.install();
  const answer = await page.goto(`${site.url}/En/order?id=KX-WAIT-NG00&token=c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx`);
  assert.doesNotMatch((await answer?.headerValue('content-security-policy')) ?? '', /crisp/);
  await page.clock.runFor(4000);
  assert.deepEqual(requests, []);
  await context.close();
});

test('third-party scripts of sign-in load when their button is pressed, stay allowed, and can be withdrawn', async () => {
  const { page, context, troubles, requests } = await open();
  const dialog = page.locator('dialog');
  const signIn = async (): Promise<void> => {
    await page.goto(`${site.url}/En/track`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByLabel('E\u2011mail').fill('anna@example.org');
  };
  await signIn();
  const ours = dialog.getByRole('button', { name: 'Continue with Google' });
  await ours.waitFor();
  await dialog.getByText('Pressing the button loads Google’s script from accounts.google.com.').waitFor();
  const load = dialog.getByRole('button', { name: 'Load the check of Cloudflare Turnstile' });
  await dialog.getByRole('button', { name: 'Send me a code' }).click();
  await load.waitFor();
  await dialog.getByText('Its script comes from challenges.cloudflare.com').waitFor();
  assert.deepEqual(requests, [], 'nothing of others without being pressed for');

  await ours.click();
  const theirs = dialog.getByRole('button', { name: 'Google’s own button' });
  await theirs.waitFor();
  assert.deepEqual(requests, [GOOGLE.script], 'one is not the other');
  await load.click();
  await dialog.getByLabel('Code').waitFor();
  assert.deepEqual(requests, [GOOGLE.script, TURNSTILE.script]);

  await signIn();
  await theirs.waitFor();
  await page.keyboard.press('Escape');
  const bar = await choices(page);
  const [google, robots] = [/Sign-in with Google/, /Robot check/].map((name) => bar.getByRole('checkbox', { name }));
  assert.deepEqual(await Promise.all([google?.isChecked(), robots?.isChecked()]), [true, true]);
  assert.equal(await bar.getByRole('checkbox', { name: /Chat/ }).isChecked(), false);
  await google?.uncheck();
  await Promise.all([page.waitForEvent('load'), bar.getByRole('button', { name: 'Done' }).click()]);
  requests.length = 0;
  await signIn();
  await ours.waitFor();
  assert.deepEqual(requests, []);
  // With third-party scripts that policy is only reported, since they write HTML.
  const own = troubles.filter((one) => !/^policy: require-trusted-types-for .* at https:\/\/accounts\.google\.com\//.test(one));
  assert.deepEqual(own, []);
  await context.close();
});

test('a page that needs more scripts than its document admits is loaded as a document', async () => {
  const { page, context, requests } = await open();
  await page.goto(`${site.url}/En/order?id=KX-WAIT-NG00&token=c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx`);
  await Promise.all([page.waitForEvent('load'), page.locator('header a[href="/En/track"]').click()]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Continue with Google' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Google’s own button' }).waitFor();
  assert.deepEqual(requests, [GOOGLE.script]);
  await context.close();
});

test('without configured third parties no page asks for permission', async () => {
  const bare = await serve(0, 'live');
  const { page, context } = await open();
  await page.goto(`${bare.url}/En/track`);
  assert.equal(await page.getByRole('link', { name: 'Third-party scripts' }).count(), 0);
  bare.close();
  await context.close();
});
