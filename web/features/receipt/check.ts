import type { Receipt, ReceiptKey, ReceiptTerms } from '@kurs/contract/receipt';

/**
 * Result of checking a receipt.
 *
 * - `fits`: a key of this desk signed the receipt, and nothing was changed since.
 * - `changed`: the receipt names a key of this desk, but that key did not sign it.
 * - `stranger`: the receipt names an unknown key.
 * - `unreadable`: the text is no receipt.
 */
export type Checked =
  | { readonly verdict: 'fits'; readonly terms: ReceiptTerms; readonly keyId: string }
  | { readonly verdict: 'changed' | 'stranger' | 'unreadable' };

/** Thrown if the browser has no Ed25519, or doesn't provide it because the page was loaded without https. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck';
}

/** Maximum length of a receipt's payload, in characters. Usual payloads have about 2000. */
export const LONGEST = 20_000;

/**
 * Checks a receipt against the desk's keys. Takes a downloaded receipt or an API answer that contains one. Makes no request.
 * Throws CannotCheck if this browser provides no Ed25519.
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
  // Signed terms are well-formed, because the desk made them; later versions of the format may only add fields.
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

/**
 * Returns the receipt that a text contains. The text is the receipt itself, or an order with a field `receipt`, or either of them
 * inside the `data` of an API answer.
 */
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

/** Decodes base64url without padding. Returns undefined if the text is not base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
