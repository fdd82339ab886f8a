import { type Fault, type Judge, accuse, balances } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { AFFILIATE_IDS, owedByAffiliates } from '../referrals/index.ts';
import { untoldWithdrawals, withdrawnByAffiliates } from '../wallets/index.ts';
import { alteredRewards } from './reward-store.ts';
import { availableOf, owedBy, pendingOf } from './reward.ts';

interface HolderRow {
  readonly holder: string;
  readonly pending: string;
  readonly available: string;
  readonly out: string;
}

/** What each affiliate's rows say. */
const SUMS = `select holder, sum(pending) as pending, sum(available) as available, sum(gone) as out from (
    select holder_id as holder, case when state = 'pending' then parts else 0 end as pending,
      case when state = 'available' then parts else 0 end as available, 0 as gone
    from reward where state in ('pending', 'available')
    union all select holder_id, 0, 0, parts from affiliate_out
  ) as each group by holder order by holder`;

/** What the pot has paid and not got back. */
const PAID = `select coalesce(sum(parts), 0) - (select coalesce(sum(parts), 0) from affiliate_out where how = 'given_up') as parts
  from reward where state in ('pending', 'available')`;

/** Rewards of an order that together are more than half of what was kept of it. */
const TOO_MUCH = `select order_id from reward join referred_order using (order_id)
  where state not in ('reversed', 'refused', 'given_up') group by order_id, profit having sum(parts) * 2 > coalesce(profit, 0) order by 1`;

/**
 * That what stands in rewards is what the rows say: earned and not taken back, less what went out. What matured is asked apart,
 * since a withdrawal from it that came to nothing is posted before it is told.
 */
export const affiliateJudge: Judge = {
  pots: ['affiliate:pending', 'promo:affiliate'],
  causes: [
    { kinds: ['reward', 'reward_matured', 'reward_taken_back'], rows: 'select id from reward' },
    { kinds: ['reward_paid', 'reward_taken_back'], rows: 'select id from affiliate_out' },
    { kinds: ['reward_repaid'], rows: AFFILIATE_IDS },
  ],
  async standings(db) {
    const rows = await db.rows<HolderRow>(SUMS);
    const paid = await db.row<{ parts: string }>(PAID);
    return [
      { account: potAccount('affiliate'), parts: -BigInt(paid?.parts ?? '0'), of: 'rewards' },
      ...rows.map(({ holder, pending }) => ({
        account: pendingOf(holder),
        parts: BigInt(pending),
        of: `the rewards of ${holder}`,
      })),
      ...[...(await owedByAffiliates(db))].map(([holder, parts]) => ({
        account: owedBy(holder),
        parts,
        of: `what ${holder} owes of rewards`,
      })),
    ];
  },
  faults: async (db, scope) => [
    ...accuse('reward', await alteredRewards(db, scope?.causes), 'it is not what its order had earned'),
    ...(await wronglyAvailable(db)),
    ...accuse('reward', (await db.rows<{ order_id: string }>(TOO_MUCH)).map((row) => `order:${row.order_id}`), 'its rewards are more than half of what was kept of it'), // prettier-ignore
  ],
};

/** Affiliates whose matured rewards are not what the rows say. */
async function wronglyAvailable(db: Statements): Promise<Fault[]> {
  const untold = await untoldWithdrawals(db);
  const [withdrawn, owed] = [await withdrawnByAffiliates(db), await owedByAffiliates(db)];
  const rows = await db.rows<HolderRow>(SUMS);
  const asked = rows.filter(({ holder }) => !untold.has(holder));
  const there = await balances(db, asked.map(({ holder }) => availableOf(holder))); // prettier-ignore
  const wrong = asked.filter(({ holder, available, out }, at) => {
    const due = BigInt(available) + (owed.get(holder) ?? 0n) - BigInt(out) - (withdrawn.get(holder) ?? 0n);
    return due !== there[at];
  });
  return accuse('standing', wrong.map(({ holder }) => availableOf(holder).name), 'its matured rewards are not what the rows say'); // prettier-ignore
}
