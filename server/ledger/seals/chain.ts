// Chains of seals over rows that must not change. One chain covers the journals, another the audit.
//
// Only rows of transactions before the oldest running transaction are sealed, since no more rows of such transactions can
// appear. A seal's digest covers the rows since the previous seal and the previous seal's digest, under a key that the database
// doesn't have. A change of a sealed row, an added row and a removed row are therefore noticed. The last seal is also noted
// outside the database. Otherwise somebody could remove the last seals and their rows unnoticed.

import { readFileSync } from 'node:fs';
import { type Statements, bare, isDuplicate, isMac, log, macOf, replaceFile } from '../../platform/index.ts';

/** A seal over the rows since the previous seal. */
export interface Seal {
  readonly number: string;
  /** Id of the first transaction that the seal doesn't cover. */
  readonly upto: string;
  readonly digest: string;
}

/** Last seal that was proved. */
export type Proven = Seal;
/** Last proven seals of several chains of seals, by table. */
export type ProvenChains = Readonly<Record<string, Proven>>;

/** Consecutive rows that were read, in the order of their transactions. */
export interface Stretch<Row> {
  readonly rows: readonly Row[];
  /** Id of the first transaction whose rows were not read. */
  readonly upto: string;
  /** True if all rows below the requested end were read. */
  readonly isAll: boolean;
}

/**
 * Definition of a chain of seals: its tables, and functions to read and check its rows. `Wrong` describes a row that was
 * changed.
 */
export interface Chain<Row, Wrong = unknown> {
  readonly table: 'journal_seal' | 'audit_seal';
  /** Table of the rows to seal. Its column `xid` has the id of each row's transaction. */
  readonly of: 'journal_macs' | 'audit';
  /** Name of the chain of seals in alarms. */
  readonly title: string;
  /** Purpose of the key for the digests. */
  readonly purpose: 'seal' | 'audit seal';
  /**
   * Returns the rows of transactions from `from` (inclusive) to `below` (exclusive). The read may stop early, but never within
   * a transaction.
   */
  readonly read: (db: Statements, from: string, below: string) => Promise<Stretch<Row>>;
  /** Returns the text of a row that the digest covers. */
  readonly lineOf: (row: Row) => string;
  /** Describes the rows that were changed since they were written. Called before rows are sealed. */
  readonly wrongOf: (rows: readonly Row[]) => readonly Wrong[];
  /** Returns counts to store in the seal's row, by column. */
  readonly countsOf: (rows: readonly Row[], wrong: readonly Wrong[]) => Readonly<Record<string, number>>;
}

/**
 * Last seal of a chain, as noted outside the database. `restored`: id of the last restore that people had ended when the note
 * was written.
 */
export interface Noted extends Pick<Seal, 'number' | 'digest'> {
  readonly restored?: string | undefined;
}

/** Note of a chain's last seal, stored outside the database. */
export interface SealNote {
  read(): Noted | undefined;
  write(noted: Noted): void;
}

