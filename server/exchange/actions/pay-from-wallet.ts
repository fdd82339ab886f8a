// Orders that are paid from, or paid out to, an account holder's wallet. A payment from a wallet is made while the order is
// placed. A payout to a wallet is complete with its posting.

import { Problem } from '@kurs/contract';
import type { SteppedUp } from '../../auth/index.ts';
import { accounts, balances } from '../../ledger/index.ts';
import { type OutAction, type Passed, type Passing, passOut } from '../../moneyout/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import type { Batch } from '../apply/batch.ts';
import { isWallet } from '../../pricing/index.ts';
import { type Calculation, type Complete, walletAccount } from '../calculation/calculation.ts';
import { ORDER_OUT } from '../order/kinds.ts';
import type { OrderView, Payment } from '../order/order.ts';
import type { StoredOrder } from '../order/store/order-store.ts';

/** Reason for refusing an order whose holder hasn't confirmed yet that money may leave their wallet. */
export class Unconfirmed extends Error {
  readonly holderId: string;

  constructor(holderId: string) {
    super('an order that is paid from a wallet is not confirmed');
    this.name = 'Unconfirmed';
    this.holderId = holderId;
  }
}

/**
 * Returns the holder whose wallet pays for a calculation; undefined if it is paid by a rail. Throws `unauthorised` if the caller
 * isn't that holder.
 */
export function payingHolder(calculation: Calculation, asking: string | undefined): string | undefined {
  if (!isWallet(calculation.wallet, 'give')) return undefined;
  if (asking === undefined || asking !== calculation.holderId) throw new Problem('unauthorised');
  return asking;
}

/** An order to be paid from its holder's wallet, with the proofs that the holder has given. */
export interface FromWallet {
  readonly id: string;
  readonly holderId: string;
  readonly calculation: Complete;
  readonly stepped: SteppedUp | undefined;
}

/**
 * Passes orders' payments through moneyout, the checks for all money that leaves a wallet. `grant` adds an order's worth to the
 * limits, so moneyout doesn't. Returns a reason for each refused order: `Unconfirmed` before the step-up, `not_enough_money`, and
 * the problems of `passOut`.
 */
export async function passDoor(tx: Tx, all: readonly FromWallet[]): Promise<(Passed | Error)[]> {
  if (all.length === 0) return [];
  const there = await balances(
    tx,
    all.map(({ holderId, calculation }) => accounts.wallet(holderId, calculation.held.give.unit)),
  );
  const passing: { readonly at: number; readonly passing: Passing }[] = [];
  const outcomes = all.map((one, at): Passed | Error => {
    // Only the ledger's check at the posting is binding. This check comes earlier, so that a missing sum uses up no code.
    if ((there[at] ?? 0n) < one.calculation.held.give.parts) return new Problem('not_enough_money');
    if (one.stepped) passing.push({ at, passing: { stepped: one.stepped, action: actionOf(one) } });
    return new Unconfirmed(one.holderId);
  });
  const passed = await passOut(
    tx,
    passing.map((one) => one.passing),
  );
  for (const [index, { at }] of passing.entries()) outcomes[at] = passed[index] as Passed | Problem;
  return outcomes;
}

function actionOf({ id, holderId, calculation }: FromWallet): OutAction {
  const { to, receive, held, wallet, email } = calculation;
  const isOutgoing = !isWallet(wallet, 'get');
  const target = isOutgoing ? { currency: to, key: receive.key } : undefined;
  return {
    ...{ id, kind: ORDER_OUT, holder: { id: holderId, email }, usd: held.usd, unit: held.give.unit, to: target },
    ...{ field: 'receive', isOutgoing, isCounted: true },
  };
}

/**
 * Returns an order's pinned data about wallets: the wallets on its sides, and the approvals that moneyout requires. A payment
 * from a wallet is not reversible.
 */
export function walletPins({ wallet, holderId }: Complete, people: 0 | 1 | 2 = 0): Partial<OrderView['pinned']> {
  if (wallet === undefined || holderId === undefined) return {};
  const [give, get] = [isWallet(wallet, 'give'), isWallet(wallet, 'get')];
  return {
    wallets: {
      ...(give && { give: holderId }),
      ...(get && { get: holderId }),
      ...(people > 0 && { people: people as 1 | 2 }),
    },
    ...(give && { isReversible: false }),
  };
}

/** Pays an order while it is placed: money that leaves a wallet is final with the posting. */
export async function payFromWallet(tx: Tx, batch: Batch, { view }: StoredOrder): Promise<void> {
  const payment: Payment = {
    ...{ id: newId(), parts: view.give.parts, status: 'final', place: 'hot', txid: '', seenAt: tx.now, isFeeOk: true },
    ...{ firstConfirmedAt: tx.now, confirmations: 1, needed: 1, source: walletAccount(view.pinned.wallets?.give ?? '') },
  };
  await batch.readDesk();
  const { refused } = batch.decide(view.id, { type: 'payin_final', payment }, { who: 'S' });
  if (refused !== undefined) throw new Problem('order_changed');
}
