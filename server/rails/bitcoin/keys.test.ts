import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mnemonicToSeedSync } from '@scure/bip39';
import { networkOf } from './config.ts';
import { bitcoinPublicKeys, CHANGE, openAccount, RECEIVE } from './keys.ts';

const seed = mnemonicToSeedSync('abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about');

it('derives the addresses of BIP 84’s test vectors', () => {
  const keys = bitcoinPublicKeys(seed, 'mainnet');
  assert.deepEqual([keys.fingerprint, keys.path], ['73c5da0a', "m/84'/0'/0'"]);
  const account = openAccount(networkOf('mainnet'), keys);
  assert.equal(account.place(RECEIVE, 0).address, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
  assert.equal(account.place(RECEIVE, 1).address, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
  assert.equal(account.place(CHANGE, 0).address, 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el');
});

it('returns the path by which a signer finds a key', () => {
  const account = openAccount(networkOf('regtest'), bitcoinPublicKeys(seed, 'regtest'));
  const place = account.place(CHANGE, 9);
  const [publicKey, { fingerprint, path }] = account.derivation(place);
  assert.equal(publicKey, place.publicKey);
  assert.equal(fingerprint, 0x73c5da0a);
  assert.deepEqual(path, [84 + 2 ** 31, 1 + 2 ** 31, 2 ** 31, 1, 9]);
  assert.match(place.address, /^rb1q/);
});

it('refuses the keys of another network', () => {
  assert.throws(() => openAccount(networkOf('mainnet'), bitcoinPublicKeys(seed, 'regtest')), /regtest/);
  assert.throws(() => bitcoinPublicKeys(seed, 'moon'), /moon/);
});
