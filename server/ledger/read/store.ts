import type { Statements } from '../../platform/index.ts';
import { accountId } from '../chart/account-id.ts';
import { type AccountRef, shownSign } from '../chart/chart.ts';
import { type JournalKind, kindOf } from '../chart/journal.ts';

/**
 * A posting seen from one of its two accounts. `change` and `balance` have the sign of shown balances. `other`: name of the
 * account on the other side.
 */
export interface Entry {
  readonly seq: bigint;
  readonly at: Date;
  readonly kind: JournalKind;
  readonly journal: string;
  readonly cause: string;
  readonly leg: number;
  readonly change: bigint;
  readonly balance: bigint;
  readonly other: string;
  /** USD for one whole unit; null if the journal has no price for the unit. */
  readonly price: string | null;
}

/** Returns an account's shown balance (positive for held and spent accounts); 0 for an account without postings. */
export async function balance(db: Statements, ref: AccountRef): Promise<bigint> {
  const row = await db.row<{ balance: string }>('select balance from account where id = $1', [accountId(ref.name)], {
    name: 'ledger.balance',
  });
  return BigInt(row?.balance ?? 0) * shownSign(ref.class);
}

/** Returns the shown balances of several accounts at one moment, in the order of `refs`. */
export async function balances(db: Statements, refs: readonly AccountRef[]): Promise<bigint[]> {
  const ids = refs.map((ref) => BigInt(accountId(ref.name)));
  const rows = await db.rows<{ id: string; balance: string }>(
    'select id, balance from account where id = any ($1::bigint[])',
    [ids],
    { name: 'ledger.balances' },
  );
  const stored = new Map(rows.map((row) => [BigInt(row.id), BigInt(row.balance)]));
  return refs.map((ref, index) => (stored.get(ids[index] as bigint) ?? 0n) * shownSign(ref.class));
}

/** Returns an account's shown balance at the moment `at`. The cost doesn't depend on how long ago `at` is. */
export async function balanceAt(db: Statements, ref: AccountRef, at: Date): Promise<bigint> {
  const values = [accountId(ref.name), at];
  const row = await db.row<{ balance: string }>('select ledger_balance_at($1, $2) as balance', values);
  return BigInt((row as { balance: string }).balance) * shownSign(ref.class);
}

const ENTRIES = `
  select side.seq, side.at, side.kind, side.journal, side.cause, side.leg, side.change, side.balance,
         account.name as other, side.price
  from (
    (select from_seq as seq, -parts as change, from_balance as balance, to_id as other_id, at, kind, journal, cause, leg, price
     from posting where from_id = $1 and from_seq < $2 order by from_seq desc limit $3)
    union all
    (select to_seq, parts, to_balance, from_id, at, kind, journal, cause, leg, price
     from posting where to_id = $1 and to_seq < $2 order by to_seq desc limit $3)
  ) as side join account on account.id = side.other_id
  order by side.seq desc limit $3`;

/**
 * Returns a page of an account's entries, newest first, at most `limit`. `before`: only entries with lower numbers; pass the
 * last entry's `seq` to get the next page. All pages cost the same.
 */
export async function entries(
  db: Statements,
  ref: AccountRef,
  { before, limit }: { before?: bigint; limit: number },
): Promise<Entry[]> {
  type EntryRow = Omit<Entry, 'seq' | 'change' | 'balance' | 'kind'> &
    Record<'seq' | 'change' | 'balance', string> & { kind: number };
  const newest = (2n ** 63n - 1n).toString();
  const values = [accountId(ref.name), before?.toString() ?? newest, limit];
  const rows = await db.rows<EntryRow>(ENTRIES, values, { name: 'ledger.entries' });
  const sign = shownSign(ref.class);
  return rows.map((row) => ({
    ...row,
    kind: kindOf(row.kind),
    seq: BigInt(row.seq),
    change: BigInt(row.change) * sign,
    balance: BigInt(row.balance) * sign,
  }));
}
