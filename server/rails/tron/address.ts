import { createHash } from 'node:crypto';
import { createBase58check } from '@scure/base';
import {
  type KeyPaths,
  type Spelling,
  bytesOfKey,
  checkAddress as checkSpelled,
  depositBytes,
  requireContracts as requireSpelled,
} from '../account-chain/addresses.ts';
import type { OwnAddresses } from '../own-addresses.ts';
import type { AccountCheck, Fields } from '../rail.ts';
import type { PublicKeys } from '../signer.ts';
import type { TronConfig } from './config.ts';

/**
 * Addresses of TRON: base58check of 21 bytes, `41` and the 20 bytes of the key (developers.tron.network, "Account").
 */

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

/** First byte of every mainnet address, in hexadecimal. It makes the address begin with T. */
const PREFIX = '41';

/** Derivation paths of our keys (BIP 44). */
export const PATHS: KeyPaths = { deposits: "m/44'/195'/0'/0", hot: "m/44'/195'/1'/0/0" };

/** Spelling of addresses. base58 has only one, so the address is stored as typed. */
const SPELLING: Spelling = {
  links: { schemes: ['tron'], hasContracts: true },
  shape: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  // bech32, EVM, base58 of bitcoin, litecoin and dogecoin
  elsewhere: /^(?:(?:bc|tb|bcrt|rb|ltc)1[0-9a-z]{8,87}|0x[0-9a-f]{40}|[13mn2LMDA][1-9A-HJ-NP-Za-km-z]{25,34})$/i,
  read: (text) => {
    const hex = decode(text);
    return hex === undefined ? undefined : { address: text, key: text, bytes: hex.slice(PREFIX.length) };
  },
};

/**
 * Validates a customer's address, or the address in a payment link, by decoding it. `never` lists addresses that nobody can
 * spend from, such as the token's contract. Uses no network.
 */
export function checkAddress(fields: Fields, never: readonly string[]): AccountCheck {
  return checkSpelled(fields, SPELLING, never);
}

/** Throws an Error if the configured contract of a token is not a valid address. */
export function requireContracts(tokens: readonly { readonly code: string; readonly contract: string }[]): void {
  requireSpelled(tokens, SPELLING);
}

function decode(text: string): string | undefined {
  try {
    const hex = Buffer.from(base58check.decode(text)).toString('hex');
    return hex.length === 42 && hex.startsWith(PREFIX) ? hex : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the 21 bytes of an address, in hexadecimal. Throws an Error for any other text. */
export function toHex(address: string): string {
  const hex = decode(address);
  if (hex === undefined) throw new Error(`${address} is no address of TRON`);
  return hex;
}

/** Returns the address of 21 bytes, given in hexadecimal. Throws an Error for any other bytes. */
export function fromHex(hex: string): string {
  if (!/^41[0-9a-f]{40}$/.test(hex)) throw new Error('no address of TRON');
  return base58check.encode(Buffer.from(hex, 'hex'));
}

/** Returns the address of a key's 20 bytes, given in hexadecimal. Throws an Error for any other bytes. */
export const spell = (bytes: string): string => fromHex(PREFIX + bytes);

/** Returns the address of a compressed public key. */
export function addressOf(publicKey: Uint8Array): string {
  return spell(bytesOfKey(publicKey));
}

/** Returns a function that derives the deposit address of an index from the xpub of `PATHS.deposits`. */
export function depositAddresses(xpub: string): (index: number) => string {
  const bytes = depositBytes(xpub);
  return (index) => spell(bytes(index));
}

/** Describes our own addresses, derived from the published keys. */
export function tronAddresses({ id, coin, tokens }: TronConfig, keys: PublicKeys['tron']): OwnAddresses {
  const deposit = depositAddresses(keys.xpub);
  return {
    rail: id,
    network: coin.network,
    currencies: [coin.code, ...tokens.map(({ code }) => code)],
    type: 'account of one key (BIP 44)',
    receiving: (index) => ({ path: `${PATHS.deposits}/${index}`, address: deposit(index) }),
    hot: { path: PATHS.hot, address: keys.hot },
  };
}
