// Texts of shops, members and buyers that look like markup: no page of the payment gate holds them as anything but text.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Output, Routes } from '@kurs/contract';
import { type Transport, createClient } from '@kurs/contract/client';
import { pageUrl } from '../routes/pages.ts';
import { type Answers, merchant, storeAs, withAnswers } from '../testing/gate/answers.ts';
import { SCENE_NAMES, sceneId } from '../testing/gate/invoices.ts';
import { LINK_SCENES, linkId, storeLinksOf } from '../testing/gate/links.ts';
import { AT, REFUND_ID, claimIn, refundIn } from '../testing/gate/refunds.ts';
import { settlementAnswers } from '../testing/gate/settlements.ts';
import { entryAnswers } from '../testing/gate/store-entries.ts';
import { SAMPLES, invoiceAnswers, sampleId } from '../testing/gate/store-invoices.ts';
import { PREFIXES } from '../testing/gate/show-business.ts';
import { stubSite } from '../testing/serve.ts';
import { worldTransport } from '../testing/world.ts';

const EVIL = `</title></script><img src=x onerror="alert(1)">'\u2028<!--`;
/** Fields of answers that somebody has typed. */
const TYPED = new Set(
  `name title description order_id legal_name registration_number goods note email made_by memo address q said`.split(' '),
);
/** Fields of answers that hold data of a shop or of a claimant. */
const FREE = new Set(['metadata', 'to']);

/** Returns an answer in which each typed text begins with markup. `isFree`: the value lies in data of a shop. */
function hostile(value: unknown, key = '', isFree = false): unknown {
  if (typeof value === 'string') return isFree || TYPED.has(key) ? `${EVIL}${value}` : value;
  if (Array.isArray(value)) return value.map((one) => hostile(one, key, isFree));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([name, one]) => [name, hostile(one, name, isFree || FREE.has(name))] as const);
  // Names of ways to pay and of currencies are the desk's.
  return Object.fromEntries(
    pairs.map(([name, one]) => [name, name === 'methods' ? (value as { methods: unknown }).methods : one]),
  );
}

/** Calls whose answers shops, members and buyers have filled. */
const FILLED =
  /^(business|stores?|storeMembers|storeKeys|storesOverview|invoices|storeInvoice|storeLinks|storeEntries|storeReport|settlements|paymentInvoice|paymentLink|refund(s|Caps|Page)|storeRefund|storeWebhook(s|Deliver(y|ies))?)$/;

async function show(url: string, transport: Transport, isSignedIn: boolean): Promise<{ status: number; body: string }> {
  const client = createClient(async (call) => {
    const answer = await transport(call);
    return FILLED.test(call.name) ? hostile(answer) : answer;
  });
  const site = await stubSite({ url: 'https://kurs.test', client });
  const { status, body } = await site.handle({
    ...{ method: 'GET', url, cookies: {} },
    headers: {
      ...{ host: 'kurs.test', 'sec-fetch-site': 'same-origin' },
      ...(isSignedIn && { authorization: 'Bearer a-token' }),
    },
  });
  return { status, body };
}

/** Checks that a page holds the texts as text. `values`: values that it must show, each with markup before it. */
function mustBeText(
  { status, body }: { readonly status: number; readonly body: string },
  url: string,
  values: readonly string[] = [],
): void {
  assert.equal(status, 200, url);
  assert.doesNotMatch(body, /<img src=x/i, url);
  assert.match(body, /(&lt;|\\u003c)img src=x/i, `${url} shows none of the texts`);
  for (const value of values) assert.ok(body.includes(`&lt;!--${value}`), `${url} does not show ${value}`);
}

const ID = '0199a7d2-7a3e-7c10-9f00-000000000901';
const RECEIVER = 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb';
const LOG = { id: ID, at: AT, type: 'invoice.settled', state: 'waiting', tries: 1, status: 503, said: 'Busy' } as const;

