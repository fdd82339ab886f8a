import { createHmac } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes base32 (RFC 4648). */
function bytesOf(text: string): Buffer {
  let bits = 0n;
  for (const letter of text) bits = bits * 32n + BigInt(LETTERS.indexOf(letter));
  const bytes = Math.floor((text.length * 5) / 8);
  return Buffer.from((bits >> BigInt(text.length * 5 - bytes * 8)).toString(16).padStart(bytes * 2, '0'), 'hex');
}

/**
 * Returns the code that an authenticator app shows `later` steps of 30 s from now: an implementation of RFC 6238 without any code
 * of the product.
 */
export function authenticatorShows(secret: string, later = 0): string {
  const step = Math.floor(Date.now() / 30_000) + later;
  const mac = createHmac('sha1', bytesOf(secret))
    .update(Buffer.from(step.toString(16).padStart(16, '0'), 'hex'))
    .digest('hex');
  const at = Number.parseInt(mac.slice(-1), 16) * 2;
  const number = Number.parseInt(mac.slice(at, at + 8), 16) % 2 ** 31;
  return number.toString().slice(-6).padStart(6, '0');
}
