import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { keccak256 } from 'viem/utils';
import { type OwnLinks, readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';
import { Unreadable } from '../signer.ts';

/**
 * Checks customers' addresses and derives ours, on chains that know an account by 20 bytes of its key (EVM, TRON). One key has the
 * same 20 bytes on all of them; each chain has its own spelling.
 */

/** A chain's spelling of its addresses. */
export interface Spelling {
  /** The chain's names in payment links. */
  readonly links?: OwnLinks;
  /** Matches a text with the letters and the length of an address. */
  readonly shape: RegExp;
  /** Matches addresses of other networks. */
  readonly elsewhere: RegExp;
  /** Corrects a variant that people write. The result is read, and shown with a problem. */
  tidy?(text: string): string;
  /** Reads a text of this shape. Returns undefined if its checksum is wrong. */
  read(text: string): Spelled | undefined;
}

/** An address: its canonical spelling, the key by which accounts are compared, and its 20 bytes in lower-case hex. */
export interface Spelled {
  readonly address: string;
  readonly key: string;
  readonly bytes: string;
}

/**
 * Bytes that nobody has a key for: zero and `…01` to `…ffff` (precompiled contracts, `…dEaD` and other burn addresses). The others
 * are round numbers that programs use for "none" or "ether", and TRON's burn address.
 */
const KEYLESS = [
  /^(?:0{36}[0-9a-f]{4}|f{40}|e{40})$/,
  /^dead(?:0*|beef(?:0*|(?:deadbeef){4})|0{16}42069420694206942069)$/,
  /^77944d19c052b73ee2286823aa83f8138cb7032f$/,
];

/**
 * Validates a customer's address, also within a payment link, without the network. Returns it in the canonical spelling, or the
 * problem. `never`: addresses that nobody can spend from, such as contracts of tokens.
 */
export function checkAddress(fields: Fields, spelling: Spelling, never: readonly string[]): AccountCheck {
  const pasted = readField('address', fields, spelling.links);
  if (!pasted.ok) return pasted;
  const text = spelling.tidy?.(pasted.text) ?? pasted.text;
  const wrong = (problem: Extract<AccountCheck, { ok: false }>['problem']): AccountCheck => ({
    ok: false,
    field: 'address',
    problem,
    read: text,
  });
  if (text === '') return wrong('empty');
  if (!spelling.shape.test(text)) return wrong(spelling.elsewhere.test(text) ? 'wrong_network' : 'bad_format');
  const read = spelling.read(text);
  if (!read) return wrong('bad_checksum');
  const { address, key, bytes } = read;
  const isKeyless = KEYLESS.some((pattern) => pattern.test(bytes));
  if (isKeyless || never.some((other) => spelling.read(other)?.bytes === bytes)) return wrong('unusable');
  return { ok: true, fields: { address }, key };
}

/** Throws an Error if the configured contract of a token is no address, or a mistyped one. */
export function requireContracts(
  tokens: readonly { readonly code: string; readonly contract: string }[],
  spelling: Spelling,
): void {
  for (const { code, contract } of tokens) {
    const checked = checkAddress({ address: contract }, spelling, []);
    if (!checked.ok && checked.problem !== 'unusable')
      throw new Error(`The contract of ${code} can't be ${contract}: it is mistyped`);
  }
}

/** Returns the 20 bytes of a compressed public key, in hex: the last ones of keccak-256 over its uncompressed point. */
export function bytesOfKey(publicKey: Uint8Array): string {
  const point = ECDH.convertKey(Buffer.from(publicKey), 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  return keccak256(point.subarray(1)).slice(-40);
}

/** Returns a function from the index of a deposit address to its 20 bytes. `xpub`: the parent's; `first`: the child of index 0. */
export function depositBytes(xpub: string, first = 0): (index: number) => string {
  const parent = HDKey.fromExtendedKey(xpub);
  return (index) => bytesOfKey(publicOf(parent.deriveChild(first + index)));
}

/** Paths of our keys below a seed. The hot wallet's key is in another account, so that no deposit's key can equal it. */
export interface KeyPaths {
  /** Path of the parent of the deposits' keys. */
  readonly deposits: string;
  readonly hot: string;
}

/** Returns the public keys of a seed (BIP 39's 64 bytes): the deposits' xpub, and the hot wallet's 20 bytes in hex. */
export function publicKeysOf(seed: Uint8Array, { deposits, hot }: KeyPaths): { readonly xpub: string; readonly hot: string } {
  const root = HDKey.fromMasterSeed(seed);
  return { xpub: root.derive(deposits).publicExtendedKey, hot: bytesOfKey(publicOf(root.derive(hot))) };
}

/** Private keys of a seed, only for the signer. `deposit` throws `Unreadable` for an impossible index. */
export interface OwnKeys {
  readonly hot: HDKey;
  deposit(index: number | undefined): HDKey;
}

/** Derives our private keys from a seed (64 bytes). `first`: the child of the deposit address with index 0. */
export function ownKeysOf(seed: Uint8Array, { deposits, hot }: KeyPaths, first = 0): OwnKeys {
  const root = HDKey.fromMasterSeed(seed);
  const parent = root.derive(deposits);
  return {
    hot: root.derive(hot),
    deposit: (index) => {
      if (index === undefined || !Number.isSafeInteger(index) || index < 0) throw new Unreadable('no index of a place');
      return parent.deriveChild(first + index);
    },
  };
}

/** Returns the public half of a key. Throws an Error for a key without one. */
export function publicOf({ publicKey, index }: HDKey): Uint8Array {
  if (!publicKey) throw new Error(`No key has the index ${index}`);
  return publicKey;
}
