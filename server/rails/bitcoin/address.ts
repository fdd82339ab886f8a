import { Address, OutScript } from '@scure/btc-signer';
import { readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';
import type { Network } from './config.ts';

/**
 * Reads addresses by decoding, never by their look: base58check (P2PKH, P2SH), bech32 (BIP 173: P2WPKH, P2WSH) and bech32m
 * (BIP 350: P2TR, whose key must be a point of the curve).
 */

/** Returns the output script that pays an address of this network. Throws an Error for any other text. */
export function scriptFor(network: Network, address: string): Uint8Array {
  const decoded = Address(network).decode(address);
  if (!PAYABLE.has(decoded.type)) throw new Error(`Nobody is paid by ${decoded.type}`);
  return OutScript.encode(decoded);
}

/** Returns the address of an output script in its canonical form; undefined for a script that we don't pay to. */
export function addressFor(network: Network, script: Uint8Array): string | undefined {
  try {
    const decoded = OutScript.decode(script);
    return PAYABLE.has(decoded.type)
      ? Address(network).encode(decoded as Parameters<ReturnType<typeof Address>['encode']>[0])
      : undefined;
  } catch {
    return undefined;
  }
}

const LINKS = { schemes: ['bitcoin'] };

/**
 * Checks the `address` of an account, also within a payment link (BIP 21). Returns its canonical form (bech32 in lower case), or
 * the problem.
 */
export function checkAddress(network: Network, fields: Fields): AccountCheck {
  const field = 'address';
  const pasted = readField(field, fields, LINKS);
  if (!pasted.ok) return pasted;
  const { text } = pasted;
  if (text === '') return { ok: false, field, problem: 'empty' };
  try {
    const address = addressFor(network, scriptFor(network, text));
    if (address !== undefined) return { ok: true, fields: { address }, key: address };
  } catch {
    // `problemOf` finds the reason below.
  }
  return { ok: false, field, problem: problemOf(network, text), read: text };
}

const PAYABLE: ReadonlySet<string> = new Set(['pkh', 'sh', 'wpkh', 'wsh', 'tr']);
const BECH32 = /^([a-z]{1,20})1[02-9ac-hj-np-z]{6,80}$/i;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{25,36}$/;

function problemOf(network: Network, text: string): 'wrong_network' | 'bad_checksum' | 'bad_format' {
  const bech32 = BECH32.exec(text)?.[1]?.toLowerCase();
  if (bech32 !== undefined) {
    const failure = decodeFailure({ ...network, bech32 }, text);
    if (bech32 !== network.bech32 && failure === undefined) return 'wrong_network';
    return failure?.includes('checksum') ? 'bad_checksum' : 'bad_format';
  }
  if (BASE58.test(text)) {
    const failure = decodeFailure(network, text);
    if (failure?.includes('prefix')) return 'wrong_network';
    return failure?.includes('checksum') ? 'bad_checksum' : 'bad_format';
  }
  // An account chain's address is surely meant for another network.
  return /^0x[0-9a-f]{40}$/i.test(text) ? 'wrong_network' : 'bad_format';
}

function decodeFailure(network: Network, text: string): string | undefined {
  try {
    Address(network).decode(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unreadable';
  }
}
