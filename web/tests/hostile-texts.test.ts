// Texts of shops, members and buyers that look like markup: no page of the payment gate holds them as anything but text.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Transport, createClient } from '@kurs/contract/client';
import { pageUrl } from '../routes/pages.ts';
import { type Answers, merchant, storeAs, withAnswers } from '../testing/gate/answers.ts';
import { SCENE_NAMES, sceneId } from '../testing/gate/invoices.ts';
import { LINK_SCENES, linkId, storeLinksOf } from '../testing/gate/links.ts';
import { settlementAnswers } from '../testing/gate/settlements.ts';
import { entryAnswers } from '../testing/gate/store-entries.ts';
import { SAMPLES, invoiceAnswers, sampleId } from '../testing/gate/store-invoices.ts';
import { PREFIXES } from '../testing/gate/show-business.ts';
import { stubSite } from '../testing/serve.ts';
import { worldTransport } from '../testing/world.ts';

const EVIL = `</title></script><img src=x onerror="alert(1)">'\u2028<!--`;
/** Fields of answers that somebody has typed. */
const TYPED = new Set(
  `name title description order_id legal_name registration_number goods note email made_by memo address q`.split(' '),
);

/** Returns an answer in which each typed text begins with markup. `isFree`: the value lies in data of a shop. */
function hostile(value: unknown, key = '', isFree = false): unknown {
  if (typeof value === 'string') return isFree || TYPED.has(key) ? `${EVIL}${value}` : value;
  if (Array.isArray(value)) return value.map((one) => hostile(one, key, isFree));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([name, one]) => [name, hostile(one, name, isFree || name === 'metadata')] as const);
  // Names of ways to pay and of currencies are the desk's.
  return Object.fromEntries(
    pairs.map(([name, one]) => [name, name === 'methods' ? (value as { methods: unknown }).methods : one]),
  );
}

/** Calls whose answers shops, members and buyers have filled. */
const FILLED =
  /^(business|stores?|storeMembers|storeKeys|storesOverview|invoices|storeInvoice|storeLinks|storeEntries|storeReport|settlements|paymentInvoice|paymentLink)$/;

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

function mustBeText({ status, body }: { readonly status: number; readonly body: string }, url: string): void {
  assert.equal(status, 200, url);
  assert.doesNotMatch(body, /<img src=x/i, url);
  assert.match(body, /(&lt;|\\u003c)img src=x/i, `${url} shows none of the texts`);
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
  });
