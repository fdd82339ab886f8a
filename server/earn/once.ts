import { createHash } from 'node:crypto';

/**
 * Returns the id of something that happens once: a uuid of its name's hash (RFC 9562, version 8). The ledger accepts one journal
 * under it, even if somebody deletes the row by SQL or restores an older one.
 */
export function idOnce(name: string): string {
  const hex = createHash('sha256').update(`earn ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
