import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a text's UTF-8 bytes in lower-case hex. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Whether two texts are the same, in a time that tells nothing about where they differ. */
export function equalText(a: string, b: string): boolean {
  const [left, right] = [createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest()];
  return timingSafeEqual(left, right) && a.length === b.length;
}
