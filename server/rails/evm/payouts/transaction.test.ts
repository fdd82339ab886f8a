import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Address } from 'viem';
import { getAddress, serializeTransaction } from 'viem/utils';
import { type Transfer, decodeTransfer, encodeTransfer, lastNonce, nonceSpend, transferData } from './transaction.ts';

const USDT: Address = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const TO: Address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`));
const transfers: fc.Arbitrary<Transfer> = fc
  .record({
    chainId: fc.integer({ min: 1, max: 100_000 }),
    nonce: fc.nat(1_000_000),
    gas: fc.bigInt(21_000n, 1_000_000n),
    maxFeePerGas: fc.bigInt(10n ** 9n, 10n ** 12n),
    maxPriorityFeePerGas: fc.bigInt(0n, 10n ** 9n),
    isToken: fc.boolean(),
    to: address,
    value: fc.bigInt(0n, 2n ** 128n),
  })
  .map(({ isToken, ...rest }) => (isToken ? { ...rest, contract: USDT } : rest));

test('decodes each encoded transfer completely', () => {
  fc.assert(fc.property(transfers, (transfer) => assert.deepEqual(decodeTransfer(encodeTransfer(transfer), [USDT]), transfer)));
});

test('refuses any transaction that we would not have written', () => {
  const fees = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n, gas: 60_000n, nonce: 3, chainId: 1 };
  const write = (more: object): string => serializeTransaction({ type: 'eip1559', ...fees, ...more });
  const data = transferData(TO, 5n);
  const cases: [string, string][] = [
    ['bytes after the call', write({ to: USDT, data: `${data}00` })],
    ['coin beside the call', write({ to: USDT, data, value: 1n })],
    ['another contract', write({ to: TO, data })],
    ['another function', write({ to: USDT, data: data.replace('a9059cbb', '095ea7b3') })],
    ['an access list', write({ to: USDT, data, accessList: [{ address: TO, storageKeys: [] }] })],
    ['a deployment', write({ data })],
    ['plain coin to the contract', write({ to: USDT, value: 1n })],
    ['extra bits above an address', write({ to: USDT, data: `${data.slice(0, 10)}1${data.slice(11)}` })],
    [
      'an older type',
      serializeTransaction({ type: 'legacy', gasPrice: 10n, gas: 60_000n, nonce: 3, chainId: 1, to: USDT, data }),
    ],
    ['no transaction', '0x02ff'],
    ['no bytes', 'hello'],
  ];
  assert.doesNotThrow(() => decodeTransfer(write({ to: USDT, data }), [USDT]));
  for (const [words, bytes] of cases) assert.throws(() => decodeTransfer(bytes, [USDT]), words);
});

test('finds an account’s last nonce among the spends of many', () => {
  const spends = [nonceSpend(1, TO, 7), nonceSpend(1, TO, 12), nonceSpend(1, USDT, 40), nonceSpend(10, TO, 50), 'abc:0'];
  assert.equal(lastNonce(spends, 1, TO), 12);
  assert.equal(lastNonce(spends, 2, TO), undefined);
});
