import type { Receipt, ReceiptKey, ReceiptTerms } from '@kurs/contract/receipt';

/**
 * What came of checking a receipt. `fits`: signed by a key of this desk, and unchanged since. `changed`: it names a key of
 * ours and that did not sign it. `stranger`: it names no key of ours. `unreadable`: no receipt at all.
 */
export type Checked =
  | { readonly verdict: 'fits'; readonly terms: ReceiptTerms; readonly keyId: string }
  | { readonly verdict: 'changed' | 'stranger' | 'unreadable' };

/** This browser, or the way it came here (an address without https), has no Ed25519. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}

/** Characters of a text that may be a receipt: one has about 2 000. */
export const LONGEST = 20_000;

/**
 * Checks a receipt as it was downloaded, or an answer of the API that carries one, against the desk's keys. Asks nothing
 * of any network. Throws CannotCheck where this machine has no Ed25519 (WebCrypto).
 */
export async function checkReceipt(text: string, keys: readonly ReceiptKey[]): Promise<Checked> {
  const receipt = receiptIn(text);
  const payload = receipt && bytesOf(receipt.payload);
  const signature = receipt && bytesOf(receipt.signature);
  if (!receipt || !payload || !signature) return { verdict: 'unreadable' };
  const key = keys.find(({ key_id: id }) => id === receipt.key_id);
  if (!key) return { verdict: 'stranger' };
  if (!(await isSigned(payload, signature, bytesOf(key.public_key) ?? new Uint8Array()))) return { verdict: 'changed' };
  const terms = parsed(new TextDecoder().decode(payload)) as ReceiptTerms | undefined;
  // What we signed is well-formed; a later version of it may only add fields.
  return terms?.type === 'kurs-receipt' ? { verdict: 'fits', terms, keyId: key.key_id } : { verdict: 'unreadable' };
}

async function isSigned(
  payload: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  publicKey: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, payload);
  } catch (error) {
    throw new CannotCheck('Ed25519 is not to be had here', { cause: error });
  }
}

/** The receipt of a text: itself, or under `receipt` of an order, as `data` of an answer or not. */
function receiptIn(text: string): Receipt | undefined {
  if (text.length > LONGEST * 10) return undefined;
  const found = parsed(text);
  const inner = fieldOf(found, 'data') ?? found;
  const one = fieldOf(inner, 'receipt') ?? inner;
  const [payload, signature, keyId] = ['payload', 'signature', 'key_id'].map((name) => fieldOf(one, name));
  if (typeof payload !== 'string' || typeof signature !== 'string' || typeof keyId !== 'string') return undefined;
  return payload.length > LONGEST ? undefined : { payload, signature, key_id: keyId };
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The bytes of a base64url text without padding; undefined where it is none. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
