// Places an order: turns a calculation whose three steps are done into an order. A calculation becomes at most one order.

import { type SteppedUp, stepUp } from '../../auth/index.ts';
import { JournalRefused, type Member, inGroups } from '../../collecting/index.ts';
import { MONEY_OUT } from '../../moneyout/index.ts';
import { type Db, type Sealer, alsoAbout, isDuplicate } from '../../platform/index.ts';
import type { Receipts } from '../calculation/receipt.ts';
import type { Sender } from '../letters/letters.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import { Unconfirmed } from './pay-from-wallet.ts';
import { type Placing, placeTogether } from './place-together.ts';

export interface PlaceDeps {
  readonly db: Db;
  /** Decrypts stored second-factor secrets, for orders that are paid from a wallet. */
  readonly sealer: Sealer;
  readonly sender: Sender;
  readonly receipts: Receipts;
}

/** The calculation, its customer, and the proofs for a payment from a wallet. */
export interface PlaceInput extends Omit<Placing, 'paying' | 'isHoldable'> {
  /** The caller's session: a code is valid only in the session that it was mailed for. */
  readonly sessionId?: string | undefined;
  readonly two_factor_code?: string | undefined;
  readonly otp?: string | undefined;
}

/** Places the order of a calculation. */
export type PlaceOrder = (input: PlaceInput) => Promise<StoredOrder>;

const ATTEMPTS = 3;
/** Maximum number of orders in one transaction: if one order waits for a locked row, all others in the transaction wait, too. */
const TOGETHER = 16;

/**
 * Returns the function that places orders. Callers of the same moment share a transaction, in which each order is placed or
 * refused separately.
 *
 * The function checks again that the direction is open, and that market, spread and costs have not moved against the desk since
 * the quote. It adds the order to its customer's limits, opens a receiving address and reserves the payout amount.
 *
 * Throws `calculation_*`, `quote_expired`, `market_moved`, `direction_closed`, `rates_unavailable`, `too_many_unpaid_orders`,
 * `debt_stops` for a proven debtor, and `validation` on `amount` beyond the limits; nothing is stored then. For an order paid
 * from a wallet, throws also `not_enough_money` and the errors of `stepUp` and `passOut`.
 */
export function openPlacing(deps: PlaceDeps): PlaceOrder {
  const placed = inGroups(deps.db, (tx, members: readonly Member<Placing>[]) => placeTogether(tx, deps, members), {
    max: TOGETHER,
    keysOf: ({ id }) => [id],
  });
  return async (input) => {
    let paying: SteppedUp | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const order = await placed({ ...input, paying, isHoldable: attempt === 1 });
        alsoAbout({ orderId: order.view.id, orderNumber: order.number });
        return order;
      } catch (error) {
        if (error instanceof Unconfirmed && !paying) {
          const who = { id: error.holderId, sessionId: input.sessionId ?? '' };
          paying = await stepUp(deps, who, input, { purpose: MONEY_OUT, about: input.id });
          attempt = 0;
          continue;
        }
        const again = isDuplicate(error, 'customer_order_number_key') || error instanceof JournalRefused;
        if (!again || attempt === ATTEMPTS) throw error;
      }
    }
  };
}

/** Places a single order, as `openPlacing` does. */
export const placeOrder = (deps: PlaceDeps, input: PlaceInput): Promise<StoredOrder> => openPlacing(deps)(input);
