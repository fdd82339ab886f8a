import type { Config } from '../platform/index.ts';
import { derivePublicKeys } from '../rails/index.ts';
import { loadSeed, publishKeys } from '../signing/index.ts';

/** Writes what everyone may know of the seed in the folder of keys, for the processes that have no seed. */
export async function publishPublicKeys(config: Pick<Config, 'KURS_DATA' | 'KURS_BITCOIN_NETWORK'>): Promise<void> {
  publishKeys(config.KURS_DATA, await derivePublicKeys(loadSeed(config.KURS_DATA), config.KURS_BITCOIN_NETWORK));
}
