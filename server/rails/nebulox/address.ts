import { Address } from '@scure/btc-signer';
import { readField } from '../pasted.ts';
import type { AccountCheck, Fields } from '../rail.ts';
import type { Coin } from './config.ts';

/** Spendable forms: P2PKH, P2SH, P2WPKH, P2WSH and P2TR. */
const KNOWN: ReadonlySet<string> = new Set(['pkh', 'sh', 'wpkh', 'wsh', 'tr']);

/**
 * Checks a refund address by decoding it (base58check, bech32, bech32m); it may be in a payment link. Returns its canonical form
 * (bech32 in lower case), or the problem.
 */
export function checkCoinAddress({ addresses, network }: Coin, fields: Fields): AccountCheck {
  const field = 'address';
  const pasted = readField(field, fields, { schemes: [network.toLowerCase()] });
  if (!pasted.ok) return pasted;
  const { text } = pasted;
  if (text === '') return { ok: false, field, problem: 'empty' };
  try {
    const coder = Address(addresses);
    const decoded = coder.decode(text);
    if (!KNOWN.has(decoded.type)) return { ok: false, field, problem: 'unusable' };
    const address = coder.encode(decoded as Parameters<typeof coder.encode>[0]);
    return { ok: true, fields: { address }, key: address };
  } catch (error) {
    const detail = error instanceof Error ? error.message : '';
    const refused = { ok: false, field, read: text } as const;
    if (isElsewhere(addresses, text)) return { ...refused, problem: 'wrong_network' };
    if (/checksum/i.test(detail)) return { ...refused, problem: 'bad_checksum' };
    return { ...refused, problem: /prefix/i.test(detail) ? 'wrong_network' : 'bad_format' };
  }
}

/** True if a text is a complete bech32 address of another chain. */
function isElsewhere(addresses: Coin['addresses'], text: string): boolean {
  const bech32 = /^([a-z]{1,20})1[02-9ac-hj-np-z]{6,80}$/i.exec(text)?.[1]?.toLowerCase();
  if (bech32 === undefined || bech32 === addresses.bech32) return false;
  try {
    Address({ ...addresses, bech32 }).decode(text);
    return true;
  } catch {
    return false;
  }
}
