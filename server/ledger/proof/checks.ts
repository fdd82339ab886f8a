// The part of the proof of the books that needs other rooms' rows. These rows show to whom an account's money belongs, and that
// each journal was posted for an existing row.

import type { Statements } from '../../platform/index.ts';
import { accountId } from '../chart/account-id.ts';
import { type AccountRef, type AccountType, readName, shownSign } from '../chart/chart.ts';
import { type JournalKind, KINDS, kindOf } from '../chart/journal.ts';
import type { Scope } from './night-scope.ts';
import { accountTypeExpression } from '../chart/account-types-sql.ts';
import { type Chain, type Proven, type ProvenChains, FIRST } from '../seals/chain.ts';

/** An error found in the books. */
export interface Fault {
  readonly check: string;
  readonly account?: string;
  readonly words: string;
}

/** Balance of an account, or a part of the balance, as it should be according to a room's row. */
export interface RowBalance {
  readonly account: AccountRef;
  /** Amount, with the sign of shown balances. */
  readonly parts: bigint;
  /** Description of the room's row, such as `the withdrawal 01…`. */
  readonly of: string;
}

/** The rows for which journals of some kinds may be posted (`Journal.cause`). */
export interface Causes {
  readonly kinds: readonly JournalKind[];
  /** SQL query for the ids of the rows: one column of uuids. */
  readonly rows: string;
}

/** A chain of seals over a room's own rows. */
export interface OwnChain {
  readonly table: Chain<never>['table'];
  /** Proves the chain of seals, starting after a proven seal. Returns the faults and the chain's last seal. */
  prove(db: Statements, from: Proven): Promise<{ readonly faults: readonly Fault[]; readonly proven: Proven }>;
}

/**
 * A room's part in the proof of the books. All parts of the proof read the same database snapshot.
 * - `accountTypes`: types of accounts whose balances must follow from rows of rooms. Several rooms may each have a part of the
 *   rows for one type
 * - `balances`: returns the balances, or parts of them, that accounts of `accountTypes` should have according to this room's
 *   rows. Zeros may be left out
 * - `causes`: the rows for which this room's journals may be posted
 * - `faults`: returns other contradictions between the room's rows and the books. With a `scope`, checks only rows that a
 *   night's proof covers: causes of the scope's journals, rows of the scope's accounts, and open rows
 * - `chain`: a chain of seals over the room's own rows; the proof starts after the chain's last proven seal
 */
export interface BooksCheck {
  readonly accountTypes: readonly AccountType[];
  readonly causes: readonly Causes[];
  balances(db: Statements): Promise<readonly RowBalance[]>;
  readonly faults?: ((db: Statements, scope?: Scope) => Promise<readonly Fault[]>) | undefined;
  readonly chain?: OwnChain | undefined;
}

/**
 * Returns a check for rows that represent no money, such as uses of limits, or debts because of which a customer is refused.
 */
export const checkOfRows = (faults: NonNullable<BooksCheck['faults']>): BooksCheck => ({
  ...{ accountTypes: [], causes: [], faults },
  balances: async () => [],
});

/** Returns a fault with the same words for each of the given rows. */
export const accuse = (check: string, rows: readonly string[], words: string): Fault[] =>
  rows.map((account) => ({ check, account, words }));

/** An account with a balance other than zero. */
export interface Holding {
  readonly account: string;
  readonly unit: string;
  /** Id in the account's name, such as that of an order or a holder. */
  readonly id: string;
}

/**
 * Returns the accounts of a type with a balance other than zero. `scope`: limits the result to accounts that a night's proof
 * covers.
 */
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

