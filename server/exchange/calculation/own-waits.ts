// Approvals that customers' own payout totals require: the total of their payouts in a day, or the limits of their own wallet.
// The review announces such an approval, so the promised time's clock stops meanwhile (`order/clock.ts`).

import { type Money, money } from '@kurs/money';
import { type OutCustomer, countedAgainst, customerKey, peopleOut, readOut } from '../../moneyout/index.ts';
import { type Statements, type Tx, canonicalEmail } from '../../platform/index.ts';
import { isWallet } from '../../pricing/index.ts';
import { latest, usdValue } from '../../rates/index.ts';
import { autoLimits } from '../machine/auto-limits.ts';
import { type OpenSum, openSums } from '../order/store/open-sums.ts';
import { type Calculation, type HeldQuote, heldBreakdown } from './calculation.ts';

/** Step 3 of a calculation, or an order that is being placed, with its customer: may its payout need an approval? */
interface WaitRequest extends OutCustomer {
  readonly wallet: Calculation['wallet'] | undefined;
  readonly held: HeldQuote;
}

/** A payout. */
interface OwnPayout {
  /** The payout's worth in cents of USD. */
  readonly usd: bigint;
  /** Total of the customer's other payouts in the last day, in cents of USD. */
  readonly customerDay: bigint;
  /** True if the order is paid from a wallet: the wallet's limits apply, too. */
  readonly isFromWallet: boolean;
}

/** Returns the number of approvals that a payout needs because of its customer's own payout totals alone. */
export function peopleByOwn({ usd, customerDay, isFromWallet }: OwnPayout): 0 | 1 | 2 {
  const byDay = customerDay + usd > autoLimits().customerDay ? 1 : 0;
  const byWallet = isFromWallet ? peopleOut(usd, { customerDay, deskDay: 0n }) : 0;
  return Math.max(byDay, byWallet) as 0 | 1 | 2;
}

/**
 * Returns, for each of these orders, the number of approvals that it needs because of its customer's own payout totals. Each
 * total includes the customer's automatic payouts of the last day, their open orders, and their earlier orders in this list.
 */
export async function peopleForOwn(db: Statements, all: readonly WaitRequest[], now: Date): Promise<(0 | 1 | 2)[]> {
  const leaving = all.filter(({ wallet }) => !isWallet(wallet, 'get'));
  if (leaving.length === 0) return all.map(() => 0);
  // Open orders are read before the payouts: an order that is paid out in between is then included twice rather than never.
  const open = openUsd(await openSums(db, addressesOf(leaving)));
  const out = await readOut(db, now, { customers: [...new Set(leaving.map(customerKey))], currencies: [] });
  return all.map((one) => {
    if (!leaving.includes(one)) return 0;
    const { get } = heldBreakdown(one.held);
    const [customer, usd] = [customerKey(one), usdOf(get) ?? one.held.usd.parts];
    const stands = countedAgainst(customer).reduce((sum, key) => sum + (open.get(key) ?? 0n), 0n);
    const customerDay = out.of({ customer, currency: '' }).customerDay + stands;
    open.set(customer, (open.get(customer) ?? 0n) + usd);
    return peopleByOwn({ usd, customerDay, isFromWallet: isWallet(one.wallet, 'give') });
  });
}

/**
 * Like `peopleForOwn`, for orders that are being placed. Locks the customers first, so that of two concurrent orders the second
 * includes the first.
 */
export async function peopleForPlaced(tx: Tx, all: readonly WaitRequest[]): Promise<(0 | 1 | 2)[]> {
  const keys = [...new Set(all.flatMap((one) => countedAgainst(customerKey(one))))].sort();
  if (keys.length > 0)
    await tx.run('select pg_advisory_xact_lock(hashtext($1 || key)) from unnest($2::text[]) as key', ['exchange.own ', keys], {
      name: 'exchange.lock_own',
    });
  return peopleForOwn(tx, all, tx.now);
}

function addressesOf(all: readonly WaitRequest[]): { readonly holders: string[]; readonly emails: string[] } {
  return {
    holders: all.flatMap(({ holderId }) => holderId ?? []),
    emails: all.flatMap(({ holderId, email }) => (holderId === undefined && email !== '' ? [canonicalEmail(email)] : [])),
  };
}

/** Returns the worth of customers' open orders in cents of USD, by customer key. */
function openUsd(sums: readonly OpenSum[]): Map<string, bigint> {
  const open = new Map<string, bigint>();
  for (const { unit, parts, usd, ...customer } of sums) {
    const key = customerKey(customer);
    open.set(key, (open.get(key) ?? 0n) + (usdOf(money(unit, parts)) ?? usd));
  }
  return open;
}

/** Returns an amount's current worth in cents of USD; undefined without a rate. */
function usdOf(amount: Money): bigint | undefined {
  const snapshot = latest();
  try {
    return snapshot && usdValue(snapshot, amount).parts;
  } catch {
    return undefined;
  }
}
