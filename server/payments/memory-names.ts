// Names of spends and addresses on a memory rail.

import { createHash } from 'node:crypto';

/** Returns the slot number of a hot wallet's spend (7 for `slot:7`); −1 for any other spend. */
export function slotOf(spend: string): number {
  return spend.startsWith('slot:') ? Number.parseInt(spend.slice('slot:'.length), 10) : -1;
}

/** Returns twenty hexadecimal digits of a text's SHA-256. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** Returns the set of a key, creating it if there is none. */
export function setOf(map: Map<string, Set<string>>, key: string): Set<string> {
  let set = map.get(key);
  if (!set) map.set(key, (set = new Set()));
  return set;
}
