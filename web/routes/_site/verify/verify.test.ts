import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Receipt } from '@kurs/contract/receipt';
import { checkReceipt } from '../../../features/receipt/check.ts';
import { POLICY_VERSION } from '../../../../contract/policy.ts';
import type { Site } from '../../../site.ts';
import { RECEIPT_KEYS } from '../../../testing/receipts.ts';
import { stubSite } from '../../../testing/serve.ts';

const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
let site: Site;
before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const visit = async (url: string, cookies = {}): Promise<string> =>
  (await site.handle({ method: 'GET', url, headers: {}, cookies })).body;
const check = async (receipt: string, prefix = 'En'): Promise<string> => {
  const body = new URLSearchParams({ receipt }).toString();
  const response = await site.handle({ method: 'POST', url: `/${prefix}/verify`, headers: {}, cookies: {}, body });
  return response.body
    .replace(/<style>.*?<\/style>|<script.*?<\/script>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
};

/** Name and content of the file that a page's download link holds. */
function fileOf(html: string): { name: string; text: string } {
  const link = /<a [^>]*download="([^"]+)"[^>]*>/.exec(html);
  const href = /href="data:application\/json,([^"]+)"/.exec(link?.[0] ?? '')?.[1] ?? '';
  return { name: link?.[1] ?? '', text: decodeURIComponent(href.replaceAll('&#x27;', "'")) };
}

test('an order’s page and the review offer their receipt as a file that passes the check', async () => {
  const order = fileOf(await visit(`/En/order?id=KX-WAIT-NG00&token=${TOKEN}`));
  assert.equal(order.name, 'KX-WAIT-NG00.json');
  assert.deepEqual(Object.keys(JSON.parse(order.text) as Receipt), ['payload', 'signature', 'key_id']);
  const checked = await checkReceipt(order.text, RECEIPT_KEYS);
  assert.ok(checked.verdict === 'fits' && checked.terms.id === 'KX-WAIT-NG00');
  const details = {
    intent: 'details',
    'receive.address': '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    'refund.address': 'rb1q5m3k0h2tqz8x7w6v5u4t3s2r1p0n9m8l7k6j5h4',
    email: 'anna@example.org',
    terms_accepted: 'yes',
  };
  const url = `/Ru/exchange?id=${ID}`;
  const cookies = { [`calculation-${ID}`]: TOKEN };
  await site.handle({ method: 'POST', url, headers: {}, cookies, body: new URLSearchParams(details).toString() });
  const review = fileOf(await visit(url, cookies));
  assert.equal(review.name, 'quote-0199a7d2.json');
  assert.equal((await checkReceipt(review.text, RECEIPT_KEYS)).verdict, 'fits');
  // An unallocated payment has no promise and so no receipt.
  assert.equal(fileOf(await visit(`/En/order?id=KX-STRA-Y000&token=${TOKEN}`)).name, '');
});

test('the page contains the keys, equal to those in the file of keys', async () => {
  const page = await visit('/En/verify');
  for (const { public_key: key } of RECEIPT_KEYS) assert.ok(page.includes(`"public_key":"${key}"`));
  const file = await site.handle({ method: 'GET', url: '/.well-known/kurs-receipt-keys.json', headers: {}, cookies: {} });
  assert.equal(file.status, 200);
  assert.deepEqual(JSON.parse(file.body), { issuer: 'http://kurs.test', keys: RECEIPT_KEYS });
});

test('without JavaScript the server checks by the same rules, in both languages', async () => {
  const { text } = fileOf(await visit(`/En/order?id=KX-WAIT-NG00&token=${TOKEN}`));
  const english = await check(text);
  for (const words of ['The signature is valid', 'Order KX-WAIT-NG00', '0.0100 BTC', '908.37 USDT', 'within 60 min', 'version 1'])
    assert.ok(english.includes(words) || english.replaceAll('\u00a0', ' ').includes(words), words);
  assert.match(await check(text, 'Ru'), /Подпись верна.*Заявка KX-WAIT-NG00/);
  const receipt = JSON.parse(text) as Receipt;
  const terms = Buffer.from(receipt.payload, 'base64url').toString().replace('908.37', '988.37');
  const forged = { ...receipt, payload: Buffer.from(terms).toString('base64url') };
  const refused = await check(JSON.stringify(forged));
  assert.match(refused, /The signature is not valid/);
  assert.doesNotMatch(refused, /Order KX-WAIT/);
  assert.match(await check(JSON.stringify({ ...receipt, key_id: 'other' })), /Kurs has no such key/);
  assert.match(await check('</textarea><script>alert(1)</script>'), /This is not a receipt/);
});

test('receipts name the version of the terms that the page shows', async () => {
  for (const [prefix, words] of [
    ['En', 'Version'],
    ['Ru', 'Версия'],
  ])
    assert.match(await visit(`/${prefix}/terms-of-services`), new RegExp(`${words}\\s${POLICY_VERSION}\\s·`));
});
