// The audit's own chain, made as that of the books: acts are sealed in the order of their commits, below the oldest running
// transaction. A seal's digest is made, under a key that the database doesn't have, of the acts below its end and of the digest
// before it. How far the chain has come is noted outside the database: its end can't be cut off.

import type { Fault, SealNote } from '../ledger/index.ts';
import { type Db, type Statements, bare, canonical, isDuplicate, isMac, log, macOf } from '../platform/index.ts';

/** An act of the audit, as it is written. */
export interface Act {
  readonly id: string;
  readonly at: Date;
  readonly by: string;
  readonly act: string;
  readonly subject: string;
  readonly reason: string;
  readonly outcome: string;
  readonly body: unknown;
}

interface Stored extends Act {
  readonly xid: string;
  readonly mac: string | null;
}

interface Seal {
  readonly number: string;
  /** The first transaction that is not in it any more. */
  readonly upto: string;
  readonly digest: string;
}

const FIRST: Seal = { number: '0', upto: '0', digest: '' };
/** No transaction is above it. */
const ENDLESS = '18446744073709551615';
/** Most acts of one seal; one transaction writes fewer. */
const MOST = 5_000;

/** All that an act says, as text that is the same in whatever order the keys of its body come back. */
const contentOf = ({ id, at, by, act, subject, reason, outcome, body }: Act): string =>
  canonical([id, at.toISOString(), by, act, subject, reason, outcome, JSON.parse(JSON.stringify(body))]);

/** The MAC that an act is written with. */
export const actMac = (act: Act): string => macOf('act', contentOf(act));

const isRight = (act: Stored): boolean => isMac('act', contentOf(act), act.mac);

const contentOfSeal = (before: Seal, { number, upto }: Omit<Seal, 'digest'>, acts: readonly Stored[]): string =>
  [bare(before.digest), number, upto, ...acts.map(({ id, mac }) => `${id} ${bare(mac)}`)].join('\n');

const readActs = (db: Statements, from: string, below: string): Promise<Stored[]> =>
  db.rows<Stored>(
    `select id, at, by, act, subject, reason, outcome, body, xid::text as xid, mac from audit
     where xid >= $1::xid8 and xid < $2::xid8 order by audit.xid, id limit $3`,
    [from, below, MOST],
    { name: 'operator.read_acts' },
  );

const newestSeal = async (db: Statements): Promise<Seal> =>
  (await db.row<Seal>('select number, upto::text as upto, digest from audit_seal order by number desc limit 1', [], {
    name: 'operator.newest_seal',
  })) ?? FIRST;

/**
 * Seals all acts that are complete, and raises an alarm for each that isn't what was written; gives how many were sealed.
 * Another process may do the same: one of the two seals, the other finds it done.
 */
export async function sealActs(db: Db, note?: SealNote): Promise<number> {
  let total = 0;
  for (;;) {
    const sealed = await sealOnce(db, note);
    total += sealed;
    if (sealed < MOST / 2) return total;
  }
}

async function sealOnce(db: Db, note: SealNote | undefined): Promise<number> {
  const before = await newestSeal(db);
  const row = await db.row<{ horizon: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as horizon', [], {
    name: 'operator.horizon',
  });
  const horizon = row?.horizon ?? '0';
  if (BigInt(horizon) <= BigInt(before.upto)) return 0;
  const found = await readActs(db, before.upto, horizon);
  if (found.length === 0) return 0;
  // A transaction is sealed whole.
  const last = found.at(-1)?.xid as string;
  const isAll = found.length < MOST;
  const acts = isAll ? found : found.filter(({ xid }) => xid !== last);
  const next = { number: String(BigInt(before.number) + 1n), upto: isAll ? horizon : last };
  const digest = macOf('audit seal', contentOfSeal(before, next, acts));
  try {
    await db.run(
      'insert into audit_seal (number, upto, acts, digest, at) values ($1, $2::xid8, $3, $4, clock_now())',
      [next.number, next.upto, acts.length, digest],
      { name: 'operator.seal' },
    );
  } catch (error) {
    if (isDuplicate(error, 'audit_seal_pkey')) return 0;
    throw error;
  }
  note?.write({ number: next.number, digest });
  for (const act of acts.filter((one) => !isRight(one)))
    log.alarm('an act of the audit is not what was written', { act: act.id });
  return acts.length;
}

