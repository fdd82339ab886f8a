// What other rooms know and the ledger doesn't: whose money stands where, and what each journal is about.

import type { Statements } from '../../platform/index.ts';
import { accountId } from '../chart/account-id.ts';
import { type AccountRef, type AccountType, readName, shownSign } from '../chart/chart.ts';
import { type JournalKind, KINDS, kindOf } from '../chart/journal.ts';
import type { Scope } from './night-scope.ts';
import { accountTypeExpression } from '../chart/account-types-sql.ts';
import { type Chain, type Proven, type ProvenChains, FIRST } from '../seals/chain.ts';

/** Something that can't be in right books. */
export interface Fault {
  readonly check: string;
  readonly account?: string;
  readonly words: string;
}

/** What a row of a room says stands in an account. */
export interface Standing {
  readonly account: AccountRef;
  /** As shown. */
  readonly parts: bigint;
  /** The row, in words: `the withdrawal 01…`. */
  readonly of: string;
}

/** The rows that some journals are about. */
export interface Causes {
  readonly kinds: readonly JournalKind[];
  /** A query that gives the ids of those rows: one column of uuids. */
  readonly rows: string;
}

/** A chain of seals that a room makes of its own rows. */
export interface OwnChain {
  readonly table: Chain<never>['table'];
  /** Proves the chain from a proven seal on: what is wrong with it, and its last seal. */
  prove(db: Statements, from: Proven): Promise<{ readonly faults: readonly Fault[]; readonly proven: Proven }>;
}

/**
 * A room's knowledge, for the proof of the books. It reads in the same frozen view of the database as the rest of the proof.
 * - `accountTypes`: in these stands nothing but what rows of rooms say. Several rooms may answer for one account type together
 * - `standings`: what this room's rows say stands in accounts of those account types, one or more for an account; zeros may be left out
 * - `causes`: what the journals that this room posts are about
 * - `faults`: what else the room's rows and the books don't agree upon. `scope`: what a night proves; of what grows with
 *   history only the rows that its journals are about, those of its accounts and those that are open are asked
 * - `chain`: a chain of the room's own, which is proved from where the last proof found it right
 */
export interface Judge {
  readonly accountTypes: readonly AccountType[];
  readonly causes: readonly Causes[];
  standings(db: Statements): Promise<readonly Standing[]>;
  readonly faults?: ((db: Statements, scope?: Scope) => Promise<readonly Fault[]>) | undefined;
  readonly chain?: OwnChain | undefined;
}

/** A judge of rows that no money stands for, but that bound what leaves, or say who is stopped by a debt. */
export const judgeOfRows = (faults: NonNullable<Judge['faults']>): Judge => ({
  ...{ accountTypes: [], causes: [], faults },
  standings: async () => [],
});

/** A fault of each of these rows, in the same words. */
export const accuse = (check: string, rows: readonly string[], words: string): Fault[] =>
  rows.map((account) => ({ check, account, words }));

/** An account in which something stands. */
export interface Holding {
  readonly account: string;
  readonly unit: string;
  /** What it is of by its name: an order's, a holder's. */
  readonly id: string;
}

/** The accounts of an account type in which something stands; within a scope, if there is one. */
export async function holdings(db: Statements, type: AccountType, scope?: Scope): Promise<Holding[]> {
  const rows = await db.rows<Omit<Holding, 'id'>>(
    `select name as account, unit from account
     where ($2::bigint[] is null or id = any ($2)) and balance <> 0 and ${accountTypeExpression('name')} = $1`,
    [type, scope?.accounts ?? null],
  );
  return rows.map((row) => ({ ...row, id: readName(row.account)?.id ?? '' }));
}

interface Expected {
  parts: bigint;
  readonly of: string[];
}

/** Accounts of the judges' account types in which something else stands than rows say, either way. */
export async function standingFaults(
  db: Statements,
  judges: readonly Judge[],
  { most, scope }: { readonly most: number; readonly scope: Scope | undefined },
): Promise<Fault[]> {
  const expected = new Map<string, Expected>();
  for (const judge of judges) {
    for (const { account, parts, of } of await judge.standings(db)) {
      const known = expected.get(account.name) ?? { parts: 0n, of: [] };
      known.parts += parts * shownSign(account.class);
      known.of.push(of);
      expected.set(account.name, known);
    }
  }
  const ids = [...expected.keys()].map(accountId);
  const rows = await db.rows<{ name: string; balance: string }>(
    `select name, balance from account where id = any ($1::bigint[])
     union select name, balance from account
     where ($3::bigint[] is null or id = any ($3)) and balance <> 0 and ${accountTypeExpression('name')} = any ($2)`,
    [ids, [...new Set(judges.flatMap(({ accountTypes }) => accountTypes))], scope?.accounts ?? null],
  );
  const found = new Map(rows.map(({ name, balance }) => [name, BigInt(balance)]));
  const faults: Fault[] = [];
  const fault = (account: string, words: string): void => void faults.push({ check: 'standing', account, words });
  for (const [account, stored] of found) {
    if (stored !== 0n && !expected.has(account)) fault(account, `${stored} stands here, and no row says whose it is`);
  }
  for (const [account, { parts, of }] of expected) {
    const there = found.get(account) ?? 0n;
    if (there !== parts) fault(account, `${of.join(', ')}: ${parts} should stand here, not ${there}`);
  }
  return faults.slice(0, most);
}

