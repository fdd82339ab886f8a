import { join } from 'node:path';
import { type SealNote, sealNote } from '../ledger/index.ts';
import { type Config, ConfigError, booksKeys, configureMacs, configureSecretHashes, serverKeys } from '../platform/index.ts';

/**
 * Gives this process the keys of the books' MACs and of what is stored of secrets, and returns where the end of the chain of seals
 * is noted. Needs the keys of the server and of the books.
 */
export function openBooks({
  KURS_DATA: folder,
  KURS_ROLE: role,
}: Pick<Config, 'KURS_DATA'> & Partial<Pick<Config, 'KURS_ROLE'>>): SealNote {
  if (role === 'signer') {
    throw new ConfigError(
      'KURS_ROLE=signer: this machine has neither the keys nor the rights for that. Do it on a machine with an api or a worker.',
    );
  }
  openMacs({ KURS_DATA: folder });
  configureSecretHashes(serverKeys(folder));
  return sealNote(join(folder, 'keys', 'books.seal'));
}

/** Gives this process the keys of the books' MACs alone: all that the signer needs. */
export function openMacs({ KURS_DATA: folder }: Pick<Config, 'KURS_DATA'>): void {
  configureMacs(booksKeys(folder));
}

/** Where the end of the audit's chain of seals is noted. */
export const openAuditNote = ({ KURS_DATA: folder }: Pick<Config, 'KURS_DATA'>): SealNote =>
  sealNote(join(folder, 'keys', 'audit.seal'));
