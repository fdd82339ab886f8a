// Tests that our own addresses, derived from the keys alone, equal those of the rails and the paths in docs/keys.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { p2wpkh } from '@scure/btc-signer';
import { addressOf as evmAddress } from './evm/address.ts';
import { networkOf } from './bitcoin/config.ts';
import type { OwnAddress, OwnAddresses } from './own-addresses.ts';
import { buildRails, derivePublicKeys, everyOwnAddresses, railsConfig } from './rails.ts';
import { addressOf as tronAddress } from './tron/address.ts';

/** The mnemonic of BIP 39's first test vector. Other wallets publish the addresses that they derive from it. */
const ABANDON = `${'abandon '.repeat(11)}about`;
const seed = mnemonicToSeedSync(ABANDON);
const INDEXES = [0, 1, 15, 16, 999, 10_001, 250_000, 2 ** 30 - 1];
const NOWHERE = 'http://127.0.0.1:9';

const keysOf = (network: string) => derivePublicKeys(seed, network);
const chainOf = (chains: readonly OwnAddresses[], currency: string): OwnAddresses =>
  chains.find(({ currencies }) => currencies.includes(currency)) as OwnAddresses;

test('derives the same addresses as other wallets from the same words', async () => {
  const chains = await everyOwnAddresses(await keysOf('mainnet'));
  // Test vectors of BIP 84, and the first accounts of MetaMask and TronLink.
  const btc = chainOf(chains, 'BTC');
  assert.equal(btc.receiving(0).address, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
  assert.equal(btc.receiving(1).address, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
  assert.equal(btc.change?.(0).address, 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el');
  assert.equal(chainOf(chains, 'ETH').receiving(0).address, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
  assert.equal(chainOf(chains, 'TRX').receiving(0).address, 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH');
});

test('derives the addresses that the rails of a running system give out, for every currency of a chain', async () => {
  for (const [network, chainId] of [
    ['mainnet', 1],
    ['regtest', 31_337],
  ] as const) {
    const keys = await keysOf(network);
    const config = railsConfig({
      ...{ KURS_BITCOIN_NETWORK: network, KURS_ESPLORA: NOWHERE, KURS_EVM_RPC: NOWHERE, KURS_EVM_CHAIN_ID: chainId },
      ...{ KURS_USDT_ERC20: `0x${'a1'.repeat(20)}`, KURS_BSC_RPC: NOWHERE, KURS_BSC_CHAIN_ID: chainId + 1 },
      ...{ KURS_USDT_BEP20: `0x${'b2'.repeat(20)}`, KURS_TRON_API: NOWHERE, KURS_TRON_API_KEY: '', KURS_USDT_TRC20: '' },
      ...{ KURS_SIGNER_CAPS: '', railMistakes: {} },
    });
    const signer = { sign: () => Promise.reject(new Error('nothing is signed here')) };
    const { rails, refused } = await buildRails(config, keys, signer, { settings: {}, contextOf: () => assert.fail() });
    assert.deepEqual([...refused], []);
    const chains = await everyOwnAddresses(keys);
    assert.deepEqual(
      chains.map(({ rail }) => rail),
      [...rails.keys()],
    );
    for (const rail of rails.values()) {
      for (const { code } of rail.currencies) {
        const chain = chainOf(chains, code);
        assert.equal(chain.rail, rail.id);
        for (const index of INDEXES)
          assert.equal(chain.receiving(index).address, rail.payin?.instruct(code, index).to, `${code} ${index}`);
        assert.equal((chain.hot ?? chain.receiving(0)).address, rail.ownAccount?.(code), `${code}: the address for capital`);
      }
      assert.deepEqual(
        chainOf(chains, rail.currencies[0]?.code ?? '').currencies.toSorted(),
        rail.currencies.map(({ code }) => code).toSorted(),
      );
    }
  }
});

/** Derives the address of the key at a path from the seed. Of our own code it uses only the spelling of addresses. */
function addressAt(path: string, { rail }: OwnAddresses, network: string): string {
  const key = HDKey.fromMasterSeed(seed).derive(path).publicKey as Uint8Array;
  if (rail === 'bitcoin') return p2wpkh(key, networkOf(network)).address as string;
  return rail === 'tron' ? tronAddress(key) : evmAddress(key);
}

test('names the path of each address', async () => {
  for (const network of ['mainnet', 'regtest']) {
    for (const chain of await everyOwnAddresses(await keysOf(network))) {
      const ours: OwnAddress[] = INDEXES.flatMap((index) => [
        chain.receiving(index),
        ...(chain.change ? [chain.change(index)] : []),
      ]);
      if (chain.hot) ours.push(chain.hot);
      for (const { path, address } of ours) assert.equal(addressAt(path, chain, network), address, path);
    }
  }
});

test('lists exactly the paths of mainnet in docs/keys.md', async () => {
  const page = readFileSync(new URL('../../docs/keys.md', import.meta.url), 'utf8');
  const written = (pathOf: (index: number) => OwnAddress): string => {
    const [, parent = '', first = ''] = /^(.*\/)(\d+)$/.exec(pathOf(0).path) ?? [];
    assert.equal(pathOf(7).path, `${parent}${Number(first) + 7}`);
    return `\`${parent}${first === '0' ? 'i' : `(${first} + i)`}\``;
  };
  const rows = (await everyOwnAddresses(await keysOf('mainnet'))).map(
    ({ currencies, receiving, change, hot, type }) =>
      `| ${currencies.join(', ')} | ${written(receiving)} | ${change ? written(change) : `\`${hot?.path}\``} | ${type} |`,
  );
  const [, table = ''] = /\n\|---\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  assert.deepEqual(table.trimEnd().split('\n'), rows);
});
