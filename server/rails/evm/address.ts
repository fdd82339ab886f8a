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

/** Where our keys lie (BIP 44). */
export const PATHS: KeyPaths = { deposits: "m/44'/60'/0'/0", hot: "m/44'/60'/1'/0/0" };

/** EIP-55: all-lower and all-upper digits carry no checksum and pass, mixed ones must match it. */
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
 * Validates a customer's address. `never` are addresses that nobody can spend from, such as the token contracts; `links`: how
 * payment links name this chain. No network.
 */
export function checkAddress(fields: Fields, never: readonly Address[], links?: OwnLinks): AccountCheck {
  return checkSpelled(fields, { ...SPELLING, ...(links && { links }) }, never);
}

/** Throws where what is configured as a token's contract is no address, or a mistyped one. */
export function requireContracts(tokens: readonly { readonly code: string; readonly contract: string }[]): void {
  requireSpelled(tokens, SPELLING);
}

/** The address of 20 bytes in hexadecimal. */
export const spell = (bytes: string): Address => getAddress(`0x${bytes}`);

/** The address of a compressed public key. */
export function addressOf(publicKey: Uint8Array): Address {
  return spell(bytesOfKey(publicKey));
}

/** Derives a chain's deposit addresses from the xpub of `PATHS.deposits`: the address 0 is the child `first`, and so on. */
export function depositAddresses(xpub: string, first = 0): (index: number) => Address {
  const bytes = depositBytes(xpub, first);
  return (index) => spell(bytes(index));
}

/** Our own addresses on one chain, by the published keys. */
export function evmAddresses({ id, network, native, tokens, firstChild }: EvmConfig, keys: PublicKeys['evm']): OwnAddresses {
  const deposit = depositAddresses(keys.xpub, firstChild);
  return {
    rail: id,
    // The name of a chain stands before that of its tokens.
    network: network.split(' · ')[0] as string,
    currencies: [native, ...tokens.map(({ code }) => code)],
    type: 'account of one key (BIP 44)',
    receiving: (index) => ({ path: `${PATHS.deposits}/${firstChild + index}`, address: deposit(index) }),
    hot: { path: PATHS.hot, address: keys.hot },
  };
}

/** Whether a value is an address as JSON-RPC writes it. */
export const isAddress = (value: unknown): value is string => typeof value === 'string' && ADDRESS.test(value);

/** An address as a 32-byte topic of a log. */
export function topicOf(address: Address): `0x${string}` {
  return `0x${'0'.repeat(24)}${address.slice(2).toLowerCase()}`;
}

/** The address in a 32-byte topic, with its checksum. */
export function addressIn(topic: string): Address {
  return getAddress(`0x${topic.slice(-40)}`);
}

/** Whether two spellings name one address. */
export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
