// Uses of prizes: credit on fees, the wallet, and for a closed account the pot.

import { Problem, fieldProblem } from '@kurs/contract';
import { REWARD_UNIT, format, money, parse } from '@kurs/money';
import { levelOf } from '../compliance/index.ts';
import { alone } from '../collecting/index.ts';
import { addCredit } from '../coupons/index.ts';
import { type Journal, accounts, leg } from '../ledger/index.ts';
import { INTO_WALLET_EVENT, type IntoWallet } from '../moneyout/index.ts';
import { type AccountHolder, type Db, type Statements, type Tx, newId } from '../platform/index.ts';
import { potAccount } from '../pots/index.ts';
import { holderSums } from './draw-store.ts';
import { macOfOut } from './macs.ts';
import { earnedBy, qualifies, wouldQualify } from './orders.ts';
import { rules } from './settings.ts';

type Way = 'credit' | 'wallet' | 'given_up';

/** Amount used, and the rest. */
export interface Moved {
  readonly moved: bigint;
  readonly balance: bigint;
}

/** Turns prizes into credit on fees. Throws `validation` on the amount, and `not_enough_money`. */
export async function toCredit(db: Db, { id: holderId }: AccountHolder, amount: string): Promise<Moved> {
  const parts = sumOf(amount);
  return alone(db, async (unit) => {
    const { balance } = await take(unit.tx, holderId, 'credit', parts);
    unit.post(await addCredit(unit.tx, { id: newId(), holderId, parts }));
    return { moved: parts, balance };
  });
}

/**
 * Puts prizes into the holder's wallet. Throws `validation` on the amount, also below the minimum; `not_enough_money`; and
 * `earn_order_first` with the allowed amount.
 */
export async function toWallet(db: Db, holder: AccountHolder, amount: string): Promise<Moved> {
  const [parts, { minToWallet, minOrder }] = [sumOf(amount), rules()];
  if (parts < minToWallet) throw fieldProblem('amount', 'amount_below_min', { min: shown(minToWallet), currency: REWARD_UNIT });
  return alone(db, async (unit) => {
    const { tx } = unit;
    const sums = await holderSums(tx, holder.id, { lock: true });
    if (sums.balance < parts) throw new Problem('not_enough_money');
    const max = await maxToWallet(tx, holder, { toWallet: sums.toWallet, isFirst: () => qualifies(tx, holder.id) });
    if (max !== undefined && parts > max)
      throw new Problem('earn_order_first', { params: { sum: shown(max), min: shown(minOrder) } });
    const { cause, balance } = await take(tx, holder.id, 'wallet', parts);
    const legs = [leg(accountOf(holder.id), accounts.wallet(holder.id, REWARD_UNIT), parts)];
    unit.post({ id: newId(), kind: 'earn_paid', cause, legs });
    const body: IntoWallet = { holderId: holder.id, unit: REWARD_UNIT };
    unit.publish({ id: newId(), kind: INTO_WALLET_EVENT, subject: `wallet:${holder.id}`, body });
    return { moved: parts, balance };
  });
}

/** Returns the amount that may go into a holder's wallet now; undefined if all of it may. */
export const walletLeft = async (
  db: Statements,
  holder: AccountHolder,
  { toWallet: gone, now }: { readonly toWallet: bigint; readonly now: Date },
): Promise<bigint | undefined> =>
  maxToWallet(db, holder, { toWallet: gone, now, isFirst: () => wouldQualify(db, holder.id, now) });

async function maxToWallet(
  db: Statements | Tx,
  { id }: AccountHolder,
  of: { readonly toWallet: bigint; readonly now?: Date; readonly isFirst: () => Promise<boolean> },
): Promise<bigint | undefined> {
  if ((await levelOf(db, id)) >= 2) return undefined;
  if (!(await of.isFirst())) return 0n;
  const now = of.now ?? (db as Tx).now;
  const left = (await earnedBy(db, id, now)) - of.toWallet;
  return left > 0n ? left : 0n;
}

/** Returns the journal of a closed account's prizes to the pot, or undefined for none. */
export async function giveUpPrizes(tx: Tx, holderId: string): Promise<Journal | undefined> {
  const { balance: parts } = await holderSums(tx, holderId, { lock: true });
  if (parts === 0n) return undefined;
  const { cause } = await take(tx, holderId, 'given_up', parts);
  return { id: newId(), kind: 'earn_given_up', cause, legs: [leg(accountOf(holderId), potAccount('earn'), parts)] };
}

const accountOf = (holderId: string) => accounts.earn(holderId, REWARD_UNIT);

/** Takes an amount of a holder's prizes. Returns the rest, and the row of this use. */
async function take(tx: Tx, holderId: string, way: Way, parts: bigint): Promise<{ cause: string; balance: bigint }> {
  const { balance } = await holderSums(tx, holderId, { lock: true });
  if (balance < parts) throw new Problem('not_enough_money');
  const cause = newId();
  await note(tx, { id: cause, holderId, way, parts });
  return { cause, balance: balance - parts };
}

/** Notes a use of a holder's prizes. */
async function note(
  tx: Tx,
  { id, holderId, way, parts }: { id: string; holderId: string; way: Way; parts: bigint },
): Promise<void> {
  await tx.run('insert into earn_out (id, holder_id, way, parts, at, mac) values ($1, $2, $3, $4, $5, $6)', [
    ...[id, holderId, way, parts, tx.now],
    macOfOut({ id, holderId, way, parts, at: tx.now }),
  ]);
  await tx.run(
    `update earn_holder set used = used + $2, to_wallet = to_wallet + case when $3 = 'wallet' then $2 else 0 end
     where holder_id = $1`,
    [holderId, parts, way],
  );
}

/** Parses a typed amount of the unit of rewards. Throws `validation` if it is invalid or zero. */
function sumOf(amount: string): bigint {
  try {
    const { parts } = parse(REWARD_UNIT, amount);
    if (parts > 0n) return parts;
  } catch (cause) {
    throw new Problem('validation', { errors: { amount: { code: 'amount_format' } }, cause });
  }
  throw fieldProblem('amount', 'amount_format');
}

const shown = (parts: bigint): string => format(money(REWARD_UNIT, parts), 2);
