// Validates the HTML of every page of the site map with an external program.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { htmlFaults } from '../../tools/html-rules.ts';
import { sharedStage } from '../harness/stage.ts';

let base: string;
before(async () => {
  base = (await sharedStage()).system.url;
});

test('every page of the sitemap is valid HTML', async () => {
  const map = await (await fetch(`${base}/sitemap.xml`)).text();
  const addresses = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url.slice(base.length));
  assert.ok(addresses.length > 300, String(addresses.length));
  const faults: string[] = [];
  for (const address of addresses) {
    const answer = await fetch(base + address);
    assert.equal(answer.status, 200, address);
    faults.push(...(await htmlFaults(await answer.text())).map((fault) => `${address}: ${fault}`));
  }
  assert.deepEqual(faults, []);
});