/** What a proof of the audit came to. */
export interface AuditProof {
  readonly faults: readonly Fault[];
  readonly acts: number;
  /** Acts from before there were seals, of which nothing is proved. */
  readonly unmarked: number;
  readonly seals: string;
}

/**
 * Proves the audit whole: each act is what was written, what is sealed stands as it was sealed, and the chain reaches as far as
 * was noted. The note has to be read before the database is.
 */
export async function proveAudit(db: Statements, noted?: ReturnType<SealNote['read']>): Promise<AuditProof> {
  const faults: Fault[] = [];
  const fault = (account: string, words: string): void => void faults.push({ check: 'audit', account, words });
  let before = FIRST;
  let count = 0;
  const judge = (acts: readonly Stored[]): void => {
    count += acts.length;
    for (const act of acts.filter((one) => !isRight(one))) fault(`act ${act.id}`, 'is not what was written');
  };
  const seals = await db.rows<Seal>('select number, upto::text as upto, digest from audit_seal order by number');
  for (const seal of seals) {
    const acts = await readActs(db, before.upto, seal.upto);
    judge(acts);
    if (BigInt(seal.number) !== BigInt(before.number) + 1n) fault(`seal ${seal.number}`, `follows seal ${before.number}`);
    if (!isMac('audit seal', contentOfSeal(before, seal, acts), seal.digest))
      fault(`seal ${seal.number}`, 'what stands there is not what was sealed');
    before = seal;
  }
  for (let behind = before.upto; ;) {
    const found = await readActs(db, behind, ENDLESS);
    const last = found.length < MOST ? undefined : found.at(-1)?.xid;
    judge(found.filter(({ xid }) => xid !== last));
    if (last === undefined) break;
    behind = last;
  }
  const words = endFault(seals, noted);
  if (words !== undefined) fault('the chain', words);
  return { faults: [...faults, ...(await unmarkedFaults(db))], acts: count, unmarked: await unmarked(db), seals: before.number };
}

/** What is wrong with the end of the chain by what was noted of it; undefined for nothing. */
function endFault(seals: readonly Seal[], noted: ReturnType<SealNote['read']>): string | undefined {
  if (!noted) return undefined;
  const seal = seals.find(({ number }) => number === noted.number);
  if (!seal) return `the seal ${noted.number}, which was made, is not there`;
  return bare(seal.digest) === bare(noted.digest) ? undefined : `the seal ${noted.number} is not the one that was made`;
}

/** Acts without a mark are from before the first that has one, or were not written by us. */
const UNMARKED = 'xid is null or mac is null';

const unmarked = async (db: Statements): Promise<number> =>
  (await db.row<{ count: number }>(`select count(*)::int as count from audit where ${UNMARKED}`))?.count ?? 0;

async function unmarkedFaults(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<{ id: string }>(
    `select id from audit where (${UNMARKED}) and at > (select min(at) from audit where not (${UNMARKED})) limit 20`,
  );
  return rows.map(({ id }) => ({ check: 'audit', account: `act ${id}`, words: 'has no mark: we did not write it' }));
}

/** Raises an alarm where the chain does not hold the seal that was noted last: its end was cut off, or changed. */
export async function checkAuditNote(db: Statements, note: SealNote): Promise<void> {
  const noted = note.read();
  if (!noted) return;
  const rows = await db.rows<Seal>('select number, upto::text as upto, digest from audit_seal where number = $1', [noted.number]);
  const words = endFault(rows, noted);
  if (words !== undefined) log.alarm('the audit’s chain of seals is not the one that was made', { reason: words });
}
