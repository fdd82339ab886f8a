import { createHash } from 'node:crypto';

/** PNG files of the mark, for places that accept no SVG: the file's name, its source in the kit, and its side in pixels. */
export const PNGS = [
  { name: 'mark-256.png', of: 'brand/mark.svg', side: 256 },
  { name: 'mark-512.png', of: 'brand/mark.svg', side: 512 },
  { name: 'mark-1024.png', of: 'brand/mark.svg', side: 1024 },
  { name: 'mark-dark-512.png', of: 'brand/mark-dark.svg', side: 512 },
] as const;

/** Returns the hash of a drawing in the kit. A PNG file that was made from a drawing with another hash is out of date. */
export const sourceOf = (kit: Readonly<Record<string, string>>, name: string): string =>
  createHash('sha256')
    .update(kit[name] ?? '')
    .digest('hex')
    .slice(0, 16);