/** Returns a note that is stored in a file. The file is always replaced as a whole. */
export function sealNote(path: string): SealNote {
  return {
    read() {
      try {
        const { number, digest, restored } = JSON.parse(readFileSync(path, 'utf8')) as Noted;
        return { number, digest, ...(restored !== undefined && { restored }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    write({ number, digest, restored }) {
      replaceFile(path, `${JSON.stringify({ number, digest, restored })}\n`);
    },
  };
}

/**
 * Writes the last seal of a chain into the note. Does nothing if the chain lacks the seal of the present note. In this case the
 * end of the chain was cut off, or the database is older than the note, and the note stays until people have decided.
 */
export async function noteSeal(db: Statements, chain: Pick<Chain<never>, 'table'>, note: SealNote, seal: Seal): Promise<void> {
  const before = note.read();
  if (before && (await noteFault(db, chain, before)) !== undefined) return;
  note.write({ number: seal.number, digest: seal.digest, restored: before?.restored });
}

/** Records in the note that people have ended the restore `restored`. The seal in the note stays. */
export function restampNote(note: SealNote, restored: string): void {
  const noted = note.read();
  if (noted) note.write({ number: noted.number, digest: noted.digest, restored });
}

/** Overwrites the note: the newest seal of a chain, and the restore `restored`, which people have ended. */
export async function renewNote(
  db: Statements,
  chain: Pick<Chain<never>, 'table'>,
  note: SealNote,
  restored: string,
): Promise<void> {
  const { number, digest } = await newestSeal(db, chain);
  note.write({ number, digest, restored });
}

/** Represents the position before the first seal. */
export const FIRST: Seal = { number: '0', upto: '0', digest: '' };

/** Maximum of PostgreSQL's xid8, above every transaction id. */
export const ENDLESS = '18446744073709551615';

const COLUMNS = 'number, upto::text as upto, digest';

/** Returns the newest seal of a chain; `FIRST` if nothing is sealed. */
export async function newestSeal(db: Statements, { table }: Pick<Chain<never>, 'table'>): Promise<Seal> {
  const row = await db.row<Seal>(`select ${COLUMNS} from ${table} order by number desc limit 1`, [], { name: `${table}.newest` });
  return row ?? FIRST;
}

/** Returns the seal with this number; undefined if the chain doesn't have it. */
export const sealOf = (db: Statements, { table }: Pick<Chain<never>, 'table'>, number: string): Promise<Seal | undefined> =>
  db.row<Seal>(`select ${COLUMNS} from ${table} where number = $1`, [number], { name: `${table}.by_number` });

/**
 * Returns seals of the journals with numbers above `behind`, up to and including `upto`, at most `max`. Each has its number of
 * journals.
 */
export async function sealsAfter(
  db: Statements,
  behind: string,
  upto: string,
  max: number,
): Promise<(Seal & { readonly journals: number })[]> {
  return db.rows(
    `select ${COLUMNS}, journals::int from journal_seal where number > $1 and number <= $2 order by number limit $3`,
    [behind, upto, max],
    { name: 'journal_seal.after' },
  );
}

/** A new seal, with the rows that it covers. `wrong` describes the rows that were changed. */
export interface Sealed<Row, Wrong> extends Stretch<Row> {
  readonly seal: Seal;
  readonly wrong: readonly Wrong[];
}

/**
 * Reads and seals rows of transactions before the oldest running transaction. Returns the seal and its rows. Undefined if there
 * was nothing to seal, or if another process sealed the rows first. Raises an alarm if the database's transaction ids have
 * started again from lower numbers.
 */
export async function sealNext<Row, Wrong>(db: Statements, chain: Chain<Row, Wrong>): Promise<Sealed<Row, Wrong> | undefined> {
  const { horizon, isAny, ...newest } = (await db.row<Seal & { horizon: string; isAny: boolean }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, seal.*,
       exists (select from ${chain.of} as row where row.xid >= coalesce(seal.upto, '0')::xid8) as "isAny"
     from (values (1)) as one (row) left join (select ${COLUMNS} from ${chain.table} order by number desc limit 1) as seal on true`,
    [],
    { name: `${chain.table}.newest_with_horizon` },
  )) as Seal & { horizon: string; isAny: boolean };
  const before = newest.number === null ? FIRST : newest;
  if (BigInt(horizon) < BigInt(before.upto)) {
    const reason = `its transaction counter was reset: set it above ${before.upto} by pg_resetwal -x`;
    log.alarm(`${chain.title} can’t continue in this database`, { reason, horizon, sealed: before.upto });
    return undefined;
  }
  if (!isAny) return undefined;
  const found = await chain.read(db, before.upto, horizon);
  if (found.rows.length === 0) return undefined;
  const number = String(BigInt(before.number) + 1n);
  const digest = macOf(chain.purpose, contentOf(chain, before, { number, upto: found.upto }, found.rows));
  const seal = { number, upto: found.upto, digest };
  const wrong = chain.wrongOf(found.rows);
  return (await addSeal(db, chain, seal, chain.countsOf(found.rows, wrong))) ? { ...found, seal, wrong } : undefined;
}

/** Stores a seal. Returns false if another process has stored a seal with the same number. */
async function addSeal(
  db: Statements,
  { table }: Pick<Chain<never>, 'table'>,
  { number, upto, digest }: Seal,
  counts: Readonly<Record<string, number>>,
): Promise<boolean> {
  const [columns, values] = [Object.keys(counts), Object.values(counts)];
  try {
    await db.run(
      `insert into ${table} (number, upto, digest, at, ${columns.join(', ')})
       values ($1, $2::xid8, $3, clock_now(), ${columns.map((_, n) => `$${n + 4}`).join(', ')})`,
      [number, upto, digest, ...values],
      { name: `${table}.add` },
    );
    return true;
  } catch (error) {
    if (isDuplicate(error, `${table}_pkey`)) return false;
    throw error;
  }
}

/** Returns the content of a seal's digest: the previous digest, the seal's number and end, and its rows. */
const contentOf = <Row>(
  { lineOf }: Pick<Chain<Row>, 'lineOf'>,
  before: Pick<Seal, 'digest'>,
  { number, upto }: Omit<Seal, 'digest'>,
  rows: readonly Row[],
): string => [bare(before.digest), number, upto, ...rows.map(lineOf)].join('\n');

/** Callbacks for reading a chain of seals, and the seal at which to stop. */
interface Walk<Row> {
  readonly onRows: (rows: readonly Row[]) => void;
  readonly onFault: (seal: string, words: string) => void;
  /** Last seal to read. If absent, all seals are read, and then the unsealed rows. */
  readonly to?: Seal | undefined;
}

/**
 * Reads and verifies a chain of seals, starting after a proven seal. `onRows` gets each row once, in order; `onFault` gets a
 * seal's name and its fault in words. Returns the last seal.
 */
export async function walkChain<Row>(
  db: Statements,
  chain: Pick<Chain<Row>, 'table' | 'purpose' | 'read' | 'lineOf'>,
  from: Seal,
  { onRows, onFault, to }: Walk<Row>,
): Promise<Seal> {
  let before = from;
  if (from.number !== FIRST.number && !isSame(await sealOf(db, chain, from.number), from)) {
    onFault(`seal ${from.number}`, 'differs from the proven seal');
    before = FIRST;
  }
  const seals = await db.rows<Seal>(
    `select ${COLUMNS} from ${chain.table} where number > $1 and ($2::bigint is null or number <= $2) order by number`,
    [before.number, to?.number ?? null],
  );
  for (const { number, upto, digest } of seals) {
    const name = `seal ${number}`;
    if (BigInt(number) !== BigInt(before.number) + 1n) onFault(name, `follows seal ${before.number}`);
    const { rows } = await chain.read(db, before.upto, upto);
    onRows(rows);
    // Accepts any version of the key, so that seals made under an older key stay valid.
    if (!isMac(chain.purpose, contentOf(chain, before, { number, upto }, rows), digest))
      onFault(name, 'the sealed rows were altered');
    before = { number, upto, digest };
  }
  if (to) return before;
  for (let behind = before.upto; ;) {
    const { rows, upto, isAll } = await chain.read(db, behind, ENDLESS);
    onRows(rows);
    if (isAll) return before;
    behind = upto;
  }
}

/** True if the seal exists and has this digest. Hyphens are ignored. */
export const isSame = (seal: Pick<Seal, 'digest'> | undefined, made: { readonly digest: string }): boolean =>
  seal !== undefined && bare(seal.digest) === bare(made.digest);

/**
 * Compares a chain of seals with the seal in the note. Returns the fault; undefined if the chain has this seal. Read the note
 * before the database snapshot begins, since the snapshot doesn't show later seals.
 */
export async function noteFault(
  db: Statements,
  chain: Pick<Chain<never>, 'table'>,
  noted: Noted | undefined,
): Promise<string | undefined> {
  // A note that was written before the first seal proves nothing.
  if (!noted || noted.number === FIRST.number) return undefined;
  const seal = await sealOf(db, chain, noted.number);
  if (!seal) return `the seal ${noted.number} is missing`;
  return isSame(seal, noted) ? undefined : `the seal ${noted.number} was altered`;
}

/**
 * Raises an alarm if a chain lacks the seal in the note, since its end was cut off or changed. Returns true if the chain has
 * this seal.
 */
export async function checkChainNote(
  db: Statements,
  chain: Pick<Chain<never>, 'table' | 'title'>,
  note: SealNote,
): Promise<boolean> {
  const words = await noteFault(db, chain, note.read());
  if (words !== undefined) log.alarm(`${chain.title} differs from its note`, { reason: words });
  return words === undefined;
}
