// The contact page, a ticket's page, and the chat of an order's page, as the server renders them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createClient } from '@kurs/contract/client';
import type { Site, SiteRequest } from '../site.ts';
import { stubSite } from '../testing/serve.ts';
import { stubTransport } from '../testing/stub.ts';

const URL_ = 'http://kurs.test';
const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const TICKET = `/En/contact-us/ticket?id=TK-7F3Q-2M8C&token=${TOKEN}`;
/** Requests to the API, newest last. */
const requests: { name: string; input: Record<string, unknown>; key: string | undefined }[] = [];
let site: Site;
let live: Site;

before(async () => {
  const answer = stubTransport(() => new Date());
  const client = createClient((call) => {
    requests.push({ name: call.name, input: call.input as Record<string, unknown>, key: call.options.idempotencyKey });
    return answer(call);
  });
  site = await stubSite({ url: URL_, client });
  live = await stubSite({ url: URL_, client, mode: 'live' });
});

const ask = async (of: Site, url: string, more: Partial<SiteRequest> = {}) => {
  const { status, headers, body } = await of.handle({ method: 'GET', url, headers: {}, cookies: {}, ...more });
  return { status, to: headers.find(([name]) => name === 'location')?.[1], body };
};
const post = (of: Site, url: string, form: Record<string, string>, files: SiteRequest['files'] = []) =>
  ask(of, url, {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    files,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
const keyIn = (html: string): string => /name="key" value="([\w-]+)"/.exec(html)?.[1] ?? '';

test('the form shows hours and response times, takes an order from its link, and has a robot check only with real money', async () => {
  const { body } = await ask(site, '/En/contact-us?order=KX-7F3Q-2M8C');
  assert.match(body, /from 08:00 to 23:00\sUTC/);
  assert.match(body, /within 14\sminutes/);
  assert.match(body, /value="KX-7F3Q-2M8C"/);
  assert.doesNotMatch(body, /data-check/);
  const about = await ask(site, '/Ru/contact-us?topic=verification');
  assert.match(about.body, /<option value="verification" selected[^>]*>Проверка моего аккаунта/);
  assert.doesNotMatch((await ask(site, '/En/contact-us?topic=nonsense')).body, /<option value="[a-z]+" selected/);
  const checked = await ask(live, '/Ru/contact-us');
  assert.match(checked.body, /data-check/);
  assert.match(checked.body, /<noscript><p[^>]*>Если в/);
});

test('errors appear at their fields, and typed text stays', async () => {
  const typed = { order: 'KX-7F3Q-2M8C', topic: 'payout', text: '', email: 'ann@"><script>', key: 'k'.repeat(20) };
  const { status, body } = await post(site, '/En/contact-us', typed, [{ name: 'a.png', data: 'AAAA' }]);
  assert.equal(status, 422);
  assert.match(body, /<title>Error: /);
  assert.match(body, /<textarea[^>]*aria-invalid="true"[^>]*aria-describedby="field-text-hint field-text-error"/);
  assert.match(body, /href="#field-text">Write your message/);
  assert.match(body, /value="ann@&quot;&gt;&lt;script&gt;"/);
  assert.match(body, /<option value="payout" selected/);
  assert.match(body, /Choose the files again/);
  assert.notEqual(keyIn(body), typed.key);
});

test('files above the limit are reported at their field in the page’s language, and typed text stays', async () => {
  const typed = { order: '', topic: 'payout', text: 'Где деньги?', email: 'ann@example.org', key: 'k'.repeat(20) };
  for (const url of ['/Ru/contact-us', TICKET.replace('/En', '/Ru')]) {
    requests.length = 0;
    const { status, body } = await ask(site, url, {
      method: 'POST',
      body: new URLSearchParams(typed).toString(),
      hasTooLargeFiles: true,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(status, 413);
    assert.match(body, /id="field-files"[^>]*aria-invalid="true"/);
    assert.match(body, /Ничего не\sотправлено: файлы вместе слишком большие\. Выберите не\sбольше 3\sфайлов, каждый до\s4\sМБ/);
    assert.match(body, /<textarea[^>]*>Где деньги\?<\/textarea>/);
    assert.ok(!requests.some(({ name }) => name === 'ticketOpen' || name === 'ticketReply'), 'nothing is sent');
  }
});

test('a form opens one ticket by its key and leads to its page; without a robot check it announces a letter', async () => {
  const { body } = await ask(site, '/En/contact-us');
  const form = { topic: 'payment', text: 'Hello', email: 'ann@example.org', key: keyIn(body), bot_token: '' };
  const { status, to } = await post(site, '/En/contact-us', form, [{ name: 'a.png', data: 'AAAA' }]);
  assert.deepEqual([status, to], [303, `${TICKET}&sent=1`]);
  const sent = requests.findLast(({ name }) => name === 'ticketOpen');
  assert.deepEqual(
    [sent?.key, sent?.input['bot_token'], sent?.input['files']],
    [form.key, 'sandbox', [{ name: 'a.png', data: 'AAAA' }]],
  );
  const unproved = await post(live, '/En/contact-us', form);
  assert.equal(unproved.status, 200);
  assert.match(unproved.body, /One step left/);
  assert.match(unproved.body, /ann@example\.org/);
});

test('a ticket’s page shows messages as text and files as downloads, and nothing without its link', async () => {
  const { status, body } = await ask(site, TICKET);
  assert.equal(status, 200);
  assert.match(body, /one confirmation of two/);
  assert.match(body, /<a[^>]*download[^>]*href="\/api\/v1\/support\/file\?id=TK-7F3Q-2M8C[^"]*n=1"/);
  assert.match(body, /name="robots" content="noindex/);
  assert.deepEqual((await ask(site, '/Ru/contact-us/ticket')).to, '/Ru/contact-us');
  const replied = await post(site, TICKET, { text: 'More', key: 'r'.repeat(20) });
  assert.deepEqual([replied.status, replied.to], [303, TICKET]);
  assert.equal(requests.findLast(({ name }) => name === 'ticketReply')?.key, 'r'.repeat(20));
});

test('an order’s chat works without scripts, shows what is new, and is open when a letter leads to it', async () => {
  const order = `/En/order?id=KX-CONF-NG00&token=${TOKEN}`;
  const { body } = await ask(site, order);
  assert.match(
    body,
    /<details id="chat" class="[^"]*"><summary>Write to us about this order<span[^>]*>(?:<svg.*?<\/svg>)?New:\s1/,
  );
  assert.match(body, /one confirmation of two/);
  assert.match(body, /http-equiv="refresh"/);
  assert.doesNotMatch(body, /<textarea/);
  assert.match(body, /href="\/En\/order\?[^"]*chat=1">Write a message/);
  // The link to ask about the order leads to its chat, and not to an e-mail address.
  assert.match(body, /<a [^>]*href="\?id=[^"]*&amp;chat=1#chat"[^>]*>.*?Ask about this order/);
  assert.doesNotMatch(/<main.*<\/main>/s.exec(body)?.[0] ?? 'mailto:', /mailto:/);
  const opened = (await ask(site, `${order}&chat=1`)).body;
  assert.match(opened, /<details id="chat" class="[^"]*" open=""/);
  assert.match(opened, /<textarea id="chat-text"/);
  // The page does not reload while someone may be typing.
  assert.doesNotMatch(opened, /http-equiv="refresh"/);
  const said = await post(site, order, { intent: 'say', text: 'Hello', key: 's'.repeat(20) });
  assert.deepEqual([said.status, said.to], [303, `${order}&chat=1`]);
  assert.equal(requests.findLast(({ name }) => name === 'orderSay')?.key, 's'.repeat(20));
});

test('a HEAD request for a page whose opening changes something is refused without any call', async () => {
  const before = requests.length;
  for (const url of [TICKET, TICKET.replace('?', '.data?'), '/En/dashboard/affiliates.data'])
    assert.equal((await ask(site, url, { method: 'HEAD', headers: { authorization: 'Bearer x' } })).status, 405, url);
  assert.equal(requests.length, before);
  assert.equal((await ask(site, '/En/contact-us', { method: 'HEAD' })).status, 200);
});
