import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { TronWeb } from 'tronweb';
import { Refused } from '../counterpart.ts';
import { type Tron, openTron } from './index.ts';

/** Drives the counterpart by the usual client library, unmodified. */

const ABI = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'who', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
  { type: 'function', name: 'symbol', stateMutability: 'view', inputs: [], outputs: [{ name: '', type: 'string' }] },
] as const;

const KEY = '11'.repeat(32);
const message = (hex: unknown): string => Buffer.from(String(hex), 'hex').toString();

describe('the counterpart, by tronweb', () => {
  let tron: Tron;
  let server: FastifyInstance;
  let web: TronWeb;
  let usdt = '';
  let me = '';
  before(async () => {
    tron = await openTron();
    server = fastify();
    await server.register(async (scope) => tron.mount(scope), { prefix: '/sandbox/tron' });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/sandbox/tron`;
    const reported = tron.environment(base);
    usdt = reported['KURS_USDT_TRC20'] ?? '';
    web = new TronWeb({ fullHost: reported['KURS_TRON_API'] ?? '', privateKey: KEY });
    me = TronWeb.address.fromPrivateKey(KEY) as string;
    await tron.fund({ currency: 'TRX', to: me, amount: '1000' });
    await tron.fund({ currency: 'USDT_TRC20', to: me, amount: '500' });
  });
  after(async () => {
    await server.close();
    await tron.close();
  });

  it('sends TRX: the activation of a new account costs 1.1 TRX, and only the solid view waits', async () => {
    const to = await tron.address('TRX');
    assert.equal(await web.trx.getUnconfirmedBalance(to), 0);
    const before_ = await web.trx.getUnconfirmedBalance(me);
    const sent = await web.trx.sendTransaction(to, 5_000_000);
    assert.equal(sent.result, true);
    const id = sent.transaction.txID;
    assert.deepEqual(await web.trx.getUnconfirmedTransactionInfo(id), {}, 'in no block yet');
    await tron.mine(1);
    assert.equal(await web.trx.getUnconfirmedBalance(to), 5_000_000);
    assert.equal(before_ - (await web.trx.getUnconfirmedBalance(me)), 5_000_000 + 1_100_000);
    const info = await web.trx.getUnconfirmedTransactionInfo(id);
    assert.equal(info.fee, 1_100_000);
    assert.deepEqual(await web.trx.getTransactionInfo(id), {}, 'not solid');
    await tron.mine(18);
    assert.deepEqual(await web.trx.getTransactionInfo(id), {});
    await tron.mine(1);
    assert.equal((await web.trx.getTransactionInfo(id)).blockNumber, info.blockNumber);
    const confirmed = await web.trx.getConfirmedTransaction(id);
    assert.equal(confirmed.ret[0]?.contractRet, 'SUCCESS');
  });

  it('sends tokens through the contract’s interface, and reads it', async () => {
    const contract = web.contract(ABI, usdt);
    const to = await tron.address('USDT_TRC20');
    assert.equal(await contract.methods.symbol().call(), 'USDT');
    const id = String(await contract.methods.transfer(to, 12_340_000).send({ feeLimit: 50_000_000 }));
    await tron.mine(1);
    assert.equal(`${await contract.methods.balanceOf(to).call()}`, '12340000');
    const info = await web.trx.getUnconfirmedTransactionInfo(id);
    assert.equal(info.receipt.result, 'SUCCESS');
    assert.equal(info.log[0]?.address, TronWeb.address.toHex(usdt).slice(2));
    const estimate = await web.transactionBuilder.triggerConstantContract(usdt, 'transfer(address,uint256)', {}, [
      { type: 'address', value: to },
      { type: 'uint256', value: 1 },
    ]);
    assert.equal(estimate.energy_used, 64_285, 'half of what a new holder takes');
    assert.equal(info.receipt.energy_usage_total, 130_285);
  });

  it('mines calls that revert or lack energy, and charges their fee', async () => {
    const contract = web.contract(ABI, usdt);
    const to = await tron.address('USDT_TRC20');
    for (const [sum, feeLimit, result] of [
      [10 ** 12, 50_000_000, 'REVERT'],
      [1_000_000, 1_000_000, 'OUT_OF_ENERGY'],
    ] as const) {
      const id = String(await contract.methods.transfer(to, sum).send({ feeLimit }));
      await tron.mine(1);
      const info = await web.trx.getUnconfirmedTransactionInfo(id);
      assert.equal(info.receipt.result, result);
      assert.equal(info.log, undefined);
      assert.ok(info.fee > 300_000);
    }
    assert.equal(await tron.balance('USDT_TRC20', to), '0.000000');
  });

  it('refuses invalid transactions with a node’s codes', async () => {
    const to = await tron.address('TRX');
    const made = await web.transactionBuilder.sendTrx(to, 1_000_000, me);
    const signed = await web.trx.sign(made, KEY);
    assert.equal((await web.trx.sendRawTransaction(signed)).result, true);
    assert.equal((await web.trx.sendRawTransaction(signed)).code, 'DUP_TRANSACTION_ERROR');
    await tron.mine(1);
    assert.equal((await web.trx.sendRawTransaction(signed)).code, 'DUP_TRANSACTION_ERROR');

    const second = await web.transactionBuilder.sendTrx(to, 2_000_000, me);
    assert.equal((await web.trx.sendRawTransaction({ ...second, signature: signed.signature })).code, 'SIGERROR');
    const changed = { ...(await web.trx.sign(second, KEY)), txID: 'ff'.repeat(32) };
    assert.equal((await web.trx.sendRawTransaction(changed)).code, 'OTHER_ERROR', 'the id is the hash of the bytes');

    const late = await web.trx.sign(await web.transactionBuilder.sendTrx(to, 3_000_000, me), KEY);
    await tron.tricks?.['skip']?.({ seconds: 61 });
    assert.equal((await web.trx.sendRawTransaction(late)).code, 'TRANSACTION_EXPIRATION_ERROR');

    const much = await web.trx.sign(await web.transactionBuilder.sendTrx(to, 10 ** 12, me), KEY);
    const answer = await web.trx.sendRawTransaction(much);
    assert.equal(answer.code, 'CONTRACT_VALIDATE_ERROR');
    assert.match(message(answer.message), /balance is not sufficient/);

    await tron.mine(3);
    const unallocated = await web.trx.sign(await web.transactionBuilder.sendTrx(to, 4_000_000, me), KEY);
    await tron.reorg(3, true);
    assert.equal((await web.trx.sendRawTransaction(unallocated)).code, 'TAPOS_ERROR', 'the block it builds upon is gone');
  });
});

const payment = (currency: string, to: string, amount: string) => ({
  currency,
  to,
  amount,
  fee: 'normal' as const,
  isReplaceable: false,
});

test('it funds, pays and returns balances in exact decimals, and refuses impossible payments', async () => {
  const tron = await openTron();
  const to = await tron.address('TRX');
  await tron.fund({ currency: 'TRX', to, amount: '1000000.000001' });
  assert.equal(await tron.balance('TRX', to), '1000000.000001');
  const { txid, from } = await tron.pay(payment('USDT_TRC20', to, '0.000001'));
  assert.notEqual(from, to);
  assert.equal(await tron.balance('USDT_TRC20', to), '0.000001', 'waiting counts');
  assert.equal(tron.chain.mined(txid), undefined);
  await tron.mine(1);
  assert.equal(tron.chain.mined(txid)?.outcome.result, 'SUCCESS');
  const refused = (field: string) => (error: unknown) => error instanceof Refused && error.field === field;
  await assert.rejects(tron.pay(payment('TRX', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '1')), refused('to'));
  await assert.rejects(tron.pay(payment('TRX', to, '0.0000001')), refused('amount'));
  await assert.rejects(tron.balance('BTC', to), refused('currency'));
  await assert.rejects(tron.reorg(20, false), refused('depth'));
  await tron.close();
});

test('blocks come automatically while there is work, and slowly once the newest transaction is deep', async () => {
  const tron = await openTron({ blockMs: 2 });
  const { txid } = await tron.pay(payment('TRX', await tron.address('TRX'), '1'));
  while (!tron.chain.mined(txid)) await new Promise((done) => setTimeout(done, 5));
  const at = tron.chain.mined(txid)?.block.number ?? 0;
  await new Promise((done) => setTimeout(done, 300));
  assert.equal(tron.chain.height, at + 25);
  await tron.close();
});

test('the chain, a reorg in it, its keys and a waiting payment survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurs-tron-'));
  after(() => rmSync(folder, { recursive: true }));
  const first = await openTron({ folder });
  const to = await first.address('TRX');
  const mined = await first.pay(payment('USDT_TRC20', to, '5'));
  await first.mine(3);
  await first.reorg(2, true);
  await first.tricks?.['block']?.({ account: await first.address('TRX') });
  const waiting = await first.pay(payment('USDT_TRC20', to, '7'));
  const tip = first.chain.block(first.chain.height)?.id;
  const { height } = first.chain;
  await first.close();

  const second = await openTron({ folder });
  assert.equal(second.chain.block(height)?.id, tip);
  assert.equal(second.chain.mined(mined.txid)?.outcome.result, 'SUCCESS');
  assert.equal(second.chain.mined(waiting.txid)?.block.number, height + 1, 'mined by the first block of the next run');
  assert.equal(await second.balance('USDT_TRC20', to), '12.000000');
  assert.notEqual(await second.address('TRX'), to);
  await second.close();
});
