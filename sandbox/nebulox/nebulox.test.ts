import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import type { Counterpart } from '../counterpart.ts';
import { openNebulox } from './index.ts';

describe('Nebulox’s invoice page, walked through like a browser does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-nebulox-'));
  let nebulox: Counterpart;
  let server: FastifyInstance;
  let base = '';
  let apiKey = '';
  const reported: { body: string; hash: string }[] = [];
  const product = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      reported.push({ body, hash: String(request.headers['x-hash']) });
      response.end();
    });
  });

  const start = async (): Promise<void> => {
    nebulox = await openNebulox({ folder });
    server = fastify({ forceCloseConnections: true });
    await server.register(async (scope) => nebulox.mount(scope), { prefix: '/sandbox/nebulox' });
    await server.listen({ host: '127.0.0.1', port: 0 });
    base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/sandbox/nebulox`;
    const shop = `http://127.0.0.1:${(product.address() as AddressInfo).port}`;
    const said = nebulox.provider?.({ base, pages: base, webhook: `${shop}/api/v1/payment/nebulox/confirmation` }) ?? {};
    apiKey = String(said['apiKey']);
  };
  before(async () => {
    await new Promise<void>((resolve) => void product.listen(0, '127.0.0.1', resolve));
    await start();
  });
  after(async () => {
    await Promise.all([nebulox.close(), server.close()]);
    product.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (path: string, body: unknown): Promise<{ status: number; result: Record<string, unknown> }> => {
    const reply = await fetch(`${base}/api/invoice/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: reply.status, result: ((await reply.json()) as { result: Record<string, unknown> }).result };
  };
  const pay = (url: string, amount: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ amount }), redirect: 'manual' });

  it('accepts a part, then the rest, reports both, and returns to the shop', async () => {
    const made = await call('create', { apiKey, orderId: 'ORDER1', amount: 0.3, coinSymbol: 'LTC', networkName: 'Litecoin' });
    assert.equal(made.status, 201);
    const url = String(made.result['url']);
    assert.match(await (await fetch(url)).text(), /0\.3 LTC/);
    assert.match(await (await pay(url, '0.1')).text(), /PARTIAL/);
    const over = await pay(url, 'x');
    assert.equal(over.status, 400);
    const back = await pay(url, '0.2');
    assert.equal(back.status, 303);
    assert.match(back.headers.get('location') ?? '', /\/En\/payment\/success\?orderId=ORDER1$/);
    for (let waited = 0; reported.length < 2 && waited < 200; waited += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const states = reported.map(({ body }) => (JSON.parse(body) as { status: string; paidAmount: string }).status);
    assert.deepEqual(states.toSorted(), ['COMPLETED', 'PARTIAL']);
    for (const { body, hash } of reported) assert.equal(hash, createHmac('sha256', apiKey).update(body).digest('hex'));
    assert.equal((await pay(url, '0.2')).status, 400, 'it is paid');
  });

  it('refuses a wrong key, an unknown coin and an unknown invoice, and retains its own over a restart', async () => {
    const good = { apiKey, orderId: 'ORDER2', amount: 1, coinSymbol: 'DOGE', networkName: 'Dogecoin' };
    const statuses = await Promise.all([
      call('create', { ...good, apiKey: 'x' }),
      call('create', { ...good, networkName: 'Litecoin' }),
      call('create', { ...good, price: 1 }),
      call('verify', { apiKey, trackingCode: 'x' }),
    ]);
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [406, 400, 400, 404],
    );
    const { result } = await call('create', good);
    const before = apiKey;
    await Promise.all([nebulox.close(), server.close()]);
    await start();
    assert.equal(apiKey, before);
    const seen = await call('verify', { apiKey, trackingCode: result['trackingCode'] });
    assert.deepEqual([seen.result['orderId'], seen.result['status'], seen.result['amount']], ['ORDER2', 'PENDING', 1]);
  });
});
