// Writes to the desk and receives answers: by a form without a script, by mail, and beside an order.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openVisit } from '../harness/browser.ts';
import { SELL_BTC, freshEmail, place } from '../customers/customer.ts';
import { deskTool } from '../harness/desk.ts';
import { sharedStage } from '../harness/stage.ts';
import { type System, until } from '../harness/system.ts';

let system: System;
let browser: Browser;
before(async () => {
  ({ system, browser } = await sharedStage());
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
interface Said {
  readonly messages: readonly { readonly by: string; readonly text: string; readonly files?: readonly object[] }[];
}

test('a visitor without scripts writes, corrects errors, and reads the answer by the link in their mail', async () => {
  const visit = await openVisit(browser, 'ru', { hasJavaScript: false });
  const { page } = visit;
  const email = freshEmail();
  await page.goto(`${system.url}/Ru/contact-us`);
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=topic]').selectOption('payment');
  const send = page.locator('#main form button[type=submit]');
  await send.click();
  // The error appears at the empty field, and the input is unchanged.
  await page.locator('#field-text[aria-invalid=true]').waitFor();
  assert.equal(await page.locator('[name=email]').inputValue(), email);
  assert.equal(await page.locator('[name=topic]').inputValue(), 'payment');
  await page.locator('[name=text]').fill('Где мой <b>платёж</b>?');
  await page.locator('[name=files]').setInputFiles({ name: 'чек.png', mimeType: 'image/png', buffer: PNG });
  await send.click();
  await page.waitForURL(/\/Ru\/contact-us\/ticket\?/);
  const id = new URL(page.url()).searchParams.get('id') as string;
  await page.getByText('Где мой <b>платёж</b>?').waitFor();
  await page.getByText('чек.png').waitFor();
  const file = await page.request.get(system.url + (await page.locator('a[download]').getAttribute('href')));
  assert.deepEqual([file.headers()['content-type'], (await file.body()).equals(PNG)], ['image/png', true]);
  assert.match(file.headers()['content-disposition'] ?? '', /^attachment/);

  const waiting = await deskTool<{ id: string }[]>(system, 'tickets', '--open');
  assert.ok(waiting.some((one) => one.id === id));
  const answered = await deskTool<Said>(system, 'answer', id, '--text', 'Платёж виден, ждём блок.');
  assert.deepEqual([answered.messages.length, answered.messages[0]?.files?.length], [2, 1]);
  const link = await until('the letter with the answer', 20_000, async () => {
    const letters = await system.client().sandboxMail({ to: email });
    const text = letters.map((letter) => letter.text).find((one) => one.includes('ждём блок'));
    return text === undefined ? undefined : /https?:\S+/.exec(text)?.[0];
  });
  await page.goto(link);
  await page.getByText('Платёж виден, ждём блок.').waitFor();
  await page.locator('[name=text]').fill('Спасибо');
  await send.click();
  await page.getByText('Спасибо').waitFor();
  assert.deepEqual(
    visit.troubles.filter((one) => !one.includes('422')),
    [],
  );
  await visit.close();
});

test('an order’s customer and the desk chat live, and seen messages are not mailed', async () => {
  const { order } = await place(system.client(), SELL_BTC);
  const visit = await openVisit(browser, 'en');
  const { page, say } = visit;
  await page.goto(`${system.url}/En/order?id=${order.id}&token=${order.token}`);
  await page.getByText(say('order_watching')).waitFor();
  await page.getByRole('link', { name: say('order_ask') }).click();
  // Until the chat's code is loaded there is a link in place of this field.
  const area = page.locator('#chat-text');
  await area.waitFor();
  await area.fill('Is <i>it</i> there?');
  await page.getByRole('button', { name: say('chat_send') }).click();
  await page.locator('ol').getByText('Is <i>it</i> there?').waitFor();
  assert.equal(await area.inputValue(), '');

  const chats = await deskTool<{ order: string }[]>(system, 'chats');
  assert.ok(chats.some((one) => one.order === order.id));
  await area.fill('Half of a');
  await deskTool<Said>(system, 'say', order.id, '--text', 'We see it.');
  await page.getByText('We see it.').waitFor({ timeout: 15_000 });
  assert.equal(await area.inputValue(), 'Half of a', 'what is being written stays');
  const { messages } = await deskTool<Said>(system, 'chat', order.id);
  assert.deepEqual(
    messages.map(({ by }) => by),
    ['customer', 'desk'],
  );
  const key = { id: order.id, token: order.token };
  await until('the answer to be known as looked at', 15_000, async () => {
    const { unread } = await system.client().orderChat(key);
    return unread === 0;
  });
  assert.equal(visit.documents.length, 1);
  assert.deepEqual(visit.troubles, []);
  await visit.close();
});
