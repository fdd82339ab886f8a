import { Problem } from '@kurs/contract';
import { type Leg, accounts, leg } from '../../ledger/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { Fields } from '../../rails/rail.ts';
import { bookForDesk } from './book-for-desk.ts';
import { currencyOf } from '../rails/registry.ts';
import { intentLegs } from '../payouts/rows/payout-legs.ts';
import { requestPayout } from '../payouts/request-payout.ts';
import { type Values, marketValues, pricesOf } from '../rails/values.ts';

export interface FundDesk {
  /** Id of the operator's action and of the journal. */
  readonly id: string;
  /** Currency of a rail, or the coin in which a rail pays network fees (`ETH`). */
  readonly currency: string;
  /** `hot`: booked as free money of the desk · `fuel`: set aside for gas at once. */
  readonly place: 'hot' | 'fuel';
  readonly parts: bigint;
  /**
   * True if the money left another rail earlier, so it is no new capital. If more or less arrives than had left, the difference
   * becomes the desk's profit or loss.
   */
  readonly isRebalancing?: boolean;
}

/**
 * Books money at a rail's own wallet as the desk's. All given actions are posted by one `post`, so this must be the last
 * statement of its transaction. A repeated action changes nothing. Throws `idempotency_mismatch` for an id with other content.
 */
export async function fundDesk(tx: Tx, given: FundDesk | readonly FundDesk[], values: Values = marketValues): Promise<void> {
  const actions = Array.isArray(given) ? (given as readonly FundDesk[]) : [given as FundDesk];
  const statuses = await bookForDesk(
    tx,
    actions.map((action) => {
      const unit = currencyOf(action.currency)?.unit ?? action.currency;
      const kind = action.isRebalancing ? 'rebalance' : 'capital_in';
      return { id: action.id, kind, legs: legsIn(action, unit), prices: pricesOf(values, [unit]) };
    }),
  );
  if (statuses.some(({ status }) => status !== 'posted' && status !== 'replayed')) throw new Problem('idempotency_mismatch');
}

function legsIn({ currency, place, parts }: FundDesk, unit: string): Leg[] {
  const free = accounts.deskFree(unit);
  const arrived = leg(accounts.custody(currency, place, unit), free, parts);
  return place === 'fuel' ? [arrived, leg(free, accounts.deskFuel(unit), parts)] : [arrived];
}

export interface WithdrawDesk {
  /** Id of the operator's action and of the intent. */
  readonly id: string;
  readonly currency: string;
  readonly parts: bigint;
  readonly to: Fields;
  /** True if the money will come back at another rail. */
  readonly isRebalancing?: boolean;
}

/**
 * Sends capital of the desk: moves it out of the desk's free money and queues a payout, whose owner is the desk. The payments
 * room posts the outcome. Posts, so it is the last statement of its transaction. Throws `not_enough_there` if the desk has less
 * free money, or for an id with other content. The caller ensures that two operators agreed.
 */
export async function withdrawDesk(
  tx: Tx,
  { id, currency, parts, to, isRebalancing = false }: WithdrawDesk,
  values: Values = marketValues,
): Promise<void> {
  const unit = currencyOf(currency)?.unit ?? currency;
  const kind = isRebalancing ? 'rebalance' : 'capital_out';
  const books = {
    cause: id,
    back: accounts.deskFree(unit),
    fee: 0n,
    kinds: { sent: kind, notSent: kind, returned: kind },
  } as const;
  const money = { id, currency, unit, parts, books };
  await requestPayout(tx, { ...money, owner: { kind: 'desk', id }, to, purpose: isRebalancing ? 'rebalance' : 'capital' });
  const [answer] = await bookForDesk(tx, [{ id, kind, legs: intentLegs(money), prices: pricesOf(values, [unit]) }]);
  if (answer?.status !== 'posted' && answer?.status !== 'replayed') throw new Problem('not_enough_there');
}
