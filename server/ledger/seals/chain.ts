// A chain of seals over rows that must not change: journals, and the audit.
//
// What is below the oldest running transaction is complete: nothing can be committed there any more. A seal's digest is made,
// under a key that the database doesn't have, of the rows below its end and of the digest before it, so that nothing can be
// changed, put in or taken out behind it unnoticed. How far the chain has come is noted outside the database too: its end
// can't be cut off.

import { readFileSync } from 'node:fs';
import { type Statements, bare, isDuplicate, isMac, log, macOf, replaceFile } from '../../platform/index.ts';

/** How far rows are sealed. */
export interface Seal {
  readonly number: string;
  /** The first transaction that is not in it any more. */
  readonly upto: string;
  readonly digest: string;
}

/** How far a chain was proved. */
export type Proven = Seal;
/** The same of several, by table. */
export type ProvenChains = Readonly<Record<string, Proven>>;

/** Rows in the order of commits. */
export interface Stretch<Row> {
  readonly rows: readonly Row[];
  /** The first transaction that was not read any more. */
  readonly upto: string;
  /** Nothing more stands below what was asked for. */
  readonly isAll: boolean;
}

/** What one chain seals, and how. `Wrong`: a sealed row that isn't what was written. */
export interface Chain<Row, Wrong = unknown> {
  readonly table: 'journal_seal' | 'audit_seal';
  /** The table of what it seals, with the transaction of each row as `xid`. */
  readonly of: 'journal_macs' | 'audit';
  /** How alarms name it. */
  readonly title: string;
  /** What the key is used for. */
  readonly purpose: 'seal' | 'audit seal';
  /** Reads rows of transactions from one on, below another; of many only the first, but of each transaction all. */
  readonly read: (db: Statements, from: string, below: string) => Promise<Stretch<Row>>;
  /** The lines of a digest that stand for a row. */
  readonly lineOf: (row: Row) => string;
  /** What isn't as it was written, which is asked once of all rows that are sealed. */
  readonly wrongOf: (rows: readonly Row[]) => readonly Wrong[];
  /** What a seal's row counts of the rows that it seals, by column. */
  readonly countsOf: (rows: readonly Row[], wrong: readonly Wrong[]) => Readonly<Record<string, number>>;
}

/** What is noted of a chain's end. `restored`: the last restore, by its id, that the chain had gone through by then. */
export interface Noted extends Pick<Seal, 'number' | 'digest'> {
  readonly restored?: string | undefined;
}

/** Where the end of a chain is noted, outside the database. */
export interface SealNote {
  read(): Noted | undefined;
  write(noted: Noted): void;
}

/** A note in a file, written whole or not at all. */
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
 * Notes how far a chain has come, unless what was noted before is not in it: the chain was cut off, or the database is older
 * than the note. Such a note stays as it is until people have decided.
 */
export async function noteSeal(db: Statements, chain: Pick<Chain<never>, 'table'>, note: SealNote, seal: Seal): Promise<void> {
  const before = note.read();
  if (before && (await noteFault(db, chain, before)) !== undefined) return;
  note.write({ number: seal.number, digest: seal.digest, restored: before?.restored });
}

/** Notes that a chain has gone through a restore that people have ended; its noted end stays. */
export function restampNote(note: SealNote, restored: string): void {
  const noted = note.read();
  if (noted) note.write({ number: noted.number, digest: noted.digest, restored });
}

/** Notes the end of a chain as it stands, in place of whatever was noted: people have ended a restore, which `restored` names. */
export async function renewNote(
  db: Statements,
  chain: Pick<Chain<never>, 'table'>,
  note: SealNote,
  restored: string,
): Promise<void> {
  const { number, digest } = await newestSeal(db, chain);
  note.write({ number, digest, restored });
}

/** Before the first seal. */
export const FIRST: Seal = { number: '0', upto: '0', digest: '' };

/** No transaction is above it. */
export const ENDLESS = '18446744073709551615';

const COLUMNS = 'number, upto::text as upto, digest';

/** The newest seal of a chain; `FIRST` where nothing is sealed yet. */
export async function newestSeal(db: Statements, { table }: Pick<Chain<never>, 'table'>): Promise<Seal> {
  const row = await db.row<Seal>(`select ${COLUMNS} from ${table} order by number desc limit 1`, [], { name: `${table}.newest` });
  return row ?? FIRST;
}

