import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mnemonicToSeedSync } from '@scure/bip39';
import type { Address } from 'viem';
import { parseTransaction, serializeTransaction, keccak256, recoverAddress } from 'viem/utils';
import { type SignRequest, Unreadable } from '../../signer.ts';
import { depositAddresses } from '../address.ts';
import { type EvmConfig, ethereum } from '../config.ts';
import { evmPublicKeys, evmSigning } from './signing.ts';
import { type Transfer, encodeTransfer } from './transaction.ts';

const SEED = mnemonicToSeedSync('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about');
const KEYS = evmPublicKeys(SEED);
const CONFIG = ethereum({ rpc: 'http://127.0.0.1:1', chainId: 1 });
const USDT = CONFIG.tokens[0]?.contract as Address;
const CUSTOMER: Address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const deposit = depositAddresses(KEYS.xpub);
const signing = evmSigning(SEED, CONFIG);

const transfer = (more: Partial<Transfer>): Transfer => ({
  chainId: 1,
  nonce: 4,
  gas: 65_000n,
  maxFeePerGas: 30n,
  maxPriorityFeePerGas: 1n,
  contract: USDT,
  to: CUSTOMER,
  value: 12_340_000n,
  ...more,
});
const ask = (what: Transfer, more: Partial<SignRequest> = {}): SignRequest => ({
  rail: 'evm',
  unsigned: encodeTransfer(what),
  payouts: [],
  purpose: 'payout',
  ...more,
});
const coin = (to: Address, value: bigint): Transfer => {
  const { contract: _contract, ...rest } = transfer({ to, value });
  return rest;
};

test('reads a payout from its bytes: receiver, amount in minor units, nonce of the hot wallet, maximum fee', () => {
  assert.deepEqual(signing.read(ask(transfer({}))), {
    outputs: [{ currency: 'USDT_ERC20', to: CUSTOMER, parts: 12_340_000n }],
    spends: [`1:${KEYS.hot.toLowerCase()}:4`],
    fee: { currency: 'ETH', parts: 65_000n * 30n },
  });
  assert.equal(signing.account('USDT_ERC20', { address: CUSTOMER.toLowerCase() }), CUSTOMER);
});

test('reads a sweep from its address to the hot wallet, and fuel from the hot wallet to an address', () => {
  const sweep = signing.read(ask(transfer({ to: KEYS.hot as Address }), { purpose: 'sweep', index: 9 }));
  assert.equal(sweep.outputs[0]?.own, 'hot');
  assert.deepEqual(sweep.spends, [`1:${deposit(9).toLowerCase()}:4`]);
  const fuel = signing.read(ask(coin(deposit(9), 10n ** 15n), { purpose: 'fuel', index: 9 }));
  assert.deepEqual(fuel.outputs, [{ currency: 'ETH', to: deposit(9), parts: 10n ** 15n, own: 'deposit' }]);
  assert.deepEqual(fuel.spends, [`1:${KEYS.hot.toLowerCase()}:4`]);
});

test('refuses transactions whose form doesn’t fit their purpose', () => {
  const refused: [string, SignRequest][] = [
    ['a sweep to a customer', ask(transfer({}), { purpose: 'sweep', index: 9 })],
    ['a sweep without an index', ask(transfer({ to: KEYS.hot as Address }), { purpose: 'sweep' })],
    ['gas money to a customer', ask(coin(CUSTOMER, 1n), { purpose: 'fuel', index: 9 })],
    ['gas money to another address', ask(coin(deposit(8), 1n), { purpose: 'fuel', index: 9 })],
    ['the whole wallet as gas money', ask(coin(deposit(9), 10n ** 18n), { purpose: 'fuel', index: 9 })],
    ['tokens as gas money', ask(transfer({ to: deposit(9) }), { purpose: 'fuel', index: 9 })],
    ['a payout of no coin', ask(coin(CUSTOMER, 0n))],
    ['a sweep of coin to a customer', ask(coin(CUSTOMER, 1n), { purpose: 'sweep', index: 9 })],
    ['coin sent to the token’s contract', ask(coin(USDT, 1n))],
    ['another chain', ask(transfer({ chainId: 56 }))],
    ['another contract', ask(transfer({ contract: CUSTOMER, to: deposit(1) }))],
    ['a payout of no tokens', ask(transfer({ value: 0n }))],
  ];
  for (const [words, request] of refused) assert.throws(() => signing.read(request), Unreadable, words);
});

test('reads payouts and sweeps of coin to the wei, and refuses them if the coin is no currency', () => {
  const payout = ask(coin(CUSTOMER, 10n ** 18n + 1n));
  assert.deepEqual(signing.read(payout).outputs, [{ currency: 'ETH', to: CUSTOMER, parts: 10n ** 18n + 1n }]);
  const sweep = ask(coin(KEYS.hot as Address, 7n), { purpose: 'sweep', index: 9 });
  assert.deepEqual(signing.read(sweep).outputs, [{ currency: 'ETH', to: KEYS.hot, parts: 7n, own: 'hot' }]);
  const { coin: _coin, ...rest } = CONFIG;
  const tokensOnly = evmSigning(SEED, rest);
  for (const request of [payout, sweep]) assert.throws(() => tokensOnly.read(request), Unreadable);
});

test('signs exactly the unsigned bytes, with the key of the purpose, and always the same way', async () => {
  const cases: [SignRequest, string][] = [
    [ask(transfer({})), KEYS.hot],
    [ask(transfer({ to: KEYS.hot as Address }), { purpose: 'sweep', index: 9 }), deposit(9)],
    [ask(coin(deposit(9), 5n), { purpose: 'fuel', index: 9 }), KEYS.hot],
  ];
  for (const [request, from] of cases) {
    const { raw, txid } = await signing.sign(request);
    const { r, s, yParity, ...rest } = parseTransaction(raw as `0x02${string}`);
    delete (rest as { v?: bigint }).v;
    assert.equal(serializeTransaction({ ...rest, type: 'eip1559' }), request.unsigned);
    assert.equal(keccak256(raw as `0x${string}`), txid);
    const signature = { r: r as `0x${string}`, s: s as `0x${string}`, yParity: yParity as number };
    assert.equal(await recoverAddress({ hash: keccak256(request.unsigned as `0x${string}`), signature }), from);
    assert.equal((await signing.sign(request)).raw, raw);
    assert.throws(() => signing.read({ ...request, unsigned: raw }), Unreadable, 'signed already');
  }
});

test('reads a token of 18 decimals in minor units, and refuses an amount that isn’t whole in them', () => {
  const token = { ...CONFIG.tokens[0], code: 'USDT_BEP20', decimals: 18 } as EvmConfig['tokens'][number];
  const bsc = evmSigning(SEED, { ...CONFIG, id: 'bsc', native: 'BNB', tokens: [token] });
  const read = bsc.read({ ...ask(transfer({ value: 5n * 10n ** 12n })), rail: 'bsc' });
  assert.deepEqual(read.outputs, [{ currency: 'USDT_BEP20', to: CUSTOMER, parts: 5n }]);
  assert.equal(read.fee.currency, 'BNB');
  assert.throws(() => bsc.read(ask(transfer({ value: 5n * 10n ** 12n + 1n }))), Unreadable);
});
