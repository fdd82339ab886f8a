// Helpers of the ledger for tests of other rooms.

import type { Statements } from '../platform/index.ts';
import { accountId } from './chart/account-id.ts';
import type { AccountRef } from './chart/chart.ts';
import { type BooksCheck, causeFaults, otherFaults, balanceFaults } from './proof/checks.ts';

/** Posts journals without checking that their legs are legal, for tests that only need balances in accounts. */
export { enter as postAny } from './post/post.ts';

/** Returns a check without `causes`, for tests whose journals have no rows in the rooms. */
export const withoutCauses = (check: BooksCheck): BooksCheck => ({ ...check, causes: [] });

/** Returns a check of balances only, except balances of receivables. For tests whose journals and debts have no rows. */
export const onlyBalances = ({ accountTypes, balances }: BooksCheck): BooksCheck => ({
  ...{ balances, causes: [] },
  accountTypes: accountTypes.filter((type) => type !== 'receivable'),
});

/**
 * Generated books with many postings. Of every five postings, three are for the account `big` (two in, one out), and two for
 * accounts of `others`.
 */
export interface History {
  /** Account on the other side of all postings. */
  readonly custody: AccountRef;
  readonly big: AccountRef;
  readonly others: readonly AccountRef[];
  readonly postings: number;
  /** Time of the first posting. */
  readonly start: Date;
  /** Seconds between two postings. */
  readonly step: number;
}

/**
 * Writes many postings as `ledger_post` would have left them: the numbers, balances and times of each account are consistent.
 * Call it with the rights of the database's owner, on empty books. All rows are written in few statements, since a call for
 * each posting would take minutes. `postings` must be a multiple of five times the number of `others`.
 */
export async function writeHistory(db: Statements, { custody, big, others, postings, start, step }: History): Promise<void> {
  const all = [custody, big, ...others];
  await db.run(
    `insert into account (id, name, unit, class, floor, ceiling, at)
     select id, name, $3, class, case class when 'owed' then 0 end, case class when 'held' then 0 end, $5
     from unnest($1::bigint[], $2::text[], $4::text[]) as given (id, name, class)`,
    [all.map(({ name }) => accountId(name)), all.map(({ name }) => name), big.unit, all.map((ref) => ref.class), start],
  );
  const keys = ['posting_pkey', 'posting_from_id_from_seq_key', 'posting_to_id_to_seq_key'];
  await db.run(`alter table posting ${keys.map((key) => `drop constraint ${key}`).join(', ')}`);
  // Postings 0 and 1 of each five go into `big`, 2 goes out of `big` (a reversed deposit), and 3 and 4 go into the next of
  // `others`.
  await db.run(
    `insert into posting (at, from_id, from_seq, to_id, to_seq, leg, kind, journal, cause, parts, from_balance, to_balance)
     select $1::timestamptz + n * $2 * interval '1 second',
       case place when 2 then $3::bigint else $4::bigint end, case place when 2 then wide * 3 + 3 else n + 1 end,
       case place when 2 then $4 when 3 then ($5::bigint[])[other] when 4 then ($5::bigint[])[other] else $3 end,
       case place when 2 then n + 1 when 3 then turn when 4 then turn else wide * 3 + place + 1 end,
       0, case place when 2 then 52 else 50 end, lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(n), 32, '0')::uuid, 1,
       case place when 2 then wide + 1 else -(wide * 3 + least(place, 1) + 1 + case when place > 2 then place - 3 else 0 end) end,
       case place when 2 then -(wide * 3 + 1) when 3 then turn when 4 then turn else wide + place + 1 end
     from (select n, n / 5 as wide, n % 5 as place, (n / 5 * 2 + n % 5 - 3) % $6 + 1 as other, (n / 5 * 2 + n % 5 - 3) / $6 + 1 as turn
           from generate_series(0::bigint, $7::bigint - 1) as n) as line`,
    [
      start,
      step,
      accountId(big.name),
      accountId(custody.name),
      others.map(({ name }) => accountId(name)),
      others.length,
      postings,
    ],
  );
  await db.run(`alter table posting add constraint posting_pkey primary key (journal, leg),
    add constraint posting_from_id_from_seq_key unique (from_id, from_seq), add constraint posting_to_id_to_seq_key unique (to_id, to_seq)`);
  await db.run(
    `update account set seq = last.seq, balance = last.balance, at = last.at from (
       select distinct on (account_id) account_id, seq, balance, at from entry order by account_id, seq desc) as last
     where account.id = last.account_id`,
  );
  await db.run('vacuum analyze posting');
}

/**
 * Returns the faults that the rooms' checks find, in words: wrong balances, journals without a row, and other contradictions.
 */
export async function saidBy(db: Statements, checks: readonly BooksCheck[]): Promise<string[]> {
  const all = { max: 100, scope: undefined };
  const faults = [
    ...(await otherFaults(db, checks, all)),
    ...(await balanceFaults(db, checks, all)),
    ...(await causeFaults(db, checks, { ...all, isWhole: false })),
  ];
  return faults.map(({ check, account, words }) => `${check} ${account ?? ''}: ${words}`);
}