/** Answers about refunds and webhooks of a store. A delivery's body and the answers to it are the shop's. */
function refundsAndWebhooks(store: string): Answers {
  const { methods: _, needs_code: __, bounded: ___, ...shown } = refundIn('claimed', [claimIn('confirming')], '5.00');
  const { claims, store: ____, ...row } = shown;
  const listed = { ...row, taken: row.amount, returned: [], email: 'buyer@example.org', created_at: AT };
  const refund: Output<Routes['storeRefund']> = {
    ...{ ...listed, store, note: 'Sorry', events: [] },
    claims: claims.map((claim) => ({ ...claim, refund: row.id, usd: '15.00' })),
  };
  const webhook: Output<Routes['storeWebhook']> = {
    ...{ id: ID, url: 'https://shop.example.com/hook', body: 'kurs', created_at: AT, missed: 0 },
    ...{ state: 'failing', since: AT, status: 503, said: 'Closed' },
  };
  const meta = { current_page: 1, per_page: 20, last_page: 1, total: 1 };
  const delivery: Output<Routes['storeWebhookDelivery']> = {
    ...{ ...LOG, webhook: ID, body: `${EVIL}{}` },
    attempts: [{ at: AT, latency_ms: 12, status: 503, said: 'Down' }],
  };
  return {
    ...{ refunds: () => ({ data: [listed], meta }), storeRefund: () => refund },
    refundCaps: () => ({ managers: '0', keys: [{ id: ID, name: 'refunds of the shop', cap: '5.00' }] }),
    ...{ storeWebhooks: () => [webhook], storeWebhook: () => webhook, storeWebhookDelivery: () => delivery },
    storeWebhookDeliveries: () => ({ data: [LOG], meta }),
  };
}

for (const prefix of PREFIXES)
  describe(`texts that look like markup (${prefix})`, () => {
    const locale = prefix === 'En' ? 'en' : 'ru';
    const clock = (): Date => new Date();

    test('stay text on the page of an invoice in every state, and of a link', async () => {
      const pages = [
        ...SCENE_NAMES.map((scene) => `/${prefix}/pay/${sceneId(scene)}`),
        ...LINK_SCENES.map((scene) => pageUrl(locale, 'payLink', { id: linkId(scene) })),
      ];
      for (const url of pages) mustBeText(await show(url, worldTransport(clock), false), url);
    });

    test('stay text on the pages of a store', async () => {
      const now = clock();
      const answers: Answers = {
        ...{ ...merchant(now), ...invoiceAnswers(now), ...settlementAnswers(now), ...entryAnswers(now) },
        storeLinks: () => storeLinksOf(now),
      };
      const store = storeAs('business', 'owner', now).id;
      const at = (path: string, query: string): string => `/${prefix}/dashboard/business${path}?${query}`;
      const pages = [
        ...[at('', ''), at('/store', `id=${store}`), at('/store/members', `id=${store}`)],
        ...['keys', 'settlements', 'links', 'invoices', 'entries'].map((part) =>
          at(`/store/${part}`, `store=${store}&id=${store}`),
        ),
        ...SAMPLES.map((sample) => at('/store/invoice', `store=${store}&id=${sampleId(sample)}`)),
      ];
      for (const url of pages) mustBeText(await show(url, withAnswers(clock, answers), true), url);
    });

    test('stay text on the page on which a refund is claimed', async () => {
      const url = `/${prefix}/refund?id=${REFUND_ID}&token=${'t'.repeat(43)}`;
      const page = { ...refundIn('paying', [claimIn('paying')]), note: 'Sorry', email: 'b…r@example.org' };
      const shown = await show(url, withAnswers(clock, { refundPage: () => page }), false);
      mustBeText(shown, url, ['Tea shop', 'Sorry', RECEIVER]);
    });

    test('stay text on the pages of a store’s refunds and webhooks, and of the preview', async () => {
      const now = clock();
      const store = storeAs('business', 'owner', now).id;
      const answers: Answers = { ...merchant(now), ...entryAnswers(now), ...refundsAndWebhooks(store) };
      const typed = encodeURIComponent(`${EVIL}typed`);
      const pages: Readonly<Record<string, readonly string[]>> = {
        [`refunds?store=${store}&q=${typed}`]: ['buyer@example.org', 'refunds of the shop', 'typed'],
        [`refund?store=${store}&id=${REFUND_ID}`]: ['Sorry', 'buyer@example.org', RECEIVER],
        [`refunds/new?store=${store}`]: ['Tea shop'],
        [`webhooks?store=${store}`]: ['Tea shop'],
        [`webhook?store=${store}&id=${ID}&delivery=${ID}`]: ['Closed', 'Busy', 'Down', '{}'],
        [`preview?store=${store}&amount=${typed}`]: ['typed'],
        [`preview?store=${store}&amount=100`]: ['Tea shop'],
      };
      for (const [path, values] of Object.entries(pages)) {
        const url = `/${prefix}/dashboard/business/store/${path}`;
        mustBeText(await show(url, withAnswers(clock, answers), true), url, values);
      }
    });
  });
