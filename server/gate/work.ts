// Work by time: letters about API keys that end.

import type { Sender } from '../deliveries/index.ts';
import { type Db, every } from '../platform/index.ts';
import { mailEndingKeys } from './keys/ending-keys.ts';

const KEYS_MS = 600_000;

/** Runs the room's loops in a worker, until they are stopped. */
export const runGate = (db: Db, sender: Sender): { stop(): Promise<void> } =>
  every(KEYS_MS, 'gate.key_letters', () => mailEndingKeys(db, sender));
