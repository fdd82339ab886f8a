import { createHash } from 'node:crypto';

/** The mark as pictures for where no drawing is taken: the file's name, what of the kit it shows, and its side in pixels. */
export const PNGS = [
  { name: 'mark-256.png', of: 'brand/mark.svg', side: 256 },
  { name: 'mark-512.png', of: 'brand/mark.svg', side: 512 },
  { name: 'mark-1024.png', of: 'brand/mark.svg', side: 1024 },
  { name: 'mark-dark-512.png', of: 'brand/mark-dark.svg', side: 512 },
] as const;

/** By what a picture is known to be up to date: a hash of the drawing that it shows. */
export const sourceOf = (kit: Readonly<Record<string, string>>, name: string): string =>
  createHash('sha256')
    .update(kit[name] ?? '')
    .digest('hex')
    .slice(0, 16);