/** The seal of a number; undefined if the chain has none. */
export const sealOf = (db: Statements, { table }: Pick<Chain<never>, 'table'>, number: string): Promise<Seal | undefined> =>
  db.row<Seal>(`select ${COLUMNS} from ${table} where number = $1`, [number], { name: `${table}.by_number` });

/** Seals of the journals' chain behind one, up to another, with how many journals each has: of many only the first. */
export async function sealsAfter(
  db: Statements,
  behind: string,
  upto: string,
  most: number,
): Promise<(Seal & { readonly journals: number })[]> {
  return db.rows(
    `select ${COLUMNS}, journals::int from journal_seal where number > $1 and number <= $2 order by number limit $3`,
    [behind, upto, most],
    { name: 'journal_seal.after' },
  );
}

/** What was sealed at once. */
export interface Sealed<Row, Wrong> extends Stretch<Row> {
  readonly seal: Seal;
  readonly wrong: readonly Wrong[];
}

/**
 * Seals what is complete, as far as one reading goes: gives the seal and what it seals, or undefined if nothing was to seal or
 * another process did it at the same time. Raises an alarm where the database counts its transactions anew.
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
    const reason = `it counts its transactions anew: set its counter above ${before.upto} by pg_resetwal -x`;
    log.alarm(`${chain.title} can’t go on in this database`, { reason, horizon, sealed: before.upto });
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

/** Adds a seal to its chain; false if another process has added one of that number. */
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

/** What the digest of a seal is made of: of what it seals, as it stands, and of the digest before it. */
const contentOf = <Row>(
  { lineOf }: Pick<Chain<Row>, 'lineOf'>,
  before: Pick<Seal, 'digest'>,
  { number, upto }: Omit<Seal, 'digest'>,
  rows: readonly Row[],
): string => [bare(before.digest), number, upto, ...rows.map(lineOf)].join('\n');

/** What is told while a chain is walked. */
interface Walk<Row> {
  readonly onRows: (rows: readonly Row[]) => void;
  readonly onFault: (seal: string, words: string) => void;
  /** The last seal to walk to; without it the chain is walked to its end, and so is what stands behind that. */
  readonly to?: Seal | undefined;
}

/**
 * Walks a chain from a proven seal on, each row once, in order. Tells what is wrong with the chain (the seal and the words),
 * and gives the last seal.
 */
export async function walkChain<Row>(
  db: Statements,
  chain: Pick<Chain<Row>, 'table' | 'purpose' | 'read' | 'lineOf'>,
  from: Seal,
  { onRows, onFault, to }: Walk<Row>,
): Promise<Seal> {
  let before = from;
  if (from.number !== FIRST.number && !isSame(await sealOf(db, chain, from.number), from)) {
    onFault(`seal ${from.number}`, 'is not the one that was proved');
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
    // By whichever of our keys it was made: a newer one accuses nothing that an older one sealed.
    if (!isMac(chain.purpose, contentOf(chain, before, { number, upto }, rows), digest))
      onFault(name, 'what stands there is not what was sealed');
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

/** Is it the seal that was made, whichever of our keys wrote it? */
export const isSame = (seal: Pick<Seal, 'digest'> | undefined, made: { readonly digest: string }): boolean =>
  seal !== undefined && bare(seal.digest) === bare(made.digest);

/**
 * What is wrong with a chain by what was noted of its end; undefined for nothing. The note has to be read before the
 * database is: a seal that was made in between is not there yet for a reader that began before it.
 */
export async function noteFault(
  db: Statements,
  chain: Pick<Chain<never>, 'table'>,
  noted: Noted | undefined,
): Promise<string | undefined> {
  // Before the first seal there is nothing to compare.
  if (!noted || noted.number === FIRST.number) return undefined;
  const seal = await sealOf(db, chain, noted.number);
  if (!seal) return `the seal ${noted.number}, which was made, is not there`;
  return isSame(seal, noted) ? undefined : `the seal ${noted.number} is not the one that was made`;
}

/** Raises an alarm where a chain does not hold the seal that was noted last: its end was cut off, or changed. */
export async function checkChainNote(
  db: Statements,
  chain: Pick<Chain<never>, 'table' | 'title'>,
  note: SealNote,
): Promise<boolean> {
  const words = await noteFault(db, chain, note.read());
  if (words !== undefined) log.alarm(`${chain.title} is not the one that was sealed`, { reason: words });
  return words === undefined;
}
