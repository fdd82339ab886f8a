import { join } from 'node:path';
import { type SealNote, sealNote } from '../ledger/index.ts';
import { type Config, ConfigError, booksKeys, configureMacs, configureSecretHashes, serverKeys } from '../platform/index.ts';

/**
 * Sets the keys of this process for the books' MACs and for stored secrets, and returns the note of the last seal of the books.
 * Needs the keys of the server and of the books.
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

/** Sets the keys of the books' MACs alone: the signer needs no others. */
export function openMacs({ KURS_DATA: folder }: Pick<Config, 'KURS_DATA'>): void {
  configureMacs(booksKeys(folder));
}

/** Returns the note of the last seal of the audit. */
export const openAuditNote = ({ KURS_DATA: folder }: Pick<Config, 'KURS_DATA'>): SealNote =>
  sealNote(join(folder, 'keys', 'audit.seal'));
