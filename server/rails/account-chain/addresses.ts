import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { keccak256 } from 'viem/utils';
import { type OwnLinks, readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';
import { Unreadable } from '../signer.ts';

/**
 * Addresses of chains that know an account by 20 bytes of its key (EVM, TRON): which a customer may name, and which are ours.
 * One key has the same 20 bytes on all of them; how they are spelled is each chain's own.
 */

/** How a chain spells its addresses. */
export interface Spelling {
  /** How payment links name the chain. */
  readonly links?: OwnLinks;
  /** What has the letters and the length of an address. */
  readonly shape: RegExp;
  /** What other networks' addresses look like. */
  readonly elsewhere: RegExp;
  /** What people write for the same: the text as it is read and told. */
  tidy?(text: string): string;
  /** Reads a text of this shape; undefined where its checksum is wrong. */
  read(text: string): Spelled | undefined;
}

/** An address: its canonical spelling, what accounts are compared by, and its 20 bytes in small hexadecimal digits. */
export interface Spelled {
  readonly address: string;
  readonly key: string;
  readonly bytes: string;
}

/**
 * Bytes that nobody has a key of: zero, `…01` to `…ffff` (precompiled contracts, `…dEaD` and whatever else people burn at), the
 * round numbers that programs stand in for "none" or "ether", and where TRON burns.
 */
const KEYLESS = [
  /^(?:0{36}[0-9a-f]{4}|f{40}|e{40})$/,
  /^dead(?:0*|beef(?:0*|(?:deadbeef){4})|0{16}42069420694206942069)$/,
  /^77944d19c052b73ee2286823aa83f8138cb7032f$/,
];

/**
 * Validates a customer's address, also within a payment link. The field comes out in the canonical spelling. `never` are
 * addresses that nobody can spend from, such as contracts of tokens. No network.
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

/** Throws where what is configured as a token's contract is no address, or a mistyped one. */
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

/** The 20 bytes of a compressed public key, in hexadecimal: the last of keccak-256 over its uncompressed point. */
export function bytesOfKey(publicKey: Uint8Array): string {
  const point = ECDH.convertKey(Buffer.from(publicKey), 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
  return keccak256(point.subarray(1)).slice(-40);
}

/** The 20 bytes of our deposit addresses, from the xpub of their parent: the address 0 is the child `first`, and so on. */
export function depositBytes(xpub: string, first = 0): (index: number) => string {
  const parent = HDKey.fromExtendedKey(xpub);
  return (index) => bytesOfKey(publicOf(parent.deriveChild(first + index)));
}

/** Where our keys lie below a seed. The hot wallet's is of another account, so that no deposit's can equal it. */
export interface KeyPaths {
  /** The parent of the deposits' keys. */
  readonly deposits: string;
  readonly hot: string;
}

/** What everyone may know of the keys of a seed (BIP 39's 64 bytes): the deposits' xpub and the hot wallet's 20 bytes. */
export function publicKeysOf(seed: Uint8Array, { deposits, hot }: KeyPaths): { readonly xpub: string; readonly hot: string } {
  const root = HDKey.fromMasterSeed(seed);
  return { xpub: root.derive(deposits).publicExtendedKey, hot: bytesOfKey(publicOf(root.derive(hot))) };
}

/** The keys of a seed, for the signer alone. `deposit` throws `Unreadable` for what is no index of an address. */
export interface OwnKeys {
  readonly hot: HDKey;
  deposit(index: number | undefined): HDKey;
}

/** Derives our keys; `first`: the child that is the address 0. */
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

/** The public half of a key. Throws an Error for a key without one. */
export function publicOf({ publicKey, index }: HDKey): Uint8Array {
  if (!publicKey) throw new Error(`No key has the index ${index}`);
  return publicKey;
}
