// Follows an affiliate's reward: a visitor who came by the affiliate's link exchanges without an account, and the reward for it
// matures, is moved to the wallet and is withdrawn.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { SELL_BTC, awaits, freshEmail, pay, place } from '../customers/customer.ts';
import { PERSON, PREFIX, type Visit, brings, openVisit } from '../harness/browser.ts';
import { deskOf } from '../harness/desk.ts';
import type { Hook } from '../harness/hook.ts';
import { codeFor } from '../harness/mailbox.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';
import { giveDetails, goOn, placeOrder, readReview } from '../harness/walk.ts';
import { signUp, type Signed } from '../customers/signed.ts';

let system: System;
let browser: Browser;
let hook: Hook;
before(async () => {
  ({ system, browser, hook } = await sharedStage());
});

const PATIENT = { timeout: 60_000 };
/**
 * Exchange between e-money systems. It has the largest fee of all irreversible payments, so one order earns enough for a
 * withdrawal.
 */
const WISH = { from: 'PAYEER_USD', to: 'PAYPAL_USD', amount: '900', side: 'give' } as const;
/** Time in seconds after which rewards of e-money have matured. */
const MATURE_SECONDS = 14 * 86_400 + 60;

for (const locale of ['en', 'ru'] as const) {
  test(`an exchange through a link earns a reward, which matures and is withdrawn from the wallet (${locale})`, async () => {
    const account = await signUp(system);
    await shareOfHalf(account.email);
    const own = await openVisit(browser, locale);
    await own.page.addInitScript((token) => localStorage.setItem('accessToken', token), account.token);
    const site = `${system.url}/${PREFIX[locale]}/dashboard`;
    await own.page.goto(`${site}/affiliates`);
    await own.page.getByRole('textbox', { name: own.say('affiliates_campaign'), exact: true }).fill('spring');
    await own.page.getByRole('button', { name: own.say('affiliates_keep') }).click();
    await brings(own, own.page.getByText(own.say('affiliates_kept', { campaign: 'spring' })).waitFor());
    await own.page.getByRole('link', { name: own.say('affiliates_show_link') }).click();
    const shown = own.page.getByRole('region', { name: own.say('affiliates_link_of', { campaign: 'spring' }) });
    const [link = ''] = /http\S+\.spring/.exec((await shown.textContent()) ?? '') ?? [];

    await exchanges(await openVisit(browser, locale, { userAgent: PERSON }), `${link}&sub=post-7`);
    const row = own.page.getByRole('region', { name: own.say('affiliates_rewards') }).getByRole('row', { name: /post-7/ });
    // The page shows the new reward without a reload.
    await brings(own, row.getByText(own.say('reward_pending')).waitFor(PATIENT));
    await brings(own, own.page.getByText(/1.(перехода|click)/).waitFor({ timeout: 20_000 }));
    const { total } = await account.client.affiliateStatistics({});
    assert.deepEqual([total.clicks, total.orders], [1, 1]);

    await ownOrderIsACase(own, account);
    await system.client().sandboxClock({ skip: MATURE_SECONDS });
    const move = own.page.getByRole('button', { name: own.say('affiliates_to_wallet') });
    await brings(own, row.getByText(own.say('reward_available')).waitFor(PATIENT));
    await move.click();
    await brings(own, own.page.getByText(own.say('affiliates_moved')).waitFor());
    await withdraws(own, site, account);
    assert.deepEqual(own.troubles, []);
    await own.close();
  });
}

/** Sets an individual share for an affiliate, which requires two operators. */
async function shareOfHalf(email: string): Promise<void> {
  for (const person of ['olga', 'oleg'] as const) {
    const desk = await deskOf(system, person);
    await desk.operatorAffiliate({ email, share: 50, reason: 'a journey' }, { idempotencyKey: randomUUID() });
  }
}

/**
 * Asserts that an exchange by the customer's own link opens a case and earns no reward. The postback of its campaign goes to
 * another port of this machine and is refused.
 */
async function ownOrderIsACase({ page, say, locale }: Visit, { client, email }: Signed): Promise<void> {
  await client.affiliateCampaign({ name: 'own', split: 50, postback: `${hook.another}/told` });
  const { code, pending } = await client.affiliate({});
  const visitor = system.client(locale);
  const { order } = await place(visitor, { ...SELL_BTC, ref: `${code}.own`, email });
  assert.equal(order.discounts, undefined, 'nobody is their own friend');
  await pay(visitor, order);
  await page
    .getByRole('region', { name: say('affiliates_rewards') })
    .getByText(say('reward_case'))
    .waitFor(PATIENT);
  assert.equal((await client.affiliate({})).pending, pending);
  const desk = await deskOf(system, 'olga');
  const cases = (await desk.operatorAbuse({})).filter(({ affiliate }) => affiliate === email);
  assert.deepEqual(
    cases.map(({ reason }) => reason),
    ['email'],
  );
  await until('the refusal', 20_000, async () => {
    const { data } = await desk.operatorDeliveries({});
    return data.some(
      ({ type, to, said }) => type === 'referral.order' && to.startsWith(hook.another) && said === 'the address is not public',
    );
  });
}

/** Opens a link as a visitor and exchanges, until the order is done. */
async function exchanges(visit: Visit, link: string): Promise<void> {
  const client = system.client(visit.locale);
  const { address: receive } = await client.sandboxAddress({ currency: WISH.to });
  await visit.page.goto(`${link}&${new URLSearchParams(WISH)}`);
  await goOn(visit);
  await giveDetails(visit, { receive, refund: '', email: freshEmail() });
  await readReview(visit);
  const key = await placeOrder(visit);
  await pay(client, key);
  await awaits(client, key, 'is done', ({ status }) => status === 'done');
  assert.deepEqual(visit.troubles, []);
  await visit.close();
}

/** Withdraws ten dollars from the wallet to an address. */
async function withdraws(visit: Visit, site: string, { client, email }: Signed): Promise<void> {
  const { page, say } = visit;
  const [wallet] = await client.wallets({});
  assert.ok(Number(wallet?.available) >= 10, wallet?.available);
  const { address } = await client.sandboxAddress({ currency: 'USDT_ERC20' });
  await page.goto(`${site}/wallet/withdraw?currency=USDT`);
  await page.getByRole('radio', { name: /ERC-20/ }).check({ force: true });
  await page.locator('[name="to.address"]').fill(address);
  await page.locator('[name=amount]').fill('10');
  // The page shows the costs before the holder confirms.
  await page.getByText(say('known_new')).waitFor(PATIENT);
  await page
    .getByRole('region', { name: say('withdraw_effect') })
    .locator('[aria-busy]')
    .waitFor({ state: 'detached' });
  await page.getByRole('button', { name: say('confirm_send') }).click();
  await page.locator('[name=otp]').fill(await brings(visit, codeFor(system, email)));
  await page.getByRole('button', { name: say('withdraw_go') }).click();
  await brings(visit, page.getByText(say('withdraw_is_done'), { exact: true }).waitFor(PATIENT));
}
