import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, describe, it } from 'node:test';
import { type Esplora, type Transaction, openEsplora, Unreachable } from './client.ts';
import { bitcoin } from './config.ts';
import { observe } from './observed-payments.ts';

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
const ADDRESS = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';

describe('reading Esplora', () => {
  let answers: Record<string, string | number | RequestListener>;
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const answer = answers[path];
    if (typeof answer === 'function') return answer(request, response);
    if (typeof answer === 'string') return response.end(answer);
    response.statusCode = answer ?? 404;
    return response.end(answer === undefined ? 'Transaction not found' : 'no');
  });
  const ready = new Promise<Esplora>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(openEsplora(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 300)));
  });
  beforeEach(() => {
    answers = {};
    requests.length = 0;
  });
  after(() => void server.close());

  it('reads the documented messages to the satoshi', async () => {
    const esplora = await ready;
    answers = {
      [`/address/${ADDRESS}/txs`]: fixture('address-txs.json'),
      [`/address/${ADDRESS}/utxo`]: fixture('address-utxo.json'),
      '/fee-estimates': fixture('fee-estimates.json'),
      '/tx/aa/outspend/1': fixture('outspend.json'),
      '/blocks/tip/height': '902533',
      '/block-height/902533': '00000000000000000001a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5',
    };
    const [waiting, mined] = (await esplora.newest(ADDRESS)).transactions;
    assert.deepEqual(
      waiting?.vout.map((output) => output?.value),
      [1_500_000n, 0n, 1_097_180n],
    );
    assert.equal(waiting?.fee, 2820n);
    assert.deepEqual(
      mined?.vin.map(({ prevout }) => prevout),
      [null],
    );
    assert.deepEqual(
      (await esplora.unspent(ADDRESS)).map(({ value, status }) => [value, status.confirmed]),
      [
        [1_500_000n, false],
        [312_500_000n, true],
      ],
    );
    const estimates = await esplora.feeEstimates();
    assert.deepEqual([estimates.get(2), estimates.get(6), estimates.get(1008)], [87_882n, 68_285n, 1027n]);
    assert.deepEqual(await esplora.spending('aa', 1), { spent: true, txid: waiting?.txid, status: { confirmed: false } });
    assert.equal(await esplora.tipHeight(), 902_533);
    assert.match(await esplora.blockHash(902_533), /^0{19}1a0b1/);
    assert.equal(await esplora.transaction('bb'), undefined);
    assert.equal(await esplora.raw('bb'), undefined);
  });

  it('returns a payment for every output, replaceable if it signals so', async () => {
    const esplora = await ready;
    const parent = JSON.parse(fixture('address-txs.json'))[1];
    const spent = '41b8c7d6e5f4030211203f4e5d6c7b8a99a8b7c6d5e4f30211203f4e5d6c7b8a';
    answers = {
      '/block-height/902532': parent.status.block_hash,
      '/blocks/tip/height': '902533',
      '/fee-estimates': fixture('fee-estimates.json'),
      [`/address/${ADDRESS}/txs`]: fixture('address-txs.json'),
      [`/tx/${spent}`]: JSON.stringify({ ...parent, txid: spent }),
      [`/tx/${spent}/outspend/1`]: fixture('outspend.json'),
      '/block-height/902533': 'a'.repeat(64),
      [`/address/${ADDRESS}/txs/chain/${parent.txid}`]: '[]',
    };
    const config = bitcoin({ esplora: '', network: 'mainnet' });
    const observedPayments = await observe(esplora, config, [{ currency: 'BTC', to: ADDRESS, sinceHeight: 0 }]);
    const id = '9a1f5e7c0b3d42866ae1c54f7d2098be13f0a6c7d5e4b3928170615243342516';
    assert.deepEqual(
      observedPayments.map(({ key, parts }) => [key, parts]),
      [
        [`${id}:0`, 1_500_000n],
        [`${id}:2`, 1_097_180n],
        ['5c0d4e3f2a1b09f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a3928170:0', 312_500_000n],
      ],
    );
    // 2820 satoshi for 156 vB are 18 sat/vB; 6 blocks need 68.285.
    assert.deepEqual(observedPayments[0]?.status, { at: 'mempool', isReplaceable: true, isFeeOk: false });
    assert.deepEqual(observedPayments[0]?.from, ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']);
    const mined = observedPayments[2]?.status;
    // A block reward, two blocks deep: it has no confirmations until it is a hundred blocks deep.
    assert.ok(mined?.at === 'block' && mined.confirmations === 0 && !mined.isFinalised);
    assert.equal(mined.minedAt.toISOString(), '2025-07-01T00:00:00.000Z');
  });

  it('returns the id to page on from, even if the last row can’t be read', async () => {
    const esplora = await ready;
    const [waiting, mined] = JSON.parse(fixture('address-txs.json')) as [object, { txid: string }];
    const odd = { ...mined, txid: 'b'.repeat(64), vin: 7 };
    answers = {
      [`/address/${ADDRESS}/txs`]: JSON.stringify([waiting, mined, odd]),
      [`/address/${ADDRESS}/txs/chain/${odd.txid}`]: '[]',
      [`/address/${ADDRESS}/txs/chain`]: JSON.stringify([mined]),
    };
    const page = await esplora.newest(ADDRESS);
    assert.deepEqual([page.transactions.length, page.last], [2, odd.txid]);
    assert.deepEqual(await esplora.mined(ADDRESS, odd.txid), { transactions: [], last: undefined });
    assert.equal((await esplora.mined(ADDRESS, '')).last, mined.txid);
  });

  it('treats an answer of another shape as none', async () => {
    const esplora = await ready;
    for (const text of ['<html>busy</html>', '{}', '7']) {
      answers = { [`/address/${ADDRESS}/txs`]: text, '/fee-estimates': text === '{}' ? '[]' : text };
      await assert.rejects(esplora.newest(ADDRESS), Unreachable, text);
      await assert.rejects(esplora.feeEstimates(), Unreachable, text);
    }
    for (const path of ['/blocks/tip/height', '/fee-estimates']) {
      answers = { [path]: 500 };
      await assert.rejects(path === '/fee-estimates' ? esplora.feeEstimates() : esplora.tipHeight(), Unreachable);
    }
    answers = { '/tx': 503, '/tx/aa': 429 };
    await assert.rejects(esplora.broadcast('00'), Unreachable);
    await assert.rejects(esplora.transaction('aa'), Unreachable);
  });

  it('leaves out impossible values, and reads the rest', async () => {
    const esplora = await ready;
    const [first, second] = JSON.parse(fixture('address-txs.json')) as [{ vout: object[] }, { status: object }];
    const rows = async (...changes: object[]): Promise<readonly Transaction[]> => {
      answers = { [`/address/${ADDRESS}/txs`]: JSON.stringify([...changes.map((change) => ({ ...first, ...change })), second]) };
      return (await esplora.newest(ADDRESS)).transactions;
    };
    for (const change of [
      { txid: '00' },
      { vin: {} },
      { vout: 1 },
      { status: { confirmed: true } },
      { status: { confirmed: 1 } },
    ]) {
      assert.equal((await rows(change)).length, 1, `${JSON.stringify(change)}: the row is left out`);
    }
    for (const value of [1.5, '1500000', 2 ** 60, -1, null, 2_100_000_000_000_001]) {
      const [row] = await rows({ vout: [{ ...first.vout[0], value }, first.vout[2]] });
      assert.deepEqual(
        row?.vout.map((output) => output?.value),
        [undefined, 1_097_180n],
        `${value}: the output is no money`,
      );
    }
    const [bare] = await rows({ fee: -1, weight: 0 });
    assert.deepEqual([bare?.fee, bare?.weight, bare?.vout.length], [undefined, undefined, 3], 'a payment can do without them');
    for (const time of [undefined, 0, -1, 1.5, '1', 1e15]) {
      answers = { [`/address/${ADDRESS}/txs`]: JSON.stringify([{ ...second, status: { ...second.status, block_time: time } }]) };
      const [row] = (await esplora.newest(ADDRESS)).transactions;
      assert.ok(row?.status.confirmed && row.status.block_time === undefined, `${time} is no time`);
    }
    answers = { '/fee-estimates': JSON.stringify({ 1: 0, 2: -1, 3: '5.5', 4: 1e9, 5: null, 6: 7.5, x: 3 }) };
    assert.deepEqual([...(await esplora.feeEstimates())], [[6, 7500n]]);
    answers = { [`/address/${ADDRESS}/utxo`]: JSON.stringify([...JSON.parse(fixture('address-utxo.json')), { txid: 'x' }]) };
    assert.equal((await esplora.unspent(ADDRESS)).length, 2);
  });

  it('gives up on silence, endless answers and redirects', async () => {
    const esplora = await ready;
    answers = { '/blocks/tip/height': () => undefined };
    const begin = performance.now();
    await assert.rejects(esplora.tipHeight(), Unreachable);
    assert.ok(performance.now() - begin < 2000);
    answers['/blocks/tip/height'] = (_request, response) => {
      response.end(Buffer.alloc(21_000_000, '1'));
    };
    await assert.rejects(esplora.tipHeight(), Unreachable);
    answers['/blocks/tip/height'] = (_request, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    };
    answers['/elsewhere'] = '7';
    await assert.rejects(esplora.tipHeight(), Unreachable);
    answers['/tx'] = (_request, response) => {
      response.writeHead(400).end('sendrawtransaction RPC error: {"code":-25,"message":"bad-txns-inputs-missingorspent"}');
    };
    assert.deepEqual(await esplora.broadcast('00'), {
      ok: false,
      message: 'sendrawtransaction RPC error: {"code":-25,"message":"bad-txns-inputs-missingorspent"}',
    });
  });
});
