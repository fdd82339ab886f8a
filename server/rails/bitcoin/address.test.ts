import assert from 'node:assert/strict';
import { it } from 'node:test';
import { addressFor, checkAddress, scriptFor } from './address.ts';
import { networkOf } from './config.ts';

const mainnet = networkOf('mainnet');
const problemOf = (address: string, network = mainnet): string => {
  const checked = checkAddress(network, { address });
  return checked.ok ? `accepted as ${checked.key}` : checked.problem;
};

/** Addresses with their output scripts, from BIP 173, BIP 350 and the wiki's page about addresses. */
const PAYABLE = {
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa': '76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac',
  '3P14159f73E4gFr7JterCCQh9QjiTjiZrG': 'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87',
  BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4: '0014751e76e8199196d454941c45d1b3a323f1433bd6',
  bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3:
    '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
  bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0:
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
};

it('reads every kind of address that can be paid, in one canonical form', () => {
  for (const [address, script] of Object.entries(PAYABLE)) {
    assert.equal(Buffer.from(scriptFor(mainnet, address)).toString('hex'), script);
    const canonical = address.startsWith('BC1') ? address.toLowerCase() : address;
    assert.deepEqual(checkAddress(mainnet, { address: ` ${address}\n` }), {
      ok: true,
      fields: { address: canonical },
      key: canonical,
    });
    assert.equal(addressFor(mainnet, Buffer.from(script, 'hex')), canonical);
  }
});

it('names the problem of an address that can’t be paid', () => {
  assert.equal(problemOf(''), 'empty');
  for (const address of [
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  ]) {
    assert.equal(problemOf(address), 'wrong_network', address);
  }
  for (const address of Object.keys(PAYABLE)) {
    assert.equal(problemOf(address, networkOf('regtest')), 'wrong_network', address);
    const at = address.length - 3;
    const swapped =
      address.slice(0, at) +
      (address[at] === 'Z' || address[at] === 'z' ? 'x' : address[at] === 'X' ? 'Z' : 'z') +
      address.slice(at + 1);
    const mistyped = address.startsWith('BC1') ? swapped.toUpperCase() : swapped;
    assert.equal(problemOf(mistyped), 'bad_checksum', mistyped);
  }
  for (const address of [
    'bc1',
    'hello',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0',
    // Mixed case; a bech32 checksum on version 1 and bech32m on version 0 (BIP 350); no point of the curve; version 16.
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kV8F3T4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1sw50qgdz25j',
    'x'.repeat(5000),
    '../../address',
  ]) {
    assert.match(problemOf(address), /^bad_(format|checksum)$/, address.slice(0, 80));
  }
});
