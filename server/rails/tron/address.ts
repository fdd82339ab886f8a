import { ECDH, createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { createBase58check } from '@scure/base';
import { keccak256 } from 'viem/utils';
import { type OwnLinks, readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';

/**
 * Addresses of TRON: base58check of 21 bytes, `41` and the last 20 bytes of keccak-256 over the public key's point
 * (developers.tron.network, "Account"; the same key has the same 20 bytes on Ethereum).
 */

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

/** The first byte of every mainnet address, which makes it begin with T. */
const PREFIX = '41';

/** What has the letters and the length of a TRON address. */
const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** What other networks' addresses look like: bech32, EVM, base58 of bitcoin, litecoin and dogecoin. */
const ELSEWHERE = /^(?:(?:bc|tb|bcrt|rb|ltc)1[0-9a-z]{8,87}|0x[0-9a-f]{40}|[13mn2LMDA][1-9A-HJ-NP-Za-km-z]{25,34})$/i;

/** Twenty bytes that nobody has a key of: zero, precompiled contracts and what else people burn at. */
const KEYLESS = /^41(?:0{36}[0-9a-f]{4}|f{40}|e{40}|dead0*|77944d19c052b73ee2286823aa83f8138cb7032f)$/;

const LINKS: OwnLinks = { schemes: ['tron'], hasContracts: true };

/**
 * Validates a customer's address, also within a payment link, by decoding. `never` are addresses that nobody can spend from,
 * such as the token's contract. The canonical field is the address itself: base58 has one spelling. No network.
 */
export function checkAddress(fields: Fields, never: readonly string[]): AccountCheck {
  const pasted = readField('address', fields, LINKS);
  if (!pasted.ok) return pasted;
  const { text } = pasted;
  const wrong = (problem: Extract<AccountCheck, { ok: false }>['problem']): AccountCheck => ({
    ok: false,
    field: 'address',
    problem,
    read: text,
  });
  if (text === '') return wrong('empty');
  if (!ADDRESS.test(text)) return wrong(ELSEWHERE.test(text) ? 'wrong_network' : 'bad_format');
  const hex = decode(text);
  if (hex === undefined) return wrong('bad_checksum');
  if (KEYLESS.test(hex) || never.includes(text)) return wrong('unusable');
  return { ok: true, fields: { address: text }, key: text };
}

/** Throws where what is configured as a token's contract is no address, or a mistyped one. */
export function requireContracts(tokens: readonly { readonly code: string; readonly contract: string }[]): void {
  for (const { code, contract } of tokens) {
    const checked = checkAddress({ address: contract }, []);
    if (!checked.ok && checked.problem !== 'unusable')
      throw new Error(`The contract of ${code} can't be ${contract}: it is mistyped`);
  }
}

function decode(text: string): string | undefined {
  try {
    const hex = Buffer.from(base58check.decode(text)).toString('hex');
    return hex.length === 42 && hex.startsWith(PREFIX) ? hex : undefined;
  } catch {
    return undefined;
  }
}

/** The 21 bytes of an address, in hexadecimal. Throws an Error for anything else. */
export function toHex(address: string): string {
  const hex = decode(address);
  if (hex === undefined) throw new Error(`${address} is no address of TRON`);
  return hex;
}

/** The address of 21 bytes in hexadecimal. Throws an Error for any other bytes. */
export function fromHex(hex: string): string {
  if (!/^41[0-9a-f]{40}$/.test(hex)) throw new Error('no address of TRON');
  return base58check.encode(Buffer.from(hex, 'hex'));
}

/** The address of a compressed public key. */
export function addressOf(publicKey: Uint8Array): string {
  const point = ECDH.convertKey(Buffer.from(publicKey), 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  return fromHex(PREFIX + keccak256(point.subarray(1)).slice(-40));
}

/** Derives our deposit addresses from the xpub of `m/44'/195'/0'/0`: the child with the index given. */
export function depositAddresses(xpub: string): (index: number) => string {
  const parent = HDKey.fromExtendedKey(xpub);
  return (index) => {
    const key = parent.deriveChild(index).publicKey;
    if (!key) throw new Error(`No key has the index ${index}`);
    return addressOf(key);
  };
}