/**
 * Journals that are about nothing: no room that posts their kind has such a row. `isWhole`: the judges are those of all
 * rooms, so a kind that none of them posts is a fault too.
 */
export async function causeFaults(
  db: Statements,
  judges: readonly Judge[],
  { isWhole, most, scope }: { readonly isWhole: boolean; readonly most: number; readonly scope: Scope | undefined },
): Promise<Fault[]> {
  const causes = judges.flatMap((judge) => judge.causes);
  if (causes.length === 0) return [];
  const codes = (kinds: readonly JournalKind[]): string => `'{${kinds.map((kind) => KINDS[kind]).join(',')}}'::smallint[]`;
  const all = isWhole ? '' : `and kind = any (${codes(causes.flatMap(({ kinds }) => kinds))})`;
  // Each row is looked up by its id: a list of all rows would be read whole for a few journals.
  const lookUps = causes.map(
    ({ kinds, rows }, at) =>
      `left join lateral (select true as is_there from (${rows}) as room (id)
         where kind = any (${codes(kinds)}) and room.id = cause limit 1) as room_${at} on true`,
  );
  const rows = await db.rows<{ kind: number; cause: string; journal: string }>(
    `select kind, cause, journal from (
       select kind, cause, min(journal::text) as journal from posting
       where leg = 0 ${scope ? 'and journal = any ($2::uuid[])' : ''} ${all} group by kind, cause) as asked
     ${lookUps.join('\n')}
     where coalesce(${causes.map((_, at) => `room_${at}.is_there`).join(', ')}) is null limit $1`,
    scope ? [most, scope.journals] : [most],
  );
  return rows.map(({ kind, cause, journal }) => ({
    check: 'cause',
    account: journal,
    words: `a journal of the kind ${nameOf(kind)} is about ${cause}, which no room that posts such journals knows`,
  }));
}

/** What judges know besides. */
export async function otherFaults(
  db: Statements,
  judges: readonly Judge[],
  { most, scope }: { readonly most: number; readonly scope: Scope | undefined },
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const judge of judges) faults.push(...((await judge.faults?.(db, scope)) ?? []).slice(0, most));
  return faults;
}

/** Proves the judges' own chains, each from where it was proved before; gives how far they go now. */
export async function proveChains(
  db: Statements,
  judges: readonly Judge[],
  { most, before }: { readonly most: number; readonly before: ProvenChains },
): Promise<{ faults: Fault[]; chains: ProvenChains }> {
  const faults: Fault[] = [];
  const chains: Record<string, Proven> = {};
  for (const { chain } of judges) {
    if (!chain) continue;
    const proof = await chain.prove(db, before[chain.table] ?? FIRST);
    faults.push(...proof.faults.slice(0, most));
    chains[chain.table] = proof.proven;
  }
  return { faults, chains };
}

/**
 * Rows that say that something was moved, of which no journal of a kind says the same: their ids. `moved`: a query that gives
 * of each its id (`cause`), the names of the accounts (`source`, `target`) and `parts`. `among`: journals, all that are about
 * any of the rows with these ids; without it all rows are compared with all journals.
 */
export async function unlikeBooks(
  db: Statements,
  kind: JournalKind,
  moved: string,
  among?: { readonly journals: readonly string[]; readonly causes: readonly string[] },
): Promise<string[]> {
  const rows = await db.rows<{ cause: string }>(
    `with booked as (
       select cause, source.name as source, target.name as target, parts from posting
       join account source on source.id = from_id join account target on target.id = to_id
       where kind = $1 and ($2::uuid[] is null or journal = any ($2)))
     select cause from (${moved}) as given
     where ($3::uuid[] is null or cause = any ($3))
       and not exists (select from booked where (booked.cause, booked.source, booked.target, booked.parts) =
         (given.cause, given.source, given.target, given.parts))`,
    [KINDS[kind], among?.journals ?? null, among?.causes ?? null],
  );
  return rows.map(({ cause }) => cause);
}

/**
 * Rows that say when something was moved, of which no journal of a kind says the same within five minutes: their ids. `moved`: a
 * query that gives of each its id (`cause`) and the time (`at`). `among`: as for `unlikeBooks`.
 */
export async function unlikeTimes(
  db: Statements,
  kind: JournalKind,
  moved: string,
  among?: { readonly journals: readonly string[]; readonly causes: readonly string[] },
): Promise<string[]> {
  const rows = await db.rows<{ cause: string }>(
    `with booked as (select cause, at from posting where kind = $1 and leg = 0 and ($2::uuid[] is null or journal = any ($2)))
     select cause from (${moved}) as given
     where ($3::uuid[] is null or cause = any ($3))
       and not exists (select from booked where booked.cause = given.cause and abs(extract(epoch from booked.at - given.at)) < 300)`,
    [KINDS[kind], among?.journals ?? null, among?.causes ?? null],
  );
  return rows.map(({ cause }) => cause);
}

/** A kind's name, also where its code is no program's. */
export function nameOf(code: number): string {
  try {
    return kindOf(code);
  } catch {
    return String(code);
  }
}
