import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import type { Counterpart } from '../counterpart.ts';
import { openPerfectMoney } from './index.ts';

describe('Perfect Money’s page, walked through like a browser does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-perfectmoney-'));
  let pm: Counterpart;
  let server: FastifyInstance;
  let base = '';
  let said: Record<string, unknown> = {};

  const start = async (): Promise<void> => {
    pm = await openPerfectMoney({ folder });
    server = fastify({ forceCloseConnections: true });
    await server.register(async (scope) => pm.mount(scope), { prefix: '/sandbox/perfectmoney' });
    await server.listen({ host: '127.0.0.1', port: 0 });
    base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/sandbox/perfectmoney`;
    said = { ...pm.provider?.({ base, pages: base }) };
  };
  before(start);
  after(async () => {
    await Promise.all([pm.close(), server.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const post = async (page: string, fields: Record<string, string>) => {
    const reply = await fetch(`${base}/${page}`, { method: 'POST', body: new URLSearchParams(fields) });
    return { status: reply.status, text: await reply.text() };
  };
  const api = async (page: string, fields: Record<string, string>): Promise<string> => {
    const query = { AccountID: String(said['login']), PassPhrase: String(said['passPhrase']), ...fields };
    return (await fetch(`${base}/acct/${page}.asp?${new URLSearchParams(query).toString()}`)).text();
  };
  const accounts = (): Record<string, string> => said['accounts'] as Record<string, string>;

  it('sells a voucher, which can be used once', async () => {
    const { status, text } = await post('buy', { currency: 'EUR', amount: '12.30' });
    assert.equal(status, 200);
    const [number = '', code = ''] = [/>(\d{10})</.exec(text)?.[1], />(\d{16})</.exec(text)?.[1]];
    assert.equal(await pm.balance('PMV_EUR', number), '12.30');
    const wrong = await post('activate', { number, code: '0'.repeat(16) });
    assert.deepEqual([wrong.status, /Invalid ev_number or ev_code/.test(wrong.text)], [400, true]);
    const used = await post('activate', { number: `${number.slice(0, 5)} ${number.slice(5)}`, code });
    assert.match(used.text, /12\.30 EUR/);
    assert.equal((await post('activate', { number, code })).status, 400);
  });

  it('answers as the manual says, also after a restart', async () => {
    await pm.fund({ currency: 'PMV_USD', to: '', amount: '100.00' });
    const made = await api('ev_create', { Payer_Account: accounts()['PMV_USD'] ?? '', Amount: '40' });
    assert.match(made, /<input name='VOUCHER_AMOUNT' type='hidden' value='40\.00'>/);
    assert.match(made, /<input name='PAYMENT_AMOUNT' type='hidden' value='40\.20'>/);
    const number = /name='VOUCHER_NUM' type='hidden' value='(\d{10})'/.exec(made)?.[1] ?? '';
    await Promise.all([pm.close(), server.close()]);
    await start();
    assert.match(
      await api('evcsv', { ev_number: number }),
      new RegExp(`^Created,e-Voucher number,.*\r\n.*,${number},\\d{16},USD,`),
    );
    assert.match(await api('balance', {}), /value='59\.80'/);
    assert.match(await api('balance', { PassPhrase: 'x' }), /name='ERROR'/);
    assert.match(await api('ev_remove', { ev_number: number }), /name='VOUCHER_AMOUNT' type='hidden' value='40\.00'/);
    assert.equal(await api('evcsv', { ev_number: number }), 'No Records Found.');
    assert.match(await api('ev_create', { Payer_Account: accounts()['PMV_USD'] ?? '', Amount: '100' }), /Not enough money/);
  });
});
