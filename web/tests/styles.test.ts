// Parts that only the server renders use the page's own style sheets, which come with the page's code.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '@kurs/contract/client';
import { PAGES, type PageName, pageUrl } from '../routes/pages.ts';
import type { Assets } from '../server/document/assets.ts';
import { sceneId } from '../testing/gate/invoices.ts';
import { stubSite } from '../testing/serve.ts';
import { worldTransport } from '../testing/world.ts';

/** Queries of pages that need one. */
const QUERIES: Partial<Record<PageName, Record<string, string>>> = {
  order: { id: 'KX-DONE-0000', token: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx' },
  service: { slug: 'bitcoin-to-usdt-erc20' },
  pay: { id: sceneId('lines') },
};

test('every class of a page has a rule among the page’s styles', async () => {
  const client = createClient(worldTransport(() => new Date()));
  const site = await stubSite({ url: 'http://kurs.test', client });
  const slug = (await client.directions({})).directions.find(({ open }) => open)?.slug ?? '';
  const assets = JSON.parse(await readFile(join(import.meta.dirname, '../dist/server/assets.json'), 'utf8')) as Assets;
  const classesOf = (css: string): string[] => [...css.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name ?? '');
  const pages = Object.entries(assets.pages.en) as [PageName, { css: string }][];
  const known = new Set(pages.flatMap(([, { css }]) => classesOf(css)));
  const bare: string[] = [];
  let seen = 0;
  for (const [page, { css }] of pages) {
    const url = pageUrl('en', page, { ...QUERIES[page], ...(page === 'service' && { slug }) });
    const { status, body: html } = await site.handle({ method: 'GET', url, headers: {}, cookies: {} });
    if (status !== 200) continue;
    seen += 1;
    const own = new Set(classesOf(css));
    const used = new Set([...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, names]) => names?.split(' ') ?? []));
    for (const name of used) if (known.has(name) && !own.has(name)) bare.push(`${page} .${name}`);
  }
  assert.ok(seen > Object.keys(PAGES).length - 10, `${seen} pages`);
  assert.deepEqual(bare, []);
});
