import { join } from 'node:path';
import { type SealNote, isBefore, sealNote } from '../ledger/index.ts';
import {
  type Config,
  ConfigError,
  type Statements,
  areSettingsBefore,
  booksKeys,
  configureMacs,
  configureSecretHashes,
  serverKeys,
} from '../platform/index.ts';

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

/** Answers whether an earlier version wrote some rows of a database, without the marks that this version asks for. */
type FromBefore = (db: Statements) => Promise<boolean>;

/** True if a table has rows and none of them has a MAC in this column. */
const lacksMacs =
  (table: string, column: string): FromBefore =>
  async (db) => {
    const row = await db.row<{ before: boolean }>(
      `select exists (select from ${table}) and not exists (select from ${table} where ${column} is not null) as before`,
    );
    return row?.before === true;
  };

/** All marks that this version asks for. A table whose rows get MACs adds a line here. */
const FROM_BEFORE: readonly FromBefore[] = [
  isBefore,
  areSettingsBefore,
  lacksMacs('reward', 'mac'),
  lacksMacs('customer_order', 'mac'),
  lacksMacs('coupon', 'mac'),
  lacksMacs('account_holder', 'mac'),
  lacksMacs('earn_draw', 'mac'),
  lacksMacs('earn_order', 'mac'),
  lacksMacs('operator', 'mac'),
  lacksMacs('affiliate', 'mac'),
  lacksMacs('binding', 'mac'),
  lacksMacs('referred_order', 'mac'),
  lacksMacs('customer_level', 'mac'),
  lacksMacs('customer', 'mac'),
  lacksMacs('turnover_day', 'mac'),
  lacksMacs('mail', 'mac'),
];

/** Throws a ConfigError, with what to do, for a database in which an earlier version wrote rows without these marks. */
export async function refuseBooksFromBefore(
  db: Statements,
  { KURS_DATA: folder, KURS_MODE: mode }: Pick<Config, 'KURS_DATA' | 'KURS_MODE'>,
): Promise<void> {
  for (const isFromBefore of FROM_BEFORE) {
    if (await isFromBefore(db)) throw new ConfigError(mode === 'sandbox' ? anew(folder) : LIVE);
  }
}

const anew = (
  folder: string,
): string => `This sandbox's data is of an earlier version: its books lack the marks that show today who wrote them, and none can be made now.
Nothing of it is real money. Begin anew: remove ${folder} (with your own DATABASE_URL also that database) and start again.

Данные этой песочницы созданы прежней версией: в её книгах нет нынешних отметок о том, кто их вёл, и сделать их теперь нельзя.
Настоящих денег в ней нет. Начните заново: удалите ${folder} (а если задан DATABASE_URL, то и ту базу) и запустите снова.`;

const LIVE = `This database's books were kept by an earlier version: they lack the marks that show today who wrote them, and none can be made now.
Nothing was changed. Start the earlier version again, pay out what is owed, and begin anew with an empty database and data folder.

Книги в этой базе вела прежняя версия: в них нет нынешних отметок о том, кто их вёл, и сделать их теперь нельзя.
Ничего не изменено. Запустите прежнюю версию, выплатите всё, что должны, и начните заново с пустой базой и папкой данных.`;
