import { type Fault, type BooksCheck, accuse, balances } from '../ledger/index.ts';
import type { Statements } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { AFFILIATE_IDS, alteredAffiliates, alteredReferrals, owedByAffiliates } from '../referrals/index.ts';
import { undeliveredWithdrawals, withdrawnByAffiliates } from '../wallets/index.ts';
import { alteredOrders, missingAffiliates, missingOrders } from './referred-order.ts';
import { alteredRewards } from './reward-store.ts';
import { alteredOuts } from './take-out.ts';
import { availableOf, owedBy, pendingOf } from './reward.ts';

interface HolderRow {
  readonly holder: string;
  readonly pending: string;
  readonly available: string;
  /** Rewards that went into the wallet. */
  readonly out: string;
  /** Rewards given up when the account was closed: by the rewards' rows, and by the postings to the pot. */
  readonly given_up: string;
  readonly given_back: string;
}

/** Sums of each affiliate's rows. */
const SUMS = `select holder, sum(pending) as pending, sum(available) as available, sum(gone) as out, sum(given_up) as given_up,
    sum(given_back) as given_back
  from (
    select holder_id as holder, case when state = 'pending' then parts else 0 end as pending,
      case when state = 'available' then parts - given_up else 0 end as available, 0 as gone, given_up, 0 as given_back
    from reward where state in ('pending', 'available') or given_up > 0
    union all select holder_id, 0, 0, case how when 'wallet' then parts else 0 end, 0, case how when 'given_up' then parts else 0 end
    from affiliate_out
  ) as each group by holder order by holder`;

/** Sum that the pot has paid and not got back. */
const PAID = `select coalesce(sum(parts - given_up), 0) as parts from reward where state in ('pending', 'available')`;

/** Rewards of an order that together exceed half of its profit. */
const TOO_MUCH = `select order_id from reward join referred_order using (order_id)
  where state not in ('reversed', 'refused', 'given_up') group by order_id, profit having sum(parts) * 2 > coalesce(profit, 0) order by 1`;

/**
 * Checks that the reward accounts equal the rows: earned and not taken back, less paid out or given up. Matured rewards are
 * checked separately, since a failed withdrawal is posted before this room is notified.
 */
export const affiliateCheck: BooksCheck = {
  accountTypes: ['affiliate:pending', 'promo:affiliate'],
  causes: [
    { kinds: ['reward', 'reward_matured', 'reward_taken_back'], rows: 'select id from reward' },
    { kinds: ['reward_paid', 'reward_taken_back'], rows: 'select id from affiliate_out' },
    { kinds: ['reward_repaid'], rows: AFFILIATE_IDS },
  ],
  async balances(db) {
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
    ...accuse('reward', await alteredOuts(db, scope?.causes), 'what went out of rewards is not as it was written'),
    ...accuse('affiliate', await alteredAffiliates(db), 'the affiliate’s terms are not as they were written'),
    ...accuse(
      'referral',
      await alteredReferrals(db, { isNight: scope !== undefined }),
      'who sent a customer, or by what, is not as it was written',
    ),
    ...accuse('reward', await alteredOrders(db, scope?.causes), 'what is kept of the referred order is not as it was told'),
    ...accuse(
      'reward',
      await missingOrders(db, scope?.causes),
      'somebody sent the customer of the order, and nothing is kept of it',
    ),
    ...accuse('affiliate', await missingAffiliates(db), 'the affiliate has rewards, and nothing is kept of the terms'),
    ...(await wronglyAvailable(db)),
    ...(await wronglyGivenUp(db)),
    ...accuse(
      'reward',
      (await db.rows<{ order_id: string }>(TOO_MUCH)).map((row) => `order:${row.order_id}`),
      'its rewards are more than half of what was kept of it',
    ),
  ],
};

/** Affiliates of closed accounts whose given-up rewards differ from the postings to the pot. */
async function wronglyGivenUp(db: Statements): Promise<Fault[]> {
  const rows = await db.rows<HolderRow>(SUMS);
  const wrong = rows.filter(({ given_up: given, given_back: back }) => given !== back);
  return accuse(
    'balance',
    wrong.map(({ holder }) => availableOf(holder).name),
    'what was given up is not what its rewards say',
  );
}

/** Affiliates whose matured rewards differ from the rows. */
async function wronglyAvailable(db: Statements): Promise<Fault[]> {
  const undelivered = await undeliveredWithdrawals(db);
  const [withdrawn, owed] = [await withdrawnByAffiliates(db), await owedByAffiliates(db)];
  const rows = await db.rows<HolderRow>(SUMS);
  const requests = rows.filter(({ holder }) => !undelivered.has(holder));
  const there = await balances(
    db,
    requests.map(({ holder }) => availableOf(holder)),
  );
  const wrong = requests.filter(({ holder, available, out }, at) => {
    const due = BigInt(available) + (owed.get(holder) ?? 0n) - BigInt(out) - (withdrawn.get(holder) ?? 0n);
    return due !== there[at];
  });
  return accuse(
    'balance',
    wrong.map(({ holder }) => availableOf(holder).name),
    'its matured rewards are not what the rows say',
  );
}
