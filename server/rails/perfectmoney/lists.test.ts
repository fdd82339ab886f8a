import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Unreachable } from '../provider/index.ts';
import { PerfectMoneyRefusal, perfectMoneyClient } from './client.ts';
import { provider } from './index.ts';
import { listVouchers, momentOf } from './vouchers.ts';

const HEAD = 'Created,e-Voucher number,Activation code,Currency,Batch,Payer Account,Payee Account,Activated,Amount';

describe('Perfect Money’s lists and pages', () => {
  let answer: { status?: number; text: string } = { text: '' };
  const requests: URL[] = [];
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '', 'http://x'));
    response.statusCode = answer.status ?? 200;
    response.end(answer.text);
  });
  let settings = provider.settings.parse({ login: '1', passPhrase: 'p', accounts: { PMV_USD: 'U1234567', PMV_EUR: 'E7654321' } });
  before(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    settings = { ...settings, apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/acct` };
  });
  after(() => server.close());

  const list = () => listVouchers(perfectMoneyClient(settings), { number: '0123456789' });

  it('are read in the manual’s form', async () => {
    answer = { text: `${HEAD}\r\n11/22/26 14:05,0123456789,1234567890123456,EUR,77,U9,E7654321,11/22/26 14:06,12.50\r\n` };
    assert.deepEqual(await list(), [
      {
        ...{ number: '0123456789', code: '1234567890123456', currency: 'PMV_EUR', batch: '77', parts: 1_250n },
        ...{ payer: 'U9', payee: 'E7654321', activated: '11/22/26 14:06' },
      },
    ]);
    const url = requests.at(-1);
    assert.equal(url?.pathname, '/acct/evcsv.asp');
    assert.deepEqual([url?.searchParams.get('AccountID'), url?.searchParams.get('ev_number')], ['1', '0123456789']);
  });

  it('show a voucher in its own currency, even if the reference has another one', async () => {
    answer = { text: `${HEAD}\n11/22/26 14:05,0123456789,1234567890123456,EUR,77,U9,E7654321,11/22/26 14:06,12.50` };
    const rail = provider.open(settings, { reference: String, webhookUrl: '', siteUrl: (path: string) => path });
    const entry = { id: 'e', currency: 'PMV_USD', to: 'R', fields: { number: '0123456789', code: '1234567890123456' } };
    const [observedPayment] =
      (await rail.payin?.observe([{ currency: 'PMV_USD', to: 'R', sinceHeight: 0, entries: [entry] }])) ?? [];
    assert.deepEqual([observedPayment?.currency, observedPayment?.parts], ['PMV_EUR', 1_250n]);
    assert.ok(observedPayment?.status.at === 'block');
    assert.equal(observedPayment.status.minedAt.toISOString(), '2026-11-22T14:06:00.000Z');
  });

  it('are empty without records', async () => {
    for (const text of ['No Records Found.', `${HEAD}\r\nNo Records Found.`, HEAD]) {
      answer = { text };
      assert.deepEqual(await list(), [], text);
    }
  });

  it('throw for any other answer', async () => {
    const row = '11/22/26 14:05,0123456789,1234567890123456,USD,77,U9,U1234567,11/22/26 14:06';
    for (const text of ['', '<html>Just a moment…</html>', `${HEAD}\n${row}`, 'a,b,c']) {
      answer = { text };
      await assert.rejects(list(), Unreachable, text);
    }
    for (const odd of ['', '12,50x', '5.5.5']) {
      answer = { text: `${HEAD}\n${row},${odd}\n${row},7.00` };
      assert.deepEqual(
        (await list()).map(({ parts }) => parts),
        [700n],
        'a row with an invalid sum is left out',
      );
    }
    answer = { text: HEAD, status: 500 };
    await assert.rejects(list(), Unreachable);
  });

  it('tell errors from lists, and never reveal the URL', async () => {
    for (const text of ["<input name='ERROR' type='hidden' value='API is disabled'>", 'ERROR: API is disabled']) {
      answer = { text };
      await assert.rejects(list(), (error) => error instanceof PerfectMoneyRefusal && error.message === 'API is disabled');
    }
    answer = { text: '', status: 302 };
    await assert.rejects(
      list(),
      (error) => error instanceof Error && !/PassPhrase|127\.0\.0\.1:/.test(String(error.stack?.split('\n')[0])),
    );
  });

  it('have times in several forms', () => {
    const moments = ['11/22/26 14:05', '11/22/2026 2:05 PM', '11/22/26 14:05:09', '1/2/26 12:00 AM', '2026-11-22', '', '-'].map(
      (text) => momentOf(text)?.toISOString(),
    );
    assert.deepEqual(moments, [
      '2026-11-22T14:05:00.000Z',
      '2026-11-22T14:05:00.000Z',
      '2026-11-22T14:05:09.000Z',
      '2026-01-02T00:00:00.000Z',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
