// MACs: what was written into the database, under keys that it doesn't have. Whoever changes a row by SQL can't make its MAC.
//
// HMAC-SHA256 (RFC 2104), cut to its first 128 bits, in the 32 hexadecimal digits that PostgreSQL's uuid takes: the smallest
// form in which it can be kept. Nothing is claimed against who also holds the folder of keys.

import { type KeyObject, createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What a MAC is of: one of a kind of row can never stand for another's. */
export type MacPurpose =
  | 'journal'
  | 'seal'
  | 'proof'
  | 'payout'
  | 'attempt'
  | 'order'
  | 'withdrawal'
  | 'place'
  | 'payin'
  | 'event'
  | 'act'
  | 'audit seal';

let keys: ReadonlyMap<number, Buffer> = new Map();
const derived = new Map<string, KeyObject>();

/** Gives this process its keys, by version; once at start, before anything is posted. The newest makes, all are believed. */
export function configureMacs(given: ReadonlyMap<number, Buffer>): void {
  keys = given;
  derived.clear();
}

function keyOf(purpose: MacPurpose, version: number): KeyObject {
  const name = `${purpose} ${version}`;
  let key = derived.get(name);
  if (!key) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', keys.get(version) as Buffer, '', `kurs mac ${purpose}`, 32)));
    derived.set(name, key);
  }
  return key;
}

const make = (purpose: MacPurpose, version: number, content: string): string =>
  createHmac('sha256', keyOf(purpose, version)).update(content).digest('hex').slice(0, 32);

/** The MAC of what a row says, by the newest key. Throws where this process was given none. */
export function macOf(purpose: MacPurpose, content: string): string {
  if (keys.size === 0) throw new Error('This process has no keys for MACs: configureMacs was not called');
  return make(purpose, Math.max(...keys.keys()), content);
}

/** Is it the MAC of this content, by any of our keys? As the database shows it, with or without hyphens; null is none. */
export function isMac(purpose: MacPurpose, content: string, mac: string | null): boolean {
  if (mac === null) return false;
  const given = Buffer.from(mac.replaceAll('-', ''));
  for (const version of [...keys.keys()].toReversed()) {
    const expected = Buffer.from(make(purpose, version, content));
    if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
  }
  return false;
}
