// Sums of the money that moved between accounts and account types. Rooms' checks of the books compare the sums with their rows.

import type { Statements } from '../../platform/index.ts';
import { accountId } from '../chart/account-id.ts';
import { type AccountType, readName } from '../chart/chart.ts';
import { type JournalKind, KINDS } from '../chart/journal.ts';
import { accountTypeExpression } from '../chart/account-types-sql.ts';
import type { Scope } from './night-scope.ts';

/** Net amount that an account has received from all accounts of one type, in parts with the sign of stored balances. */
export interface Flow {
  readonly account: string;
  readonly type: string;
  readonly parts: bigint;
}

const ids = (names: readonly string[]): bigint[] => [...new Set(names)].map((name) => BigInt(accountId(name)));

/**
 * Returns the total net amounts that the named accounts have received, by the types of the accounts on the other side. Journals
 * of the kinds in `without` are not included.
 */
export async function flowsOf(
  db: Statements,
  names: readonly string[],
  { without }: { readonly without: readonly JournalKind[] },
): Promise<Flow[]> {
  const rows = await db.rows<{ account: string; type: string; parts: string }>(
    `with moved as (
       select to_id as own, from_id as other, parts from posting where to_id = any ($1::bigint[]) and kind <> all ($2::smallint[])
       union all
       select from_id, to_id, -parts from posting where from_id = any ($1::bigint[]) and kind <> all ($2::smallint[])
     )
     select own.name as account, ${accountTypeExpression('other.name')} as type, sum(parts) as parts
     from moved join account own on own.id = moved.own join account other on other.id = moved.other group by 1, 2`,
    [ids(names), without.map((kind) => KINDS[kind])],
  );
  return rows.map(({ account, type, parts }) => ({ account, type, parts: BigInt(parts) }));
}

/** A leg of a journal, with the names of its accounts. */
export interface StoredLeg {
  readonly from: string;
  readonly to: string;
  readonly parts: bigint;
}

/**
 * Finds, for each pair of named accounts, the last journal that moved money from the first to the second account. Returns all
 * legs of that journal, by the name of the second account.
 */
export async function lastJournals(
  db: Statements,
  pairs: readonly { readonly from: string; readonly to: string }[],
): Promise<Map<string, StoredLeg[]>> {
  const rows = await db.rows<{ pair: string; from: string; to: string; parts: string }>(
    `select given.pair::text as pair, source.name as "from", target.name as "to", posting.parts
     from unnest($1::bigint[], $2::bigint[]) with ordinality as given (from_id, to_id, pair)
     cross join lateral (select journal from posting where to_id = given.to_id and from_id = given.from_id order by to_seq desc limit 1) as last
     join posting on posting.journal = last.journal
     join account source on source.id = posting.from_id join account target on target.id = posting.to_id`,
    [pairs.map(({ from }) => BigInt(accountId(from))), pairs.map(({ to }) => BigInt(accountId(to)))],
  );
  const found = new Map<string, StoredLeg[]>();
  for (const { pair, from, to, parts } of rows) {
    const name = pairs[Number.parseInt(pair, 10) - 1]?.to ?? '';
    const legs = found.get(name) ?? [];
    legs.push({ from, to, parts: BigInt(parts) });
    found.set(name, legs);
  }
  return found;
}

/**
 * Returns the ids that are part of the names of accounts, such as the ids of orders or holders. Only for accounts of these
 * types that a night's proof covers.
 */
export async function ownersOf(db: Statements, accountTypes: readonly AccountType[], { accounts }: Scope): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(
    `select name from account where id = any ($1::bigint[]) and ${accountTypeExpression('name')} = any ($2)`,
    [accounts, accountTypes],
  );
  return [...new Set(rows.map(({ name }) => readName(name)?.id ?? ''))];
}
