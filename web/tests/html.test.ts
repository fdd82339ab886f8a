// Validates the HTML of each kind of page, in both languages, for a desk with the large offer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@kurs/contract/client';
import { htmlFaults } from '../testing/html-rules.ts';
import { PAGES, type PageName, pageUrl } from '../routes/pages.ts';
import { SCENE_NAMES, sceneId } from '../testing/gate/invoices.ts';
import { LINK_SCENES, linkId } from '../testing/gate/links.ts';
import { stubSite } from '../testing/serve.ts';
import { worldTransport } from '../testing/world.ts';

const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const ID = '0199a7d2-7a3e-7c10-9f00-3f1c5e2b7a10';
const SCENES = 'WAIT PART CHCK SHRT LATE STRA DONE EXPD RFND PREP LEAV LVGT VCHR VTKN GOOD'.split(' ');

/** Addresses without the language: each page, and variants by query. */
const ADDRESSES = [
  ...(Object.keys(PAGES) as PageName[])
    .filter((page) => page !== 'order' && page !== 'ticket' && page !== 'exchange' && page !== 'pay' && page !== 'payLink')
    .map((page) => pageUrl('en', page, page === 'service' ? { slug: 'usdt-erc20-usdt-trc20' } : {}).slice(3)),
  ...SCENE_NAMES.map((scene) => pageUrl('en', 'pay', { id: sceneId(scene) }).slice(3)),
  ...LINK_SCENES.map((scene) => pageUrl('en', 'payLink', { id: linkId(scene) }).slice(3)),
  ...SCENES.map((scene) => `/order?id=KX-${scene}-NG00&token=${TOKEN}`),
  ...[`/exchange?id=${ID}&step=2`, `/exchange?id=${ID}`, `/contact-us/ticket?id=TK-7F3Q-2M8C&token=${TOKEN}`],
  ...[
    '/services/pmv-usd-usdt-erc20',
    '/rates?q=usdt',
    '/rates?q=nothing-such',
    '/faq?q=refund',
    '/faq?q=nothing-such',
    '/nowhere',
  ],
];

for (const language of ['En', 'Ru'] as const) {
  test(`each kind of page is valid HTML, /${language}`, async () => {
    const site = await stubSite({ url: 'http://kurs.test', client: createClient(worldTransport(() => new Date())) });
    const faults: string[] = [];
    for (const address of ADDRESSES) {
      const url = `/${language}${address}`;
      const { body } = await site.handle({ method: 'GET', url, headers: {}, cookies: { [`calculation-${ID}`]: TOKEN } });
      faults.push(...(await htmlFaults(body)).map((fault) => `${url}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  });
}
