// Tests the cache that shares pages for a second between all visitors: it must never contain a page that was rendered with a
// person's cookies.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { SELL_BTC, place } from '../customers/customer.ts';
import { ROUTES } from '../looks/seed-routes.ts';
import { sharedStage } from '../harness/stage.ts';
import type { System } from '../harness/system.ts';

const STRANGERS = 40;

let system: System;
before(async () => {
  ({ system } = await sharedStage());
});

test('forty visitors requesting pages beside two customers get none of the customers’ data', async () => {
  const client = system.client();
  const customers = await Promise.all([1, 2].map(async () => (await place(client, SELL_BTC)).order));
  const jars = customers.map(({ id, token }) => `order-last=en%20${id}; order-${id}=${token}`);
  const secrets = customers.flatMap(({ id, token }) => [id, token]);
  const read = async (path: string, cookie?: string): Promise<string> => {
    const answer = await fetch(`${system.url}${path}`, { headers: cookie === undefined ? {} : { cookie }, redirect: 'manual' });
    return `${await answer.text()} ${String([...answer.headers])}`;
  };
  for (const path of [...ROUTES, '/order', '/exchange', '/track', '/verify', '/rates', '/status', '/contact-us/ticket']) {
    const url = `/En${path}`;
    // The customers' requests start first, and strangers must not receive their results.
    const own = jars.map((jar) => read(url, jar));
    const strangers = await Promise.all(Array.from({ length: STRANGERS }, () => read(url)));
    for (const page of strangers) assert.ok(!secrets.some((secret) => page.includes(secret)), `${url} gives a customer’s away`);
    const pages = await Promise.all(own);
    pages.forEach((page, at) => {
      const others = secrets.filter((_, index) => Math.floor(index / 2) !== at);
      assert.ok(!others.some((secret) => page.includes(secret)), `${url} gives one customer another’s`);
    });
    // Customers receive their own pages: the page after a payment shows the order, however many requests run at the same time.
    if (path.startsWith('/payment/')) pages.forEach((page, at) => assert.ok(page.includes(customers[at]?.id ?? '?'), url));
  }
});
