import { createHash } from 'node:crypto';

/**
 * The id of something that happens once: a uuid made of its name's hash (RFC 9562, version 8). The ledger takes a journal under it
 * once, also where somebody deletes the row by SQL or writes an older one back.
 */
export function idOnce(name: string): string {
  const hex = createHash('sha256').update(`earn ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
