// Files of tickets over HTTP: anyone with the ticket's secret downloads them, and no browser interprets them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proveBot } from '../../compliance/index.ts';
import { type World, openWorld } from '../../exchange/testing.ts';
import { type Context, type Server, buildServer } from '../../platform/index.ts';
import { freely, testSealer } from '../../platform/testing.ts';
import { supportRoutes } from '../../support/index.ts';
import { mountSupportFiles } from './support-files.ts';
import { ORDER_OWNER } from '../../exchange/index.ts';

let world: World;
let server: Server;
before(async () => {
  world = await openWorld();
  server = buildServer({
    config: { KURS_MODE: 'live', KURS_CLIENTS: ['web'], KURS_STRICT_LIMITS: false, TRUST_PROXY: [] },
    db: world.db,
    sealer: testSealer,
  });
  mountSupportFiles(server, world.db, world.deps.sender);
});
after(async () => {
  await server.close();
  await world.close();
});

const context = { locale: 'en', ip: '203.0.113.9', ...freely } as unknown as Context;
const read = (query: string) => server.app.inject({ url: `/api/v1/support/file?${query}` });

test('serves a file as a download, typed by its bytes, with an escaped name and no caching', async () => {
  const support = supportRoutes({ db: world.db, sender: world.deps.sender, proveBot, owners: [ORDER_OWNER] });
  const bytes = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('<script>1</script>')]);
  const files = [{ name: 'чек "1"(a).html', data: bytes.toString('base64') }];
  const opening = { topic: 'payment' as const, text: 'See there', email: 'ann@example.org', files, bot_token: 'sandbox' };
  const { id, token } = await support.ticketOpen(opening, { ...context, db: world.db });
  const { statusCode, headers, rawPayload } = await read(`id=${id}&token=${token}&n=1`);
  assert.equal(statusCode, 200);
  assert.ok(rawPayload.equals(bytes));
  assert.equal(headers['content-type'], 'image/png');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(String(headers['content-disposition']), /^attachment; filename\*=UTF-8''[\w%.-]+$/);
  assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox; frame-ancestors 'none'");
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer', 'its address holds a secret');
  for (const query of [
    `id=${id}&token=${'x'.repeat(43)}&n=1`,
    `id=${id}&n=1`,
    `id=${id}&token=${token}&n=2`,
    `id=${id}&token=${token}&n=../1`,
    `id[]=${id}&token=${token}&n=1`,
    `id=%00&token=${token}&n=1`,
    `id=${id}&token=%00&n=1`,
    `id=%ED%A0%80&token=%00&n=%00`,
  ])
    assert.equal((await read(query)).statusCode, 404, query);
});
