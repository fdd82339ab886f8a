// If both sums of an exchange have the same unit, each names its payment system: "100.00 USD" alone is ambiguous.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Transport, createClient } from '@kurs/contract/client';
import { askText, textOf } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';
import { stubTransport } from '../testing/stub.ts';
import type { Output, Routes } from '@kurs/contract';
import { WORLD } from '../testing/world.ts';

type ApiCurrency = Output<Routes['currencies']>[number];
const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const [GIVE, GET] = WORLD.filter(({ kind, fields }) => kind === 'ewallet' && fields.length > 0).slice(1) as [
  ApiCurrency,
  ApiCurrency,
];
const SUMS = {
  give: { amount: '100.00', currency: GIVE.code },
  get: { amount: '95.09', currency: GET.code },
  fees: [],
  exchanged: { amount: '100.00', currency: GIVE.code },
};
/** Replaces the exchange in an answer by one between two payment systems. */
const between = (answer: unknown): unknown => {
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('quote' in answer) return { ...answer, quote: { ...(answer.quote as object), ...SUMS } };
  return 'give' in answer ? { ...answer, ...SUMS } : answer;
};
const stub = stubTransport(() => new Date());
const transport: Transport = async (call) => (call.name === 'currencies' ? WORLD : between(await stub(call)));

test('details, review and order name both payment systems', async () => {
  const site = await stubSite({ url: 'http://kurs.test', client: createClient(transport) });
  const cookies = { [`calculation-${ID}`]: TOKEN };
  const headers = { 'sec-fetch-site': 'same-origin' };
  for (const prefix of ['En', 'Ru']) {
    const url = `/${prefix}/exchange?id=${ID}`;
    const show = async (path: string): Promise<string> => textOf((await askText(site, path, { cookies })).body);
    const details = await show(`${url}&step=2`);
    assert.ok(details.includes(`USD ${GIVE.name}`));
    assert.ok(details.includes(`USD ${GET.name}`));
    const body =
      'intent=details&receive.account=U1&receive.address=0x1&refund.address=rb1&email=a%40example.org&terms_accepted=yes';
    assert.equal((await askText(site, url, { method: 'POST', body, cookies, headers })).status, 303);
    const order = await show(`/${prefix}/order?id=KX-WAIT-NG00&token=${TOKEN}`);
    for (const page of [await show(url), order]) {
      assert.ok(page.includes(`USD (${GIVE.name})`));
      assert.match(page, new RegExp(`(?:USD \\(|You receive in\\s|К\\sполучению в\\s)${GET.name}`));
    }
  }
});
