import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recoverAddress } from 'viem/utils';
import { type SignRequest, Unreadable } from '../signer.ts';
import { depositAddresses, fromHex } from './address.ts';
import { tron } from './config.ts';
import { tronPublicKeys, tronSigning } from './signing.ts';
import { type Transfer, decodeSigned, encodeTransfer, idOf, spendOf } from './transaction.ts';
import { SEED } from './world.testing.ts';

const KEYS = tronPublicKeys(SEED);
const CONFIG = tron({ api: 'http://127.0.0.1:1' });
const USDT = CONFIG.tokens[0]?.contract as string;
const CUSTOMER = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
const deposit = depositAddresses(KEYS.xpub);
const signing = tronSigning(SEED, CONFIG);

const transfer = (more: Partial<Transfer> = {}): Transfer => ({
  owner: KEYS.hot,
  contract: USDT,
  to: CUSTOMER,
  value: 12_340_000n,
  feeLimit: 15_000_000n,
  refBytes: '0a1b',
  refHash: '0011223344556677',
  expiration: 1_790_000_060_000n,
  timestamp: 1_790_000_000_000n,
  ...more,
});
const coin = (more: Partial<Transfer> = {}): Transfer => {
  const { contract: _contract, ...rest } = transfer({ feeLimit: 0n, ...more });
  return rest;
};
const ask = (what: Transfer, more: Partial<SignRequest> = {}): SignRequest => ({
  rail: 'tron',
  unsigned: encodeTransfer(what),
  payouts: [],
  purpose: 'payout',
  ...more,
});

test('derives the keys of m/44’/195’', () => {
  assert.equal(deposit(0), 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH');
  assert.notEqual(KEYS.hot, deposit(0));
});

test('reads a payout from its bytes: receiver, sum, highest fee, and itself as its only spend', () => {
  const request = ask(transfer());
  const read = signing.read(request);
  assert.deepEqual(read.outputs, [{ currency: 'USDT_TRC20', to: CUSTOMER, parts: 12_340_000n }]);
  assert.deepEqual(read.spends, [spendOf(transfer(), idOf(request.unsigned))]);
  assert.equal(read.fee.currency, 'TRX');
  assert.ok(read.fee.parts > 15_000_000n && read.fee.parts < 17_000_000n);
  assert.deepEqual(signing.read(ask(coin())).outputs, [{ currency: 'TRX', to: CUSTOMER, parts: 12_340_000n }]);
  assert.equal(signing.account('TRX', { address: ` ${CUSTOMER}` }), CUSTOMER);
});

test('reads a sweep from an address to the hot wallet, and fuel from the hot wallet to an address', () => {
  const tokens = signing.read(ask(transfer({ owner: deposit(9), to: KEYS.hot }), { purpose: 'sweep', index: 9 }));
  assert.equal(tokens.outputs[0]?.own, 'hot');
  const sun = signing.read(ask(coin({ owner: deposit(9), to: KEYS.hot }), { purpose: 'sweep', index: 9 }));
  assert.deepEqual(sun.outputs, [{ currency: 'TRX', to: KEYS.hot, parts: 12_340_000n, own: 'hot' }]);
  const fuel = signing.read(ask(coin({ to: deposit(9) }), { purpose: 'fuel', index: 9 }));
  assert.deepEqual(fuel.outputs, [{ currency: 'TRX', to: deposit(9), parts: 12_340_000n, own: 'deposit' }]);
});

test('refuses bytes that don’t fit their purpose', () => {
  const refused: [string, SignRequest][] = [
    ['a sweep to a customer', ask(transfer({ owner: deposit(9) }), { purpose: 'sweep', index: 9 })],
    ['a sweep of the hot wallet', ask(transfer({ to: KEYS.hot }), { purpose: 'sweep', index: 9 })],
    ['a sweep without an index', ask(transfer({ owner: deposit(9), to: KEYS.hot }), { purpose: 'sweep' })],
    ['a payout from a deposit address', ask(transfer({ owner: deposit(9) }))],
    ['fuel to a customer', ask(coin(), { purpose: 'fuel', index: 9 })],
    ['fuel to another index', ask(coin({ to: deposit(8) }), { purpose: 'fuel', index: 9 })],
    ['the whole wallet as fuel', ask(coin({ to: deposit(9), value: 10n ** 12n }), { purpose: 'fuel', index: 9 })],
    ['tokens as fuel', ask(transfer({ to: deposit(9) }), { purpose: 'fuel', index: 9 })],
    ['another contract', ask(transfer({ contract: fromHex(`41${'fa'.repeat(20)}`) }))],
    ['a sum of zero', ask(transfer({ value: 0n }))],
    ['TRX with a limit of energy', ask(coin({ feeLimit: 1n }))],
    ['valid for a day', ask(transfer({ expiration: 1_790_086_400_000n }))],
    ['a memo', { ...ask(coin()), unsigned: `${encodeTransfer(coin())}5201ff` }],
  ];
  for (const [words, request] of refused) assert.throws(() => signing.read(request), Unreadable, words);
});

test('signs exactly the unsigned bytes, by the key of the purpose, always with the same signature', async () => {
  const cases: [SignRequest, string][] = [
    [ask(transfer()), KEYS.hot],
    [ask(transfer({ owner: deposit(9), to: KEYS.hot }), { purpose: 'sweep', index: 9 }), deposit(9)],
    [ask(coin({ to: deposit(9) }), { purpose: 'fuel', index: 9 }), KEYS.hot],
  ];
  for (const [request, from] of cases) {
    const { raw, txid } = await signing.sign(request);
    const halves = decodeSigned(raw);
    assert.equal(halves.raw, request.unsigned);
    assert.equal(txid, idOf(request.unsigned));
    const signer = await recoverAddress({ hash: `0x${txid}`, signature: `0x${halves.signature}` });
    assert.equal(fromHex(`41${signer.slice(2).toLowerCase()}`), from);
    assert.equal((await signing.sign(request)).raw, raw);
    assert.throws(() => signing.read({ ...request, unsigned: raw }), Unreadable, 'signed already');
  }
});

test('gives the same signature as tronweb', async () => {
  // Made by tronweb 6.5.1: `trx.sign` of the transfer in transaction.test.ts with the key of m/44'/195'/0'/0/0.
  const what = coin({ owner: deposit(0), to: fromHex(`41${'11'.repeat(20)}`), value: 1_234_567n });
  const { raw } = await signing.sign(ask(what, { purpose: 'sweep', index: 0 }));
  assert.equal(
    decodeSigned(raw).signature,
    'abb43f242d29a1f7e2d9dd6856f393c9da3de11348bd04976ac6545b1934577e3d851f66148c046b0f4a0cecd6ed4339a497c2db0cd4089f0d8685d4ce6b489f1b',
  );
});

test('calls no transaction over while the chain doesn’t answer', async () => {
  await assert.rejects(async () => signing.isOver?.([spendOf(transfer(), '00'.repeat(32))]));
});
