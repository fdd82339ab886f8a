// Checks that the signer's journal and the database belong together. After a restore one of the two may be older: sent payouts
// could then be paid again, so nothing is signed.

import { type Db, type Statements, every, monotonicMs } from '../platform/index.ts';
import {
  type SignedEntry,
  type UnexplainedLine,
  type UnrecordedContent,
  isUnrecordedAsWritten,
  transactionOf,
} from '../rails/index.ts';
import type { Journal } from './journal.ts';

/** Result of a comparison. */
export interface Compared {
  /** Why nothing at all is signed: the journal is older than the database, or lost. */
  readonly stopped?: string;
  /** Lines that the database doesn't explain and nobody has decided: nothing is signed for their rails. */
  readonly unexplained: readonly UnexplainedLine[];
}

/** The comparison of a running signer. */
export interface BooksComparison {
  /** Returns the result of now, or of a moment ago. Throws if the database does not answer. */
  readonly now: () => Promise<Compared>;
  /** Result of the last finished comparison. */
  readonly last: Compared | undefined;
  stop(): Promise<void>;
}

/**
 * Time for which a comparison without findings is valid. One with findings is repeated at once, since people may have decided.
 */
const GOOD_MS = 60_000;

/** Compares journal and database each minute, and before anything is signed. */
export function openBooksComparison(db: Db, journal: Journal, rails: readonly string[]): BooksComparison {
  let last: { readonly compared: Compared; readonly at: number } | undefined;
  const now = async (): Promise<Compared> => {
    const isGood = last && last.compared.stopped === undefined && last.compared.unexplained.length === 0;
    if (last && isGood && monotonicMs() - last.at < GOOD_MS) return last.compared;
    const compared = await compareWithBooks(db, journal, { rails, isWhole: last === undefined || !isGood });
    last = { compared, at: monotonicMs() };
    return compared;
  };
  const loop = every(GOOD_MS / 2, 'signer.books', now);
  return {
    now,
    get last() {
      return last?.compared;
    },
    stop: () => loop.stop(),
  };
}

/** Starts a new journal after a person confirms that the journal of all sends so far is lost. */
export async function beginJournal(db: Statements, journal: Journal, now: Date): Promise<void> {
  const newest = await db.row<{ at: Date }>('select stored_at as at from payment_attempt order by id desc limit 1');
  journal.begin(newest?.at ?? new Date(0), now.toISOString());
}

/** Number of rows that one statement reads. */
const PAGE = 500;

const EMPTY =
  'its journal (keys/signed.jsonl) is empty, and the database has sends that were signed. Put the newest journal in place; if it is lost for good, see docs/operations.md';
const OLDER =
  'the database has a send that its journal (keys/signed.jsonl) lacks: the journal is older. Put the newest journal in place; if it is lost for good, see docs/operations.md';

/**
 * Compares the journal with the database, for the rails whose keys the signer has. A line without an attempt is an ordinary crash
 * while its payout is being prepared: the worker requests the same bytes. If the payout is unknown, or still waits as before it
 * was signed, the database is older. `isWhole`: all of the journal, not only its newest payouts.
 */
async function compareWithBooks(
  db: Statements,
  journal: Journal,
  { rails, isWhole }: { readonly rails: readonly string[]; readonly isWhole: boolean },
): Promise<Compared> {
  const stopped = await whyOlder(db, journal, rails);
  const payouts = [...journal.byPayout.keys()].slice(isWhole ? 0 : -PAGE);
  return { ...(stopped !== undefined && { stopped }), unexplained: await unexplainedLines(db, journal, { rails, payouts }) };
}

/** True if the newest send of the database is in the journal: all earlier ones were signed before it. */
async function whyOlder(db: Statements, journal: Journal, rails: readonly string[]): Promise<string | undefined> {
  // Sends that people have booked have no bytes: they were signed elsewhere.
  const newest = await db.row<{ reference: string; at: Date }>(
    `select reference, stored_at as at from payment_attempt where rail = any ($1) and raw <> '' order by id desc limit 1`,
    [rails],
  );
  if (!newest || journal.knows(newest.reference) || (journal.begunAt && newest.at <= journal.begunAt)) return undefined;
  return journal.isEmpty ? EMPTY : OLDER;
}

async function unexplainedLines(
  db: Statements,
  journal: Journal,
  { rails, payouts: ids }: { readonly rails: readonly string[]; readonly payouts: readonly string[] },
): Promise<UnexplainedLine[]> {
  const found = new Map<string, SignedEntry>();
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE);
    const rows = await db.rows<{ id: string; status: string; status_at: Date }>(
      'select id, status, status_at from payout where id = any ($1)',
      [some],
    );
    const payouts = new Map(rows.map((row) => [row.id, row]));
    for (const id of some) {
      // An earlier line of a payout shares its spend with a later one, or had ended before it.
      const line = journal.byPayout.get(id)?.at(-1);
      if (line && rails.includes(line.rail) && isOlder(payouts.get(id), line)) found.set(line.txid, line);
    }
  }
  const known = await knownOf(db, [...found.keys()]);
  return [...found.values()]
    .filter(({ txid, spends }) => ![txid, ...spends].some((name) => known.has(name)))
    .map(({ at, rail, txid, payouts, spends, pays }) => ({ at, rail, txid, payouts, spends, pays }));
}

/** True if a payout's row is older than the line. A payout that is being prepared is sent with the bytes of the line. */
function isOlder(row: { readonly status: string; readonly status_at: Date } | undefined, { at }: SignedEntry): boolean {
  if (!row) return true;
  return row.status === 'queued' && row.status_at.getTime() < Date.parse(at);
}

/** Returns transactions that an attempt explains, or that two people have decided. */
async function knownOf(db: Statements, txids: readonly string[]): Promise<ReadonlySet<string>> {
  if (txids.length === 0) return new Set();
  const attempts = await db.rows<{ reference: string }>('select reference from payment_attempt where reference = any ($1)', [
    txids,
  ]);
  const decided = await db.rows<UnrecordedContent & { mac: string | null }>(
    `select * from unrecorded_send where state <> 'open'`,
  );
  const names = decided.filter(isUnrecordedAsWritten).map(({ reference }) => reference);
  return new Set([...attempts.map(({ reference }) => reference), ...names, ...names.map(transactionOf)]);
}
