// Orders whose sides are wallets of an account holder: paid as they are placed, paid out with the posting.

import { Problem } from '@kurs/contract';
import type { SteppedUp } from '../../auth/index.ts';
import { accounts, balance } from '../../ledger/index.ts';
import { passOut } from '../../moneyout/index.ts';
import { type Tx, newId } from '../../platform/index.ts';
import type { Batch } from '../apply/batch.ts';
import { isWallet } from '../../pricing/index.ts';
import { type Calculation, type Complete, walletAccount } from '../calculation/calculation.ts';
import { ORDER_OUT } from '../order/kinds.ts';
import type { OrderView, Payment } from '../order/order.ts';
import type { StoredOrder } from '../order/order-store.ts';

/** The holder hasn't confirmed yet that money may leave this wallet. */
export class Unconfirmed extends Error {
  readonly holderId: string;

  constructor(holderId: string) {
    super('an order that is paid from a wallet is not confirmed');
    this.name = 'Unconfirmed';
    this.holderId = holderId;
  }
}

/**
 * The holder from whose wallet a calculation is paid; undefined where a rail carries it. Throws `unauthorised` for anybody
 * else.
 */
export function payingHolder(calculation: Calculation, asking: string | undefined): string | undefined {
  if (!isWallet(calculation.wallet, 'give')) return undefined;
  if (asking === undefined || asking !== calculation.holderId) throw new Problem('unauthorised');
  return asking;
}

/**
 * The one door out of a wallet. Its worth is counted with the order's own limits. Throws `Unconfirmed` before the step-up,
 * `not_enough_money`, and as `passOut`.
 */
export async function passDoor(
  tx: Tx,
  stepped: SteppedUp | undefined,
  { id, holderId, calculation }: { readonly id: string; readonly holderId: string; readonly calculation: Complete },
): Promise<{ readonly people: 0 | 1 | 2 }> {
  const { unit, parts } = calculation.held.give;
  // What decides is the ledger's floor; this says so before a code is used up.
  if ((await balance(tx, accounts.wallet(holderId, unit))) < parts) throw new Problem('not_enough_money');
  if (!stepped) throw new Unconfirmed(holderId);
  const holder = { id: holderId, email: calculation.email };
  const { to, receive, held, wallet } = calculation;
  const leaves = !isWallet(wallet, 'get');
  const target = leaves ? { currency: to, key: receive.key } : undefined;
  const action = { kind: ORDER_OUT, holder, usd: held.usd, unit, to: target, field: 'receive', leaves, isCounted: true } as const;
  return passOut(tx, stepped, { ...action, id });
}

/** Which sides are wallets, and how many people the door asks for. A side of a wallet can't be taken back by a rail. */
export function walletPins({ wallet, holderId }: Complete, people: 0 | 1 | 2 = 0): Partial<OrderView['pinned']> {
  if (wallet === undefined || holderId === undefined) return {};
  const [give, get] = [isWallet(wallet, 'give'), isWallet(wallet, 'get')];
  return {
    wallets: {
      ...(give && { give: holderId }),
      ...(get && { get: holderId }),
      ...(people > 0 && { people: people as 1 | 2 }),
    },
    ...(give && { reversible: false }),
  };
}

/** Paid as it is placed: what leaves the wallet is final with the posting. */
export async function payFromWallet(tx: Tx, batch: Batch, { view }: StoredOrder): Promise<void> {
  const payment: Payment = {
    ...{ id: newId(), parts: view.give.parts, standing: 'final', place: 'hot', txid: '', seenAt: tx.now, feeOk: true },
    ...{ firstConfirmedAt: tx.now, confirmations: 1, needed: 1, source: walletAccount(view.pinned.wallets?.give ?? '') },
  };
  await batch.readDesk();
  const { refused } = batch.decide(view.id, { type: 'payin_final', payment }, { who: 'S' });
  if (refused !== undefined) throw new Problem('order_changed');
}
