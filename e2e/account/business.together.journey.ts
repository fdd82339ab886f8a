// Follows a business: a holder applies, two people of the desk approve, a store with its settings and a key are made, and another
// holder is invited, accepts, and is removed with their key.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { createClient, httpTransport } from '@kurs/contract/client';
import { approveBusiness } from '../customers/business.ts';
import { applies, makesKey, makesStore, visitBusiness } from '../customers/business-pages.ts';
import { signUp } from '../customers/signed.ts';
import { PREFIX, type Visit, brings } from '../harness/browser.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

for (const locale of ['en', 'ru'] as const)
  test(`a business is applied for, approved, and works with a store, a key and a member (${locale})`, async () => {
    const [owner, member] = [await signUp(system, { level: 2 }), await signUp(system)];
    const own = await visitBusiness(system, browser, owner, locale);
    const name = `Tea and Books ${randomUUID().slice(0, 8)}`;
    await applies(own, name);
    await approveBusiness(system, name);
    await own.page.reload();
    await brings(own, own.page.getByText(own.say('business_state_approved')).waitFor());
    await makesStore(own);
    await changesSettings(own);
    const program = programWith(await makesKey(own, 'till'));
    const [store] = (await owner.client.stores({})).stores;
    assert.deepEqual([store?.colour, store?.tolerance], ['#ffd400', '1.25']);
    assert.equal(store?.return_url, 'https://sale.example.org/thanks');
    assert.equal((await program.store({ store: store?.id ?? '' })).name, 'Tea shop');
    await invites(own, member.email);

    const other = await visitBusiness(system, browser, member, locale);
    await accepts(other);
    const theirs = programWith(await makesKey(other, 'their till'));
    await theirs.store({ store: store?.id ?? '' });
    await removes(own, member.email);
    await assert.rejects(theirs.store({ store: store?.id ?? '' }), { code: 'unauthorised' });
    assert.equal((await program.store({ store: store?.id ?? '' })).name, 'Tea shop', 'the owner’s key works on');
    await other.page.goto(`${system.url}/${PREFIX[locale]}/dashboard/business`);
    await brings(other, other.page.getByText(other.say('stores_none')).waitFor());
    for (const visit of [own, other]) {
      const expected = [/422 POST .*(?:apply|store)/, /status of 422/];
      assert.deepEqual(
        visit.troubles.filter((trouble) => !expected.some((one) => one.test(trouble))),
        [],
      );
      await visit.close();
    }
  });

/** Returns a client with an API key. */
const programWith = (key: string) =>
  createClient(httpTransport({ base: system.url, clientId: 'public', locale: () => 'en', token: () => key }));

/** Gives the store a colour, which the preview shows, a return address, which is refused first, and the web site that it needs. */
async function changesSettings(visit: Visit): Promise<void> {
  const { page, say } = visit;
  const card = (key: string) => page.getByRole('region', { name: say(key), exact: true });
  const saves = async (key: string) => {
    await card(key)
      .getByRole('button', { name: say('about_save') })
      .click();
    await brings(visit, card(key).getByText(say('about_saved')).waitFor());
  };
  await page.locator('[name=colour]').fill('#FFD400');
  await page.locator('figure rect[fill="#ffd400"]').waitFor();
  await saves('store_look');
  await page.locator('[name=tolerance]').fill('1,25 %');
  await saves('store_money');
  const back = page.locator('[name=return_url]');
  await back.fill('sale.example.org/thanks');
  await card('store_invoices')
    .getByRole('button', { name: say('about_save') })
    .click();
  await brings(visit, page.locator('[name=return_url][aria-invalid]').waitFor());
  await page.locator('input[name=site]').fill('sale.example.org');
  await card('store_sites')
    .getByRole('button', { name: say('store_site_add') })
    .click();
  await brings(visit, page.getByText(say('store_site_added')).waitFor());
  await saves('store_invoices');
}

async function invites(visit: Visit, email: string): Promise<void> {
  const { page, say } = visit;
  await page.getByRole('link', { name: say('store_members') }).click();
  const form = page.getByRole('region', { name: say('members_invite') });
  await form.locator('[name=email]').fill(email);
  await form.locator('[name=role]').selectOption('developer');
  await form.getByRole('button', { name: say('members_invite_send') }).click();
  await brings(visit, page.getByText(say('members_invited')).waitFor());
  await page
    .getByRole('region', { name: say('members_open') })
    .getByText(email)
    .waitFor();
}

/** Accepts the invitation. A developer sees the store's keys, but not its members. */
async function accepts(visit: Visit): Promise<void> {
  const { page, say } = visit;
  await page.reload();
  await page.getByRole('button', { name: say('invitations_accept_one', { store: 'Tea shop' }) }).click();
  await brings(visit, page.getByRole('heading', { level: 1, name: 'Tea shop' }).waitFor());
  assert.equal(await page.getByRole('link', { name: say('store_members') }).count(), 0);
}

/** Removes a member, whose key is ticked for revocation. */
async function removes(visit: Visit, email: string): Promise<void> {
  const { page, say } = visit;
  await page.reload();
  const row = page
    .getByRole('region', { name: say('store_members') })
    .getByRole('listitem')
    .filter({ hasText: email });
  await row.locator('summary').click();
  assert.ok(await row.getByRole('checkbox').isChecked());
  await row.getByRole('button', { name: say('members_remove_one', { name: email }) }).click();
  await brings(visit, page.getByText(say('members_removed')).waitFor());
}
