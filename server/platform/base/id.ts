// Ids: uuid version 7 (RFC 9562 §5.7). Ids that are created later sort later. Ids of texts are version 8.

import { createHash, randomBytes, randomFillSync } from 'node:crypto';

let lastMs = 0;
let counter = 0;

const SIZE = 16;
/**
 * Random bytes for the next ids. The bytes are generated for 256 ids at once, since a call of the generator costs more than the
 * rest of an id.
 */
const pool = Buffer.alloc(256 * SIZE);
let used = pool.length;

function fresh(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += SIZE;
  return pool.subarray(used - SIZE, used);
}

/**
 * Returns a new uuid v7. Ids of one process are strictly increasing: the 12 bits after the time are a counter (RFC 9562 §6.2,
 * method 1). If the counter overflows, the time in the id advances by a millisecond.
 */
export function newId(): string {
  const ms = Date.now();
  if (ms > lastMs) {
    lastMs = ms;
    counter = randomBytes(2).readUInt16BE() & 0x3ff;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const bytes = fresh();
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the id of a text, always the same one: a uuid of its hash (RFC 9562 §5.8, version 8). */
export function idOfText(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
