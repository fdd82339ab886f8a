import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddress, fromHex, toHex } from './address.ts';
import { readMessage, writeMessage } from './protobuf.ts';
import {
  type Transfer,
  bandwidthOf,
  decodeSigned,
  decodeTransfer,
  encodeSigned,
  encodeTransfer,
  idOf,
  readPayment,
  readSpend,
  spendOf,
} from './transaction.ts';

/** Expected bytes and ids, made by tronweb 6.5.1 (`utils.transaction`) from the same transactions. */
const OWNER = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH';
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const COMMON = {
  owner: OWNER,
  to: fromHex(`41${'11'.repeat(20)}`),
  refBytes: '0a1b',
  refHash: '0011223344556677',
  expiration: 1_790_000_060_000n,
  timestamp: 1_790_000_000_000n,
};
const COIN: Transfer = { ...COMMON, value: 1_234_567n, feeLimit: 0n };
const COIN_RAW =
  '0a020a1b2208001122334455667740e0acc5a28c345a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a1541c8599111f29c1e1e061265b4af93ea1f274ad78a12154111111111111111111111111111111111111111111887ad4b7080d8c1a28c34';
const COIN_ID = '35bfcca37c2cededd4edbf4a305268385841b5447ac01393d567da6a2aea4787';
const TOKENS: Transfer = { ...COMMON, contract: USDT, value: 25_500_000n, feeLimit: 15_634_200n };
const TOKENS_RAW =
  '0a020a1b2208001122334455667740e0acc5a28c345aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a1541c8599111f29c1e1e061265b4af93ea1f274ad78a121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb000000000000000000000000111111111111111111111111111111111111111100000000000000000000000000000000000000000000000000000000018519607080d8c1a28c349001989eba07';
const TOKENS_ID = '532a3bf98d9d43a930fc8277eedb5158c86d16ecdc24aa10819eeca35a98c503';

test('writes and reads both transfers with the same bytes and ids as tronweb', () => {
  assert.equal(encodeTransfer(COIN), COIN_RAW);
  assert.equal(idOf(COIN_RAW), COIN_ID);
  assert.equal(encodeTransfer(TOKENS), TOKENS_RAW);
  assert.equal(idOf(TOKENS_RAW), TOKENS_ID);
  assert.deepEqual(decodeTransfer(COIN_RAW), COIN);
  assert.deepEqual(decodeTransfer(TOKENS_RAW), TOKENS);
});

test('refuses bytes that it would not have written', () => {
  const fields = readMessage(COIN_RAW);
  const [, , , contract] = fields;
  const twice = writeMessage([...fields.slice(0, 4), contract as (typeof fields)[number], ...fields.slice(4)]);
  const refused: [string, string][] = [
    ['a memo', writeMessage([...fields.slice(0, 3), [10, 'ff'], ...fields.slice(3)])],
    ['two contracts', twice],
    ['a script', `${COIN_RAW}620100`],
    ['the order of fields', writeMessage(fields.toReversed())],
    ['cut off', COIN_RAW.slice(0, -2)],
    ['a TRC-10 token', COIN_RAW.replace('5a6708011263', '5a6708021263')],
    ['another call', TOKENS_RAW.replace('a9059cbb', '095ea7b3')],
    ['upper case', COIN_RAW.toUpperCase()],
    ['nothing', ''],
  ];
  for (const [words, raw] of refused) assert.throws(() => decodeTransfer(raw), Error, words);
});

test('reads a payment of TRX with any other fields, and nothing from other bytes', () => {
  const [bytes, hash, end, contract, time] = readMessage(COIN_RAW) as [
    [number, string],
    [number, string],
    [number, bigint],
    [number, string],
    [number, bigint],
  ];
  const withMemo = writeMessage([bytes, hash, end, [10, '68656c6c6f'], contract, time]);
  assert.deepEqual(readPayment(withMemo), { owner: OWNER, to: COMMON.to, value: 1_234_567n });
  assert.equal(readPayment(TOKENS_RAW), undefined);
  assert.equal(readPayment('ffff'), undefined);
});

test('joins and splits bytes and signature, and counts the bandwidth of both and the result', () => {
  const signature = 'ab'.repeat(65);
  assert.deepEqual(decodeSigned(encodeSigned(TOKENS_RAW, signature)), { raw: TOKENS_RAW, signature });
  assert.throws(() => decodeSigned(`${encodeSigned(TOKENS_RAW, signature)}1241${signature}`), Error, 'two signatures');
  assert.throws(() => decodeSigned(TOKENS_RAW), Error);
  // On the mainnet a transfer of USDT takes 345 bytes of bandwidth, and one of TRX takes 267 to 269, depending on its sum.
  assert.equal(bandwidthOf(TOKENS_RAW), 345n);
  assert.equal(bandwidthOf(COIN_RAW), 267n);
});

test('a spend names its owner, transaction and expiration', () => {
  const spend = spendOf(TOKENS, TOKENS_ID);
  assert.deepEqual(readSpend(spend), { owner: OWNER, txid: TOKENS_ID, expiration: COMMON.expiration });
  for (const other of ['', 'x:y:z', `1:0xabc:4`]) assert.throws(() => readSpend(other), Error);
});

test('checks an address by decoding it, and recognizes addresses of other networks', () => {
  assert.equal(toHex(USDT), '41a614f803b6fd780986a42c78ec9c7f77e6ded13c');
  const say = (address: string): string => {
    const checked = checkAddress({ address }, [USDT]);
    return checked.ok ? 'ok' : checked.problem;
  };
  assert.equal(say(` ${OWNER} `), 'ok');
  assert.equal(say(OWNER.toLowerCase()), 'bad_format');
  assert.equal(say('TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdh'), 'bad_checksum');
  assert.equal(say(USDT), 'unusable');
  assert.equal(say('TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'), 'unusable');
  assert.equal(say('41a614f803b6fd780986a42c78ec9c7f77e6ded13c'), 'bad_format');
  for (const other of [
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  ])
    assert.equal(say(other), 'wrong_network');
});
