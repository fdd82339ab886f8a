import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns the SHA-256 of a text's UTF-8 bytes in lower-case hex. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** True if two texts are equal. The time of the comparison doesn't reveal where they differ. */
export function equalText(a: string, b: string): boolean {
  const [left, right] = [createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest()];
  return timingSafeEqual(left, right) && a.length === b.length;
}
