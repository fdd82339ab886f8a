// Data of an affiliate's pages: amounts, states and days, and nothing about customers.

import type { Input, Output, Routes } from '@kurs/contract';
import { REWARD_UNIT, format, money } from '@kurs/money';
import { holderById } from '../auth/index.ts';
import { balances } from '../ledger/index.ts';
import { type Cell, type Statements, beginOf, countSome, listMeta, nextOf } from '../platform/index.ts';
import { activeCents, findAffiliate, minToWallet, levels, maxSplit, secondPercent, shareOf } from '../referrals/index.ts';
import { activeCustomersOf } from './referred-order.ts';
import { availableOf, owedBy, pendingOf } from './reward.ts';

const shown = (parts: bigint): string => format(money(REWARD_UNIT, parts));

/** An affiliate's terms and earnings. */
export async function affiliateView(db: Statements, holderId: string): Promise<Output<Routes['affiliate']>> {
  const [affiliate, holder] = [await findAffiliate(db, holderId), await holderById(db, holderId)];
  const refs = [pendingOf(holderId), availableOf(holderId), owedBy(holderId)];
  const [pending = 0n, available = 0n, owed = 0n] = await balances(db, refs);
  const waiting = await db.row<{ parts: string }>(
    `select coalesce(sum(parts), 0) as parts from reward where holder_id = $1 and state in ('waiting', 'case')`,
    [holderId],
  );
  const active = await activeCustomersOf(db, holderId, activeCents());
  const next = levels().find(({ customers }) => customers > active);
  return {
    code: holder?.referralCode ?? '',
    ...{ share: String(shareOf(affiliate)), second: String(secondPercent()), split_most: maxSplit(affiliate), active },
    ...(next && affiliate.share === undefined && { next: { from: next.customers, share: String(next.percent) } }),
    levels: levels().map(({ customers, percent }) => ({ from: customers, share: String(percent) })),
    ...{ suspended: affiliate.suspendedAt !== undefined, statements: affiliate.hasStatements },
    ...{ waiting: shown(BigInt(waiting?.parts ?? '0')), pending: shown(pending), available: shown(available) },
    ...{ owed: shown(owed), min: shown(minToWallet()) },
  };
}

interface Row {
  readonly id: string;
  /** Time when the reward was made, in the database's format. */
  readonly at: string;
  readonly day: Date;
  readonly campaign: string;
  readonly sub: string;
  readonly from: string;
  readonly to: string;
  readonly level: 1 | 2;
  readonly state: 'waiting' | 'case' | 'pending' | 'available' | 'reversed' | 'refused' | 'given_up';
  readonly parts: string;
  readonly matures: Date;
}

/**
 * Returns an affiliate's rewards, the newest first: day, campaign, direction, amount and state. Throws `validation` for an
 * `after` that no page returned.
 */
export async function rewardsView(
  db: Statements,
  holderId: string,
  { state, ...request }: Input<Routes['affiliateRewards']>,
): Promise<Output<Routes['affiliateRewards']>> {
  const { at, id, offset } = beginOf(request);
  const rows = await db.rows<Row>(
    `select r.id, r.made_at::text as at, r.made_at as day, case when r.tier = 1 then o.campaign else '' end as campaign,
       case when r.tier = 1 then o.sub else '' end as sub,
       o.give as "from", o.get as "to", r.tier as level, r.state, r.parts, r.matures_at as matures
     from reward r join referred_order o using (order_id)
     where r.holder_id = $1 and ($2::text is null or r.state = $2) and ($3::timestamptz is null or (r.made_at, r.id) < ($3, $4::uuid))
     order by r.made_at desc, r.id desc offset $5 limit $6`,
    [holderId, state ?? null, at, id, offset, request.per_page],
    { name: 'affiliates.rewards' },
  );
  const counted = await db.row<{ total: number }>(
    countSome('select from reward where holder_id = $1 and ($2::text is null or state = $2)'),
    [holderId, state ?? null],
  );
  return {
    data: rows.map(({ at: _at, day, parts, matures, ...row }) => ({
      ...row,
      day: day.toISOString().slice(0, 10),
      amount: shown(BigInt(parts)),
      matures_on: matures.toISOString().slice(0, 10),
    })),
    meta: listMeta(request, counted?.total ?? 0, { rows: rows.length, next: nextOf(rows, request) }),
  };
}

const HEADS = ['day', 'campaign', 'sub', 'from', 'to', 'level', 'amount', 'state', 'matures_on'] as const;
/** Number of rewards read at a time for a file. */
const BATCH_SIZE = 500;

/** Returns all rewards of an affiliate as rows of a file, headings first. */
export async function* rewardRows(db: Statements, holderId: string): AsyncGenerator<readonly (readonly Cell[])[]> {
  yield [HEADS];
  let after: string | undefined;
  do {
    const { data, meta } = await rewardsView(db, holderId, { page: 1, per_page: BATCH_SIZE, after });
    yield data.map((reward) => HEADS.map((head) => String(reward[head])));
    after = meta.next;
  } while (after !== undefined);
}
