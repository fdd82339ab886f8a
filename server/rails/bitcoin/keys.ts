import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import type { OwnAddress, OwnAddresses } from '../own-addresses.ts';
import type { PublicKeys } from '../signer.ts';
import { type Network, networkOf } from './config.ts';

/**
 * One descriptor account, `wpkh([fingerprint/84'/c'/0']xpub/<0;1>/*)` (BIP 84): branch 0 receives, branch 1 is change.
 */
export const RECEIVE = 0;
export const CHANGE = 1;
export type Branch = typeof RECEIVE | typeof CHANGE;

const HARDENED = 0x80000000;

/** One of our own addresses. */
export interface Place {
  readonly branch: Branch;
  readonly index: number;
  readonly address: string;
  readonly script: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The public half of the account. It derives places and holds no secret. */
export interface Account {
  readonly network: Network;
  place(branch: Branch, index: number): Place;
  /** Returns a place's public key with its derivation (BIP 174), by which a signer finds the private key. */
  derivation(place: Place): [Uint8Array, { fingerprint: number; path: number[] }];
}

/** Maximum number of cached places. Deriving a place costs as much as a call. */
const MAX_STORED = 20_000;

/** Returns the account of the published keys. Throws an Error if they are not of this network. */
export function openAccount(network: Network, keys: PublicKeys['bitcoin']): Account {
  if (keys.network !== network.name) throw new Error(`The keys are of ${keys.network}, the rail is of ${network.name}`);
  const account = HDKey.fromExtendedKey(keys.xpub);
  const branches = [account.deriveChild(RECEIVE), account.deriveChild(CHANGE)];
  const origin = accountPath(network);
  const fingerprint = Number.parseInt(keys.fingerprint, 16);
  const cached = new Map<string, Place>();
  return {
    network,
    place: (branch, index) => {
      const key = `${branch}/${index}`;
      const known = cached.get(key);
      if (known) return known;
      const place = placeOf(network, branches[branch] as HDKey, branch, index);
      if (cached.size >= MAX_STORED) cached.clear();
      cached.set(key, place);
      return place;
    },
    derivation: ({ branch, index, publicKey }) => [publicKey, { fingerprint, path: [...origin, branch, index] }],
  };
}

/** Returns the place at an index of a branch; `parent` is the branch's key. Throws an Error if it can't be derived. */
export function placeOf(network: Network, parent: HDKey, branch: Branch, index: number): Place {
  const { publicKey } = parent.deriveChild(index);
  if (!publicKey) throw new Error('A key without its public half');
  const { address, script } = p2wpkh(publicKey, network);
  if (address === undefined) throw new Error('A script without an address');
  return { branch, index, address, script, publicKey };
}

/** Returns the account's path `m/84'/c'/0'` as numbers; `c` is the network's coin type. */
export function accountPath(network: Network): number[] {
  return [HARDENED + 84, HARDENED + network.coinType, HARDENED];
}

/** Returns the public keys of a seed (BIP 39's 64 bytes) on a network. Throws an Error for an unknown network. */
export function bitcoinPublicKeys(seed: Uint8Array, name: string): PublicKeys['bitcoin'] {
  const root = HDKey.fromMasterSeed(seed);
  const path = `m/84'/${networkOf(name).coinType}'/0'`;
  return {
    xpub: root.derive(path).publicExtendedKey,
    fingerprint: root.fingerprint.toString(16).padStart(8, '0'),
    path,
    network: name,
  };
}

/** Returns our own addresses, derived from the published keys. Throws an Error if the keys name an unknown network. */
export function bitcoinAddresses(keys: PublicKeys['bitcoin']): OwnAddresses {
  const account = openAccount(networkOf(keys.network), keys);
  const at = (branch: Branch, index: number): OwnAddress => ({
    path: `${keys.path}/${branch}/${index}`,
    address: account.place(branch, index).address,
  });
  return {
    rail: 'bitcoin',
    network: `Bitcoin, ${keys.network}`,
    currencies: ['BTC'],
    type: 'native SegWit (P2WPKH, BIP 84)',
    receiving: (index) => at(RECEIVE, index),
    change: (index) => at(CHANGE, index),
  };
}