/** Returns a fault for each account of the checked types whose balance differs from the rooms' rows. */
export async function balanceFaults(
  db: Statements,
  checks: readonly BooksCheck[],
  { max, scope }: { readonly max: number; readonly scope: Scope | undefined },
): Promise<Fault[]> {
  const expected = new Map<string, Expected>();
  for (const check of checks) {
    for (const { account, parts, of } of await check.balances(db)) {
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
    [ids, [...new Set(checks.flatMap(({ accountTypes }) => accountTypes))], scope?.accounts ?? null],
  );
  const found = new Map(rows.map(({ name, balance }) => [name, BigInt(balance)]));
  const faults: Fault[] = [];
  const fault = (account: string, words: string): void => void faults.push({ check: 'balance', account, words });
  for (const [account, stored] of found) {
    if (stored !== 0n && !expected.has(account)) fault(account, `the balance is ${stored}, and no row explains it`);
  }
  for (const [account, { parts, of }] of expected) {
    const there = found.get(account) ?? 0n;
    if (there !== parts) fault(account, `${of.join(', ')}: the balance should be ${parts}, not ${there}`);
  }
  return faults.slice(0, max);
}

/**
 * Returns a fault for each kind and cause of journals for which no room has a row. `isWhole`: true if `checks` contains the
 * checks of all rooms. Then a kind that no room names is a fault, too.
 */
export async function causeFaults(
  db: Statements,
  checks: readonly BooksCheck[],
  { isWhole, max, scope }: { readonly isWhole: boolean; readonly max: number; readonly scope: Scope | undefined },
): Promise<Fault[]> {
  const causes = checks.flatMap((check) => check.causes);
  if (causes.length === 0) return [];
  const codes = (kinds: readonly JournalKind[]): string => `'{${kinds.map((kind) => KINDS[kind]).join(',')}}'::smallint[]`;
  const all = isWhole ? '' : `and kind = any (${codes(causes.flatMap(({ kinds }) => kinds))})`;
  // Each cause is looked up by its id. A comparison with the list of all rows would read every row even for a few journals.
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
    scope ? [max, scope.journals] : [max],
  );
  return rows.map(({ kind, cause, journal }) => ({
    check: 'cause',
    account: journal,
    words: `a journal of the kind ${nameOf(kind)} is about ${cause}, which no room that posts such journals knows`,
  }));
}

/** Returns the faults that the rooms' own checks find. */
export async function otherFaults(
  db: Statements,
  checks: readonly BooksCheck[],
  { max, scope }: { readonly max: number; readonly scope: Scope | undefined },
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const check of checks) faults.push(...((await check.faults?.(db, scope)) ?? []).slice(0, max));
  return faults;
}

/** Proves the rooms' chains of seals, each starting after its last proven seal. Returns the faults and the new proven seals. */
export async function proveChains(
  db: Statements,
  checks: readonly BooksCheck[],
  { max, before }: { readonly max: number; readonly before: ProvenChains },
): Promise<{ faults: Fault[]; chains: ProvenChains }> {
  const faults: Fault[] = [];
  const chains: Record<string, Proven> = {};
  for (const { chain } of checks) {
    if (!chain) continue;
    const proof = await chain.prove(db, before[chain.table] ?? FIRST);
    faults.push(...proof.faults.slice(0, max));
    chains[chain.table] = proof.proven;
  }
  return { faults, chains };
}

/**
 * Returns the ids of rows that no journal of a kind confirms.
 * - `moved`: SQL query for the rows, with the id (`cause`), the names of the accounts (`source`, `target`) and `parts`. A
 *   journal confirms a row if one of its legs has the same values
 * - `among`: limits the check to rows with the ids `causes`, which are compared with `journals`. By default all rows are
 *   compared with all journals
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
 * Returns the ids of rows for which no journal of a kind was posted within five minutes of the row's time. `moved`: SQL query
 * for the rows, with the id (`cause`) and the time (`at`). `among`: as for `unlikeBooks`.
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

/** Returns the name of the kind of journal with this code; the code as text if the code is unknown. */
export function nameOf(code: number): string {
  try {
    return kindOf(code);
  } catch {
    return String(code);
  }
}
