// Vouchers of orders: redeems a voucher that a customer enters as a payment, and shows a voucher that a payout bought.

import { type Input, type Output, Problem, type Routes, fieldProblem } from '@kurs/contract';
import {
  type AccountField,
  VOUCHER_SHOWN_DAYS,
  enterVoucher,
  voucherState,
  isEnteredTwice,
  showVoucher,
  voucherFields,
} from '../../payments/index.ts';
import type { Context, Db, Sealer } from '../../platform/index.ts';
import { freezeOf, spendCode, tryCode } from '../../auth/index.ts';
import { stopOf } from '../../compliance/index.ts';
import { owing } from '../apply/debts-of-orders.ts';
import { ordersOnReversals } from '../apply/payout-obstacles.ts';
import { voucherTransferOf } from '../order/money/voucher-transfer.ts';
import type { Sender } from '../letters/letters.ts';
import { ORDER_CODE } from '../order/kinds.ts';
import type { OrderView } from '../order/order.ts';
import { type StoredOrder, lockOrder, readOrder } from '../order/store/order-store.ts';
import { isPlacedBy } from '../order/store/owner.ts';
import { amountDue } from '../wire/order-wire.ts';
import { orderByToken } from '../views/track.ts';

export interface VoucherDeps {
  readonly db: Db;
  readonly sender: Sender;
  readonly sealer: Sealer;
}

const DAY_MS = 86_400_000;

/**
 * Takes a voucher that a customer enters for their order. A worker redeems the voucher at once, and its worth then arrives like
 * any payment. Possible only while the rate is locked and an amount is due. Throws `order_not_found`, `order_changed`,
 * `too_many_entries`, and `validation` on a field that is missing, malformed, unknown or was entered before.
 */
export async function redeem({ db, sender, sealer }: VoucherDeps, input: Input<Routes['orderRedeem']>): Promise<StoredOrder> {
  const seen = await orderByToken(db, sender.tokens, input);
  const fields = voucherFields(entryFields(seen.view), input.fields);
  const used = (): Problem => fieldProblem(`fields.${Object.keys(fields)[0] ?? 'number'}`, 'voucher_used');
  try {
    await db.tx(async (tx) => {
      const order = await lockOrder(tx, input.id);
      if (!order) throw new Problem('order_not_found');
      const isLocked = tx.now < order.view.pinned.lockUntil && !order.view.facts.isLate;
      if (!isLocked || amountDue(order.view, tx.now) === 0n) throw new Problem('order_changed');
      const entered = await enterVoucher(tx, sealer, { kind: 'order', id: order.view.id }, fields);
      if (entered === 'too_many') throw new Problem('too_many_entries');
      if (entered === 'no_place') throw new Problem('order_changed');
      if (entered === 'used') throw used();
    });
  } catch (error) {
    throw isEnteredTwice(error) ? used() : error;
  }
  return (await readOrder(db, input.id)) ?? seen;
}

function entryFields({ facts }: OrderView): readonly AccountField[] {
  const { payWay } = facts;
  if (payWay === undefined || payWay === 'refused' || payWay.kind !== 'voucher') throw new Problem('order_changed');
  return payWay.fields;
}

/**
 * Shows the voucher that an order bought to anyone who has the order's secret, and records each showing.
 *
 * Requires a mailed code, except for the first showing in the browser that placed the order or to its signed-in owner. A debtor
 * or blocked customer is refused the first showing. A voucher that was paid from a wallet is not shown during a withdrawal freeze
 * of the wallet's holder: anyone who reads a voucher has its money.
 *
 * Throws `order_not_found`, `nothing_to_show` (also after the payout was taken back), `withdrawals_frozen`, `debt_stops`,
 * `blocked`, `reversal_pending`, `voucher_sealed`, `code_*`.
 */
export async function showBought(
  { db, sender, sealer }: VoucherDeps,
  input: Input<Routes['orderVoucher']>,
  asker: Pick<Context, 'ip' | 'browser' | 'user'>,
): Promise<Output<Routes['orderVoucher']>> {
  const order = await orderByToken(db, sender.tokens, input);
  const { view, updatedAt } = order;
  const intent = voucherTransferOf(view);
  const state = intent === undefined ? 'none' : await voucherState(db, intent);
  if (intent === undefined || state === 'none') throw new Problem('nothing_to_show');
  const until = new Date(updatedAt.getTime() + VOUCHER_SHOWN_DAYS * DAY_MS);
  const now = await db.now();
  if (until <= now) throw new Problem('nothing_to_show');
  const holder = view.pinned.wallets?.give;
  const frozen = holder === undefined ? undefined : await freezeOf(db, holder, now);
  if (frozen) throw new Problem('withdrawals_frozen', { params: { until: frozen.until.toISOString() } });
  const [stop] = state === 'unseen' ? ((await owing(db, [order])).get(view.id)?.shown ?? []) : [];
  if (stop) throw stopOf(stop);
  if (state === 'unseen' && (await ordersOnReversals(db, [order])).size > 0) throw new Problem('reversal_pending');
  const code = { purpose: ORDER_CODE, subject: view.id, handle: input.handle };
  const takesCode = state === 'seen' || !isPlacedBy(order, asker);
  if (takesCode) await tryCode(db, code, input.otp);
  return db.tx(async (tx) => {
    if (takesCode) await spendCode(tx, code);
    const fields = await showVoucher(tx, sealer, intent, asker.ip, state);
    if (!fields) throw new Problem('code_required');
    return { fields, until: until.toISOString() };
  });
}
