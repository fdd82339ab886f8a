import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CallError, type Client, createClient, httpTransport } from '@kurs/contract/client';
import { sendMail } from './mail/smtp.testing.ts';

/** Compile cache of the runner's processes (tools/test.ts), also for processes that tests start. */
const { NODE_COMPILE_CACHE = '' } = process.env;

interface Told {
  readonly site: string;
  readonly control: string;
  readonly smtp: string;
  readonly environment: Record<string, string>;
}

const main = fileURLToPath(new URL('main.ts', import.meta.url));

async function start(environment: Record<string, string>): Promise<{ child: ChildProcess; reported: Told; client: Client }> {
  const child = fork(main, { env: { NODE_COMPILE_CACHE, SANDBOX_RAILS: 'bitcoin', SANDBOX_BLOCK_MS: '0', ...environment } });
  const [reported] = (await once(child, 'message')) as [Told];
  const client = createClient(httpTransport({ base: reported.site, clientId: 'web', locale: () => 'en' }));
  return { child, reported, client };
}

async function kill(child: ChildProcess, how: NodeJS.Signals): Promise<number | null> {
  const gone = once(child, 'exit');
  child.kill(how);
  return ((await gone) as [number | null])[0];
}

describe('the sandbox process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-sandbox-'));
  // Product with the one call that the sandbox makes: an order with its payment instruction.
  const product = createServer((request, response) => {
    const token = new URL(request.url ?? '', 'http://x').searchParams.get('token');
    const order = token === 'a'.repeat(40);
    const isOver = token === 'c'.repeat(40);
    response.statusCode = order || isOver ? 200 : 404;
    response.setHeader('content-type', 'application/json');
    const pay = {
      kind: 'address',
      address: payTo,
      amount: '0.015',
      currency: 'BTC',
      network: 'Bitcoin',
      expires_at: '2026-11-20T12:00:00Z',
    };
    response.end(
      JSON.stringify(
        isOver ? { data: {} } : order ? { data: { pay, due: { amount: '0.01', currency: 'BTC' } } } : { code: 'order_not_found' },
      ),
    );
  });
  let payTo = '';
  let running: Awaited<ReturnType<typeof start>>;
  before(async () => {
    await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
    running = await start({ KURS_DATA: folder, BASE_URL: `http://127.0.0.1:${(product.address() as AddressInfo).port}` });
  });
  after(async () => {
    if (running) await kill(running.child, 'SIGKILL');
    product.close();
    rmSync(folder, { recursive: true });
  });

  it('returns the product’s configuration', async () => {
    const { reported } = running;
    const { KURS_ESPLORA, KURS_BITCOIN_NETWORK, KURS_GOOGLE_KEYS, KURS_GOOGLE_SCRIPT, ...rest } = reported.environment;
    assert.deepEqual(
      { KURS_ESPLORA, KURS_BITCOIN_NETWORK },
      { KURS_ESPLORA: `${reported.site}/sandbox/bitcoin`, KURS_BITCOIN_NETWORK: 'regtest' },
    );
    assert.deepEqual(Object.keys(rest), ['KURS_GOOGLE_CLIENT_ID', 'KURS_GOOGLE_ISSUERS', 'KURS_PRIVATE_WEBHOOKS']);
    // The product reads the keys here; a browser loads the script below the product's own address.
    assert.equal((await fetch(KURS_GOOGLE_KEYS ?? '')).status, 200);
    assert.equal(new URL(KURS_GOOGLE_SCRIPT ?? '').port, String((product.address() as AddressInfo).port));
    const ready = await (await fetch(`${reported.control}/ready`)).json();
    assert.deepEqual(ready, { ready: true, rails: ['bitcoin'], environment: reported.environment });
    assert.equal(await (await fetch(`${reported.environment['KURS_ESPLORA']}/blocks/tip/height`)).text(), '440');
  });

  it('answers the calls of the contract', async () => {
    const { client } = running;
    const { address } = await client.sandboxAddress({ currency: 'BTC' });
    const paid = await client.sandboxPay({ currency: 'BTC', to: address, amount: '0.015' });
    assert.match(paid.txid, /^[0-9a-f]{64}$/);
    assert.deepEqual(paid.paid, { amount: '0.015', currency: 'BTC' });
    const { height } = await client.sandboxMine({ chain: 'bitcoin', blocks: 2 });
    assert.deepEqual(await client.sandboxBalance({ currency: 'BTC', account: address }), {
      amount: '0.01500000',
      currency: 'BTC',
    });
    assert.deepEqual(await client.sandboxReorg({ chain: 'bitcoin', depth: 2, drop: true }), { height: height + 1 });
    assert.equal((await client.sandboxBalance({ currency: 'BTC', account: address })).amount, '0.00000000');
  });

  it('pays the due amount of an order, by its token', async () => {
    const { client } = running;
    payTo = (await client.sandboxAddress({ currency: 'BTC' })).address;
    const paid = await client.sandboxPay({ order_id: 'KX-7F3Q-2M8C', token: 'a'.repeat(40) });
    assert.equal(paid.paid.amount, '0.01');
    await client.sandboxPay({ order_id: 'KX-7F3Q-2M8C', token: 'a'.repeat(40), amount: '0.002' });
    assert.equal((await client.sandboxBalance({ currency: 'BTC', account: payTo })).amount, '0.01200000');
    await assert.rejects(
      client.sandboxPay({ order_id: 'KX-7F3Q-2M8C', token: 'b'.repeat(40) }),
      (error) => error instanceof CallError && error.code === 'order_not_found',
    );
    const over = { order_id: 'KX-7F3Q-2M8C', token: 'c'.repeat(40) };
    await assert.rejects(
      client.sandboxPay(over),
      (error) => error instanceof CallError && error.code === 'nothing_due' && error.status === 409,
    );
    await client.sandboxPay({ ...over, currency: 'BTC', to: payTo, amount: '0.003' });
    assert.equal((await client.sandboxBalance({ currency: 'BTC', account: payTo })).amount, '0.01500000', 'late, all the same');
  });

  it('refuses wrong input by field, and pays nothing', async () => {
    const { client } = running;
    const { address: to } = await client.sandboxAddress({ currency: 'BTC' });
    const wrong: [object, string][] = [
      [{ currency: 'BTC', to, amount: '1e-7' }, 'amount'],
      [{ currency: 'BTC', to, amount: '-1' }, 'amount'],
      [{ currency: 'BTC', to, amount: '0' }, 'amount'],
      [{ currency: 'BTC', to, amount: '0.000000001' }, 'amount'],
      [{ currency: 'BTC', to, amount: '21000000' }, 'amount'],
      [{ currency: 'BTC', to: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', amount: '1' }, 'to'],
      [{ currency: 'DOGE', to, amount: '1' }, 'currency'],
      [{ currency: 'BTC', to }, 'amount'],
      [{}, 'currency'],
    ];
    for (const [input, field] of wrong) {
      await assert.rejects(
        client.sandboxPay(input),
        (error) => error instanceof CallError && error.status === 422 && field in error.errors,
        JSON.stringify(input),
      );
    }
    assert.equal((await client.sandboxBalance({ currency: 'BTC', account: to })).amount, '0.00000000');
    const body = await fetch(`${running.reported.site}/api/v1/sandbox/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    assert.equal(body.status, 422);
  });

  it('has faults and tricks on the control port only', async () => {
    const { reported, client } = running;
    await client.sandboxFaults({ rail: 'bitcoin', errors: 1 });
    assert.equal((await fetch(`${reported.site}/sandbox/bitcoin/blocks/tip/height`)).status, 503);
    assert.ok(await client.sandboxAddress({ currency: 'BTC' }), 'the sandbox’s own calls never misbehave');
    await client.sandboxFaults({ rail: 'bitcoin' });
    assert.equal((await fetch(`${reported.site}/sandbox/bitcoin/blocks/tip/height`)).status, 200);
    for (const path of ['/fund', '/ready', '/bitcoin/double-spend'])
      assert.equal((await fetch(reported.site + path)).status, 404);
  });

  it('has markets with faults and shifts, too', async () => {
    const { reported, client } = running;
    const ask = (): Promise<Response> => fetch(`${reported.site}/sandbox/rates/coinbase/products/BTC-USD/ticker`);
    const price = async (): Promise<number> => Number(((await (await ask()).json()) as { price: string }).price);
    await client.sandboxFaults({ rail: 'rates', errors: 1 });
    assert.equal((await ask()).status, 503);
    await client.sandboxFaults({ rail: 'rates' });
    const before = await price();
    await fetch(`${reported.control}/rates/move`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ asset: 'BTC', millionths: 50_000 }),
    });
    // The walk itself moves by less than a thousandth within the test.
    assert.ok(Math.abs((await price()) / before - 1.05) < 0.001);
    await assert.rejects(client.sandboxFaults({ rail: 'none' }), (error) => error instanceof CallError && error.status === 422);
  });

  it('leads to the first page of the shop, whose form works there', async () => {
    const { url, ok } = await fetch(`${running.reported.site}/sandbox/shop`);
    assert.deepEqual([new URL(url).pathname, ok], ['/sandbox/shop/', true]);
    const page = await fetch(new URL('order', url), { method: 'POST', body: new URLSearchParams({ good: 'Teapot' }) });
    assert.match(await page.text(), /Give the shop a store/);
  });

  it('shows received mails', async () => {
    const { reported, client } = running;
    await sendMail(Number.parseInt(new URL(reported.smtp).port, 10), ['b@example.org'], 'Subject: Your code\r\n\r\n123456');
    assert.deepEqual(
      (await client.sandboxMail({ to: 'b@example.org' })).map(({ subject, text }) => [subject, text]),
      [['Your code', '123456']],
    );
    assert.deepEqual(await client.sandboxMail({ to: 'c@example.org' }), []);
    const page = await (await fetch(`${reported.site}/sandbox/mail?to=b@example.org`)).text();
    assert.match(page, /Your code[\s\S]*123456/);
  });

  it('has the same state after kill -9, and ends cleanly on a signal', async () => {
    const { client } = running;
    const { address } = await client.sandboxAddress({ currency: 'BTC' });
    await client.sandboxPay({ currency: 'BTC', to: address, amount: '1' });
    await client.sandboxMine({ chain: 'bitcoin' });
    const waiting = await client.sandboxPay({ currency: 'BTC', to: address, amount: '2' });
    await kill(running.child, 'SIGKILL');
    running = await start({ KURS_DATA: folder });
    assert.equal((await running.client.sandboxBalance({ currency: 'BTC', account: address })).amount, '3.00000000');
    const status = await fetch(`${running.reported.site}/sandbox/bitcoin/tx/${waiting.txid}/status`);
    assert.deepEqual(await status.json(), { confirmed: false });
    assert.equal((await running.client.sandboxMail({ to: 'b@example.org' })).length, 1);
    assert.equal(await kill(running.child, 'SIGTERM'), 0);
    running = await start({ KURS_DATA: folder });
    const gone = once(running.child, 'exit');
    running.child.disconnect();
    assert.deepEqual(await gone, [0, null], 'it ends with its parent');
    running = await start({ KURS_DATA: folder });
  });
});
