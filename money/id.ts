/** Crockford's base 32: without I, L, O and U, so that a number can be read out and typed back. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Makes an order's number for people: a prefix, 7 characters and a check character (`KX-7F3Q-2M8C`). Takes 5 random bytes, of
 * which 35 bits are used. The check detects any single wrong character and any swap of neighbours.
 */
export function orderNumber(random: Uint8Array, prefix = 'KX'): string {
  if (random.length < 5) throw new RangeError('An order number takes 5 random bytes');
  let value = random.subarray(0, 5).reduce((sum, byte) => sum * 256 + byte, 0);
  let body = '';
  for (let index = 0; index < 7; index += 1) {
    body = ALPHABET.charAt(value % 32) + body;
    value = Math.floor(value / 32);
  }
  const text = body + checkCharacter(body);
  return `${prefix}-${text.slice(0, 4)}-${text.slice(4)}`;
}

/** Returns true if a text has the format of an order's number and the right check character. */
export function isOrderNumber(text: string): boolean {
  const match = /^[A-Z]{2}-([0-9A-HJKMNP-TV-Z]{4})-([0-9A-HJKMNP-TV-Z]{4})$/.exec(text);
  if (!match) return false;
  const characters = `${match[1]}${match[2]}`;
  return checkCharacter(characters.slice(0, 7)) === characters[7];
}

/**
 * Returns the check character of 7 characters. Each character is an element of the field GF(2⁵) and is multiplied by a different
 * power of 2; the check is the sum of the products.
 * All these powers differ and none is 0, so the check changes with any single character and any swap of two. A sum modulo 31
 * would confuse 0 with Z. A sum modulo 32 would lose information by even weights.
 */
function checkCharacter(body: string): string {
  let sum = 0;
  for (const character of body) sum = doubled(sum ^ ALPHABET.indexOf(character));
  return ALPHABET.charAt(sum);
}

/** Doubles an element of GF(2⁵), by the polynomial x⁵ + x² + 1. */
function doubled(element: number): number {
  return element & 16 ? (element << 1) ^ 0b100101 : element << 1;
}

/**
 * Makes a version 7 UUID (RFC 9562 §5.7): 48 bits of milliseconds, then 74 random bits. Takes milliseconds since 1970 and 10
 * random bytes, since this package reads no clock and no random source.
 */
export function uuidv7(milliseconds: number, random: Uint8Array): string {
  if (random.length < 10) throw new RangeError('A uuid takes 10 random bytes');
  const time = milliseconds.toString(16).padStart(12, '0');
  const hex = Array.from(random.subarray(0, 10), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((((random[2] as number) & 0x3f) | 0x80) >>> 0).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(1, 4)}-${variant}${hex.slice(6, 8)}-${hex.slice(8, 20)}`;
}
