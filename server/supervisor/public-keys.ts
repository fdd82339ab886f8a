import { join } from 'node:path';
import { type Config, ConfigError, namesOf } from '../platform/index.ts';
import { type PublicKeys, derivePublicKeys } from '../rails/index.ts';
import { loadSeed, publishKeys, readPublicKeys } from '../signing/index.ts';

type Where = Pick<Config, 'KURS_DATA' | 'KURS_BITCOIN_NETWORK'>;

/** Writes the public keys of the seed into the folder of keys, for processes without the seed. */
export async function publishPublicKeys(config: Where): Promise<void> {
  publishKeys(config.KURS_DATA, await derivePublicKeys(loadSeed(config.KURS_DATA), config.KURS_BITCOIN_NETWORK));
}

/**
 * Returns the public keys of this installation: derived from the seed if it is here, else as published. Throws a `ConfigError` if
 * neither exists.
 */
export async function ownPublicKeys({ KURS_DATA: folder, KURS_BITCOIN_NETWORK: network }: Where): Promise<PublicKeys> {
  const names = namesOf(folder);
  if (names.includes('seed')) return derivePublicKeys(loadSeed(folder), network);
  if (names.includes('public.json')) return readPublicKeys(folder);
  throw new ConfigError(`There is neither a seed nor public.json in ${join(folder, 'keys')}.`);
}
