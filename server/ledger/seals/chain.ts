// A chain of seals over rows that must not change: journals, and the audit.
//
// Rows of transactions below the oldest running one are complete: nothing more can be committed there. A seal's digest covers the
// rows since the previous seal and the previous digest, under a key that the database doesn't have. So no sealed row can be
// changed, added or removed unnoticed. The end of the chain is also noted outside the database, so that it can't be cut off.

import { readFileSync } from 'node:fs';
import { type Statements, bare, isDuplicate, isMac, log, macOf, replaceFile } from '../../platform/index.ts';

/** A seal: a link of the chain, up to a transaction. */
export interface Seal {
  readonly number: string;
  /** First transaction that the seal doesn't cover. */
  readonly upto: string;
  readonly digest: string;
}

/** Last seal that was proved. */
export type Proven = Seal;
/** Last proven seals of several chains, by table. */
export type ProvenChains = Readonly<Record<string, Proven>>;

/** Consecutive rows in the order of commits. */
export interface Stretch<Row> {
  readonly rows: readonly Row[];
  /** First transaction that was not read. */
  readonly upto: string;
  /** True if no more rows exist below the requested end. */
  readonly isAll: boolean;
}

/** Definition of a chain: its tables, and functions to read and seal rows. `Wrong` describes a sealed row that was changed. */
export interface Chain<Row, Wrong = unknown> {
  readonly table: 'journal_seal' | 'audit_seal';
  /** The table whose rows are sealed, with the transaction of each row as `xid`. */
  readonly of: 'journal_macs' | 'audit';
  /** Name of the chain in alarms. */
  readonly title: string;
  /** Purpose of the key. */
  readonly purpose: 'seal' | 'audit seal';
  /** Reads the rows of transactions from `from` on and below `below`. It may stop early, but never within a transaction. */
  readonly read: (db: Statements, from: string, below: string) => Promise<Stretch<Row>>;
  /** Returns the lines that stand for a row in the digest. */
  readonly lineOf: (row: Row) => string;
  /** Returns the rows that are not as they were written. Called once for all rows that are sealed. */
  readonly wrongOf: (rows: readonly Row[]) => readonly Wrong[];
  /** Returns the counts to store in the seal's row, by column. */
  readonly countsOf: (rows: readonly Row[], wrong: readonly Wrong[]) => Readonly<Record<string, number>>;
}

/** Noted end of a chain. `restored`: id of the last restore that was ended before the note was written. */
export interface Noted extends Pick<Seal, 'number' | 'digest'> {
  readonly restored?: string | undefined;
}

/** Storage of a chain's noted end, outside the database. */
export interface SealNote {
  read(): Noted | undefined;
  write(noted: Noted): void;
}

/** Returns a note stored in a file, which is always replaced as a whole. */
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
 * Notes the end of a chain, unless the seal noted before is not in it: then the chain was cut off, or the database is older than
 * the note. Such a note stays until people have decided.
 */
export async function noteSeal(db: Statements, chain: Pick<Chain<never>, 'table'>, note: SealNote, seal: Seal): Promise<void> {
  const before = note.read();
  if (before && (await noteFault(db, chain, before)) !== undefined) return;
  note.write({ number: seal.number, digest: seal.digest, restored: before?.restored });
}

/** Notes the restore that people have just ended. The noted end stays. */
export function restampNote(note: SealNote, restored: string): void {
  const noted = note.read();
  if (noted) note.write({ number: noted.number, digest: noted.digest, restored });
}

/** Notes the current end of a chain, overwriting any note: people have ended the restore `restored`. */
export async function renewNote(
  db: Statements,
  chain: Pick<Chain<never>, 'table'>,
  note: SealNote,
  restored: string,
): Promise<void> {
  const { number, digest } = await newestSeal(db, chain);
  note.write({ number, digest, restored });
}

/** Position before the first seal. */
export const FIRST: Seal = { number: '0', upto: '0', digest: '' };

/** Above every transaction id (the maximum of xid8). */
export const ENDLESS = '18446744073709551615';

const COLUMNS = 'number, upto::text as upto, digest';

/** Returns the newest seal of a chain; `FIRST` if nothing is sealed yet. */
export async function newestSeal(db: Statements, { table }: Pick<Chain<never>, 'table'>): Promise<Seal> {
  const row = await db.row<Seal>(`select ${COLUMNS} from ${table} order by number desc limit 1`, [], { name: `${table}.newest` });
  return row ?? FIRST;
}

/** Returns the seal with a number; undefined if the chain has none. */
export const sealOf = (db: Statements, { table }: Pick<Chain<never>, 'table'>, number: string): Promise<Seal | undefined> =>
  db.row<Seal>(`select ${COLUMNS} from ${table} where number = $1`, [number], { name: `${table}.by_number` });

/** Returns the first `max` seals of the journals' chain after `behind`, up to `upto`, each with its number of journals. */
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

/** A new seal, with the rows that it covers and those found wrong. */
export interface Sealed<Row, Wrong> extends Stretch<Row> {
  readonly seal: Seal;
  readonly wrong: readonly Wrong[];
}

/**
 * Seals complete rows, as far as one read goes. Returns the seal and its rows; undefined if there was nothing to seal or another
 * process was first. Raises an alarm if the database's transaction ids have started again from lower numbers.
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

/** Adds a seal to its chain. Returns false if another process has added a seal with that number. */
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

/** Content of a seal's digest: the rows that it covers, and the previous digest. */
const contentOf = <Row>(
  { lineOf }: Pick<Chain<Row>, 'lineOf'>,
  before: Pick<Seal, 'digest'>,
  { number, upto }: Omit<Seal, 'digest'>,
  rows: readonly Row[],
): string => [bare(before.digest), number, upto, ...rows.map(lineOf)].join('\n');

/** Callbacks and end of a walk through a chain. */
interface Walk<Row> {
  readonly onRows: (rows: readonly Row[]) => void;
  readonly onFault: (seal: string, words: string) => void;
  /** Last seal to walk to. Without it, the walk goes to the chain's end and on through the unsealed rows. */
  readonly to?: Seal | undefined;
}

/**
 * Walks through a chain from a proven seal on, each row once, in order. Reports faults by seal and words, and returns the last
 * seal.
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

/** True if both digests are the same, apart from the version of the key. */
export const isSame = (seal: Pick<Seal, 'digest'> | undefined, made: { readonly digest: string }): boolean =>
  seal !== undefined && bare(seal.digest) === bare(made.digest);

/**
 * Compares a chain with the noted end. Returns the fault; undefined if there is none. Read the note before the database snapshot
 * begins: a seal made later is not visible in the snapshot.
 */
export async function noteFault(
  db: Statements,
  chain: Pick<Chain<never>, 'table'>,
  noted: Noted | undefined,
): Promise<string | undefined> {
  // A note from before the first seal proves nothing.
  if (!noted || noted.number === FIRST.number) return undefined;
  const seal = await sealOf(db, chain, noted.number);
  if (!seal) return `the seal ${noted.number} is missing`;
  return isSame(seal, noted) ? undefined : `the seal ${noted.number} was altered`;
}

/** Raises an alarm if a chain lacks the seal that was noted last: its end was cut off or changed. */
export async function checkChainNote(
  db: Statements,
  chain: Pick<Chain<never>, 'table' | 'title'>,
  note: SealNote,
): Promise<boolean> {
  const words = await noteFault(db, chain, note.read());
  if (words !== undefined) log.alarm(`${chain.title} differs from its note`, { reason: words });
  return words === undefined;
}
