import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mnemonicToSeedSync } from '@scure/bip39';
import { addressIn, checkAddress, depositAddresses, topicOf } from './address.ts';
import { evmPublicKeys } from './payouts/signing.ts';

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

/** Test vectors of EIP-55. */
const CHECKSUMMED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

const problem = (address: string): string => {
  const checked = checkAddress({ address }, [USDT]);
  return checked.ok ? 'ok' : checked.problem;
};

test('accepts the vectors of EIP-55 in any case, and returns them with their checksum', () => {
  for (const address of CHECKSUMMED) {
    const upper = `0x${address.slice(2).toUpperCase()}`;
    for (const spelling of [address, address.toLowerCase(), upper, `  ${address} `]) {
      const checked = checkAddress({ address: spelling }, []);
      assert.ok(checked.ok, spelling);
      assert.equal(checked.fields['address'], address);
      assert.equal(checked.key, address.toLowerCase());
    }
  }
});

test('reports a bad checksum for one wrong letter in a mixed-case address', () => {
  assert.equal(problem('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'), 'bad_checksum');
  assert.equal(problem('0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), 'bad_checksum');
  assert.equal(problem('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe0'), 'bad_checksum');
});

test('distinguishes empty texts, addresses of other networks and bad formats', () => {
  const cases: [string, string][] = [
    ['', 'empty'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'wrong_network'],
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'wrong_network'],
    ['BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU', 'wrong_network'],
    ['rb1qw508d6qejxtdg4y5r3zarvary0c5xw7kmmp8gd', 'wrong_network'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'wrong_network'],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'wrong_network'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA', 'bad_format'],
    ['5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'bad_format'],
    ['vitalik.eth', 'bad_format'],
  ];
  for (const [address, expected] of cases) assert.equal(problem(address), expected, address);
});

test('refuses an address that nobody can spend from as unusable', () => {
  const numbers = ['0', '1', '11', '100', 'dEaD', 'ffff'].map((digits) => `0x${digits.padStart(40, '0')}`);
  const rounds = [
    `0x${'E'.repeat(40)}`,
    '0xdead000000000000000042069420694206942069',
    '0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
  ];
  for (const address of [...numbers, ...rounds, USDT, USDT.toLowerCase()])
    assert.equal(problem(address.toLowerCase()), 'unusable', address);
  assert.equal(problem('0x000000000000000000000000000000000000dEaD'), 'unusable', 'with its checksum');
  assert.equal(problem(`0x${'10001'.padStart(40, '0')}`), 'ok');
  assert.equal(problem('0xdead00000000000000000000000000000000beef'), 'ok');
});

test('derives the well-known addresses of a test seed from the public key alone; the hot wallet is none of them', () => {
  const keys = evmPublicKeys(mnemonicToSeedSync('test test test test test test test test test test test junk'));
  assert.ok(keys.xpub.startsWith('xpub'));
  const deposit = depositAddresses(keys.xpub);
  assert.equal(deposit(0), '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  assert.equal(deposit(1), '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  const many = Array.from({ length: 50 }, (_, index) => deposit(index));
  assert.ok(!many.includes(keys.hot as `0x${string}`));
});

test('converts an address to a topic and back', () => {
  assert.equal(topicOf(USDT).length, 66);
  assert.equal(addressIn(topicOf(USDT)), USDT);
});
