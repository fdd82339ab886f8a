import type { Output, Routes } from '@kurs/contract';
import { format, money } from '@kurs/money';
import { levelOf, limitsOf, readCounted, shownHolder } from '../compliance/index.ts';
import type { Context, Db } from '../platform/index.ts';
import { outLimits } from './settings.ts';
import { customerKey, readOut } from './counted-payouts.ts';

const usd = (cents: bigint): string => format(money('USD', cents), 2);

/**
 * Returns a holder's limits in USD. First come the limits of the verification level with the sums used so far. These sums include
 * those of the holder's address and device. Then come the limits up to which money leaves without approval.
 */
export async function limitsView(
  db: Db,
  holder: { readonly id: string; readonly email: string },
  { deviceKey: device, ip }: Pick<Context, 'deviceKey' | 'ip'>,
): Promise<Output<Routes['walletLimits']>> {
  const [now, customer] = [await db.now(), customerKey({ ...holder, holderId: holder.id })];
  const shown = await shownHolder(db, holder.id);
  const [level, { used }, out] = await Promise.all([
    levelOf(db, holder.id),
    readCounted(db, { email: holder.email, accounts: [], device, ip, holder: shown }, now),
    readOut(db, now, { customers: [customer], currencies: [] }),
  ]);
  const { maxAtOnce, day, month } = limitsOf(level);
  const { action, holderDay, twoPeople } = outLimits();
  return {
    level,
    at_once: format(maxAtOnce, 2),
    day: { used: usd(used[0]), limit: format(day, 2) },
    month: { used: usd(used[1]), limit: month ? format(month, 2) : null },
    alone: usd(action),
    alone_day: { used: usd(out.of({ customer, currency: '' }).customerDay), limit: usd(holderDay) },
    two_people: usd(twoPeople),
  };
}
