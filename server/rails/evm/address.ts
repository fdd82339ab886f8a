import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import type { Address } from 'viem';
import { getAddress, keccak256 } from 'viem/utils';
import { type OwnLinks, readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** What other networks' addresses begin with: bech32 (bc, tb, bcrt, rb, ltc …), base58 of bitcoin and TRON. */
const ELSEWHERE = /^(?:(?:bc|tb|bcrt|rb|ltc)1[0-9a-z]{8,87}|[13mn2LMDT][1-9A-HJ-NP-Za-km-z]{25,34})$/i;

/**
 * Addresses that nobody has a key of: zero, `…01` to `…ffff` (precompiled contracts, `…dEaD` and whatever else people
 * burn at), and the round numbers that programs stand in for "none" or "ether".
 */
const KEYLESS = /^0x(?:0{36}[0-9a-f]{4}|f{40}|e{40}|dead(?:0*|beef(?:0*|(?:deadbeef){4})|0{16}42069420694206942069))$/i;

/**
 * Validates a customer's address (EIP-55): all-lower and all-upper digits carry no checksum and pass, mixed ones must
 * match it. The canonical field is the checksummed spelling. `never` are addresses that nobody can spend from, such as
 * the token contracts; `links`: how payment links name this chain. No network.
 */
export function checkAddress(fields: Fields, never: readonly Address[], links?: OwnLinks): AccountCheck {
  const pasted = readField('address', fields, links);
  if (!pasted.ok) return pasted;
  const text = pasted.text.replace(/^0X/, '0x');
  const wrong = (problem: Extract<AccountCheck, { ok: false }>['problem']): AccountCheck => ({
    ok: false,
    field: 'address',
    problem,
    read: text,
  });
  if (text === '') return wrong('empty');
  if (!ADDRESS.test(text)) return wrong(ELSEWHERE.test(text) ? 'wrong_network' : 'bad_format');
  const digits = text.slice(2);
  const address = getAddress(`0x${digits.toLowerCase()}`);
  const mixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (mixed && text !== address) return wrong('bad_checksum');
  if (KEYLESS.test(text) || never.some((other) => sameAddress(other, text))) return wrong('unusable');
  return { ok: true, fields: { address }, key: address.toLowerCase() };
}

/** Throws where what is configured as a token's contract is no address, or a mistyped one. */
export function requireContracts(tokens: readonly { readonly code: string; readonly contract: string }[]): void {
  for (const { code, contract } of tokens) {
    const checked = checkAddress({ address: contract }, []);
    if (!checked.ok && checked.problem !== 'unusable')
      throw new Error(`The contract of ${code} can't be ${contract}: it is mistyped`);
  }
}

/** The address of a compressed public key: the last 20 bytes of keccak-256 over its uncompressed point. */
export function addressOf(publicKey: Uint8Array): Address {
  const point = ECDH.convertKey(Buffer.from(publicKey), 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  return getAddress(`0x${keccak256(point.subarray(1)).slice(-40)}`);
}

/** Derives a chain's deposit addresses from the xpub of `m/44'/60'/0'/0`: the place 0 is the child `first`, and so on. */
export function depositAddresses(xpub: string, first = 0): (index: number) => Address {
  const parent = HDKey.fromExtendedKey(xpub);
  return (index) => {
    const key = parent.deriveChild(first + index).publicKey;
    if (!key) throw new Error(`No key has the index ${index}`);
    return addressOf(key);
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
