import type { Address } from 'viem';
import { getAddress } from 'viem/utils';
import {
  type KeyPaths,
  type Spelling,
  bytesOfKey,
  checkAddress as checkSpelled,
  depositBytes,
  requireContracts as requireSpelled,
} from '../account-chain/addresses.ts';
import type { OwnAddresses } from '../own-addresses.ts';
import type { OwnLinks } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';
import type { PublicKeys } from '../signer.ts';
import type { EvmConfig } from './config.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Derivation paths of our keys (BIP 44). */
export const PATHS: KeyPaths = { deposits: "m/44'/60'/0'/0", hot: "m/44'/60'/1'/0/0" };

/** EIP-55: an address in one case has no checksum and is accepted. An address in mixed case must match its checksum. */
const SPELLING: Spelling = {
  shape: ADDRESS,
  // bech32 (bc, tb, bcrt, rb, ltc …), base58 of bitcoin and TRON
  elsewhere: /^(?:(?:bc|tb|bcrt|rb|ltc)1[0-9a-z]{8,87}|[13mn2LMDT][1-9A-HJ-NP-Za-km-z]{25,34})$/i,
  tidy: (text) => text.replace(/^0X/, '0x'),
  read: (text) => {
    const digits = text.slice(2);
    const bytes = digits.toLowerCase();
    const address = spell(bytes);
    const isMixed = digits !== bytes && digits !== digits.toUpperCase();
    return isMixed && text !== address ? undefined : { address, key: `0x${bytes}`, bytes };
  },
};

/**
 * Validates a customer's address. `never`: addresses that nobody can spend from, such as token contracts. `links`: the chain's
 * names in payment links. No network.
 */
export function checkAddress(fields: Fields, never: readonly Address[], links?: OwnLinks): AccountCheck {
  return checkSpelled(fields, { ...SPELLING, ...(links && { links }) }, never);
}

/** Throws an Error if a token's configured contract is no address, or a mistyped one. */
export function requireContracts(tokens: readonly { readonly code: string; readonly contract: string }[]): void {
  requireSpelled(tokens, SPELLING);
}

/** Returns the address of 20 bytes in hexadecimal digits, with its checksum. */
export const spell = (bytes: string): Address => getAddress(`0x${bytes}`);

/** Returns the address of a compressed public key. */
export function addressOf(publicKey: Uint8Array): Address {
  return spell(bytesOfKey(publicKey));
}

/** Returns the deposit address of an index, derived from the xpub of `PATHS.deposits`. Index 0 is the child `first`. */
export function depositAddresses(xpub: string, first = 0): (index: number) => Address {
  const bytes = depositBytes(xpub, first);
  return (index) => spell(bytes(index));
}

/** Returns our own addresses on one chain, derived from our public keys. */
export function evmAddresses({ id, network, native, tokens, firstChild }: EvmConfig, keys: PublicKeys['evm']): OwnAddresses {
  const deposit = depositAddresses(keys.xpub, firstChild);
  return {
    rail: id,
    // `network` names the chain first, then its kind of token.
    network: network.split(' · ')[0] as string,
    currencies: [native, ...tokens.map(({ code }) => code)],
    type: 'account of one key (BIP 44)',
    receiving: (index) => ({ path: `${PATHS.deposits}/${firstChild + index}`, address: deposit(index) }),
    hot: { path: PATHS.hot, address: keys.hot },
  };
}

/** True if a value is an address as JSON-RPC writes it. */
export const isAddress = (value: unknown): value is string => typeof value === 'string' && ADDRESS.test(value);

/** Returns an address as a 32-byte topic of a log. */
export function topicOf(address: Address): `0x${string}` {
  return `0x${'0'.repeat(24)}${address.slice(2).toLowerCase()}`;
}

/** Returns the address in a 32-byte topic, with its checksum. */
export function addressIn(topic: string): Address {
  return getAddress(`0x${topic.slice(-40)}`);
}

/** True if two spellings name one address. */
export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
