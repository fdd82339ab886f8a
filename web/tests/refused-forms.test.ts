// Messages of a refused call belong to a field of its form or to the whole form. They never appear at another field, and never
// get lost.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CallError } from '@kurs/contract/client';
import type { Site } from '../site.ts';
import { textOf } from '../testing/ask-text.ts';
import { linkId } from '../testing/gate/links.ts';
import { type SceneName, sceneId } from '../testing/gate/invoices.ts';
import { refundIn } from '../testing/gate/refunds.ts';
import { pageUrl } from '../routes/pages.ts';
import { stubSite } from '../testing/serve.ts';
import { stubClient } from '../testing/stub.ts';

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));
const URL_ = 'https://kurs.test';
const clock = (): Date => new Date('2026-11-20T14:05:12Z');
const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const CALCULATION = `/En/exchange?id=${ID}&step=2`;
const pay = (scene: SceneName): string => `/En/pay/${sceneId(scene)}`;
const ORDER = `/En/order?id=KX-WAIT-NG00&token=${TOKEN}`;

const client = { ...stubClient(clock), refundPage: () => Promise.resolve(refundIn('open', [], '15.00')) };
let site: Site;
before(async () => {
  site = await stubSite({ url: URL_, client });
});

/** Forms of pages, by their API call. */
const FORMS = [
  [
    'step2',
    CALCULATION,
    { intent: 'details', 'receive.address': 'r', 'refund.address': 'b', email: 'ann@example.org', terms_accepted: 'on' },
  ],
  ['trackOrder', '/En/track', { id: 'KX-7F3Q-2M8C', email: 'ann@example.org' }],
  [
    'ticketOpen',
    '/En/contact-us',
    { topic: 'payment', text: 'Hello', email: 'ann@example.org', key: 'k'.repeat(20), bot_token: '' },
  ],
  ['expire', ORDER, { intent: 'cancel' }],
  ['paymentMethod', pay('open'), { intent: 'method', method: 'MONEYGO_USD', 'payer.account': 'U1234567' }],
  ['paymentMethod', pay('top_up'), { intent: 'method', method: 'PAYEER_USD', amount: '5' }],
  ['paymentEmail', pay('open'), { intent: 'email', email: 'ann@example.org' }],
  ['paymentLinkPay', pageUrl('en', 'payLink', { id: linkId('any') }), { key: 'k'.repeat(20), amount: '5' }],
  ['refundClaim', `/En/refund?id=${ID}&token=${TOKEN}`, { method: 'USDT_TRC20', amount: '5', 'to.address': 'T', version: '1' }],
  ['refundGetOtp', `/En/refund?id=${ID}&token=${TOKEN}`, { intent: 'code' }],
] as const;
const SAID = 'Payments through this system need a verified account.';
const REFUSALS = {
  'of no field': new CallError(403, { code: 'level_needed', message: SAID }),
  'of a field that the form hasn’t': new CallError(422, {
    code: 'validation',
    message: 'One or more fields need fixing.',
    errors: { elsewhere: [SAID] },
  }),
};

for (const [call, url, form] of FORMS)
  for (const [kind, error] of Object.entries(REFUSALS))
    test(`a refusal ${kind} of ${call} is shown for the whole form, and at no field`, async (context) => {
      const calls = client as unknown as Record<string, unknown>;
      const usual = calls[call];
      calls[call] = () => Promise.reject(error);
      context.after(() => (calls[call] = usual));
      const { status, body: page } = await site.handle({
        ...{ method: 'POST', url, cookies: { [`calculation-${ID}`]: TOKEN }, body: new URLSearchParams(form).toString() },
        headers: { host: 'kurs.test', 'sec-fetch-site': 'same-origin' },
      });
      assert.equal(status, error.status, textOf(page));
      assert.ok(textOf(page).includes(SAID), textOf(page));
      assert.doesNotMatch(page, /aria-invalid="true"/);
      assert.doesNotMatch(page, /href="#field-elsewhere"/);
    });

/** Files that pass errors on, whose page shows the general message, or whose form has a single field. */
const WITHOUT_REST =
  /(?:^|\/)(?:chat|coupon-refusal|message-fields|ticket-parts|once-more|answered|store-fields|email-form|direction-fields|claim-form|caps-card|link-form|preview\/page|(?:exchange|affiliates|contact|ticket|order|track|refund|preview)\/page\.server)\.tsx?$/;

test('every page with errors at fields shows the rest for the whole form', () => {
  const files = globSync('{routes,features}/**/*.{ts,tsx}', { cwd: WEB }).filter((path) => !/\.test\.tsx?$/.test(path));
  const reads = files.filter((path) => /errors\??\.?\[|\.errors\b/.test(readFileSync(join(WEB, path), 'utf8')));
  assert.ok(reads.length > 8, reads.join(' '));
  const lost = reads.filter(
    (path) =>
      !WITHOUT_REST.test(path) &&
      !/restOf\(|placed\(|wrongOf\(|<(?:Error)?Summary|function Summary/.test(readFileSync(join(WEB, path), 'utf8')),
  );
  assert.deepEqual(lost, []);
});
