// Binds the calls of partners' programs to the functions that carry them out; no logic.

import { Problem, type Routes } from '@kurs/contract';
import { requirePartner } from '../compliance/index.ts';
import { type Context, type Work, holderBehind } from '../platform/index.ts';
import { directionsWire } from '../pricing/index.ts';
import { statisticsOf } from '../referrals/index.ts';
import { placeForPartner } from './actions/place-for-partner.ts';
import type { PlaceOrder } from './actions/place-order.ts';
import type { CalculationDeps } from './calculation/calculate.ts';
import { untilPrepared } from './calculation/until-prepared.ts';
import type { Sender } from './letters/letters.ts';
import { readPartnerOrder } from './order/store/partner-orders.ts';
import { showOrder } from './views/track.ts';

type PartnerCalls = 'partnerRates' | 'partnerOrderPlace' | 'partnerOrder' | 'partnerStatistics';

interface PartnerDeps extends CalculationDeps {
  readonly sender: Sender;
  readonly place: PlaceOrder;
}

/**
 * Returns the handlers of the partners' calls, by the calls' names in the contract. `preparing`: longest time to wait until a
 * provider has prepared a payment, in ms.
 */
export function partnerRoutes(deps: PartnerDeps, preparing: number): { [N in PartnerCalls]: Work<Routes[N]> } {
  const { db } = deps;
  /** Returns the id of the account holder who owns the call's key. Throws `partner_not_yet`. */
  const partnerIn = async (context: Context): Promise<string> => {
    const { id } = holderBehind(context);
    await requirePartner(db, { holderId: id, now: await db.now() });
    return id;
  };
  return {
    async partnerRates(input, context) {
      await partnerIn(context);
      return directionsWire(input);
    },
    async partnerOrderPlace(input, context) {
      const holderId = await partnerIn(context);
      const placed = await placeForPartner(deps, input, { holderId, idempotencyKey: context.idempotencyKey });
      return showOrder({ ...deps, locale: input.locale }, await untilPrepared(db, placed, preparing));
    },
    async partnerOrder({ id }, context) {
      const order = await readPartnerOrder(db, await partnerIn(context), id);
      if (!order) throw new Problem('order_not_found');
      return showOrder({ ...deps, locale: context.locale }, order);
    },
    async partnerStatistics(input, context) {
      return statisticsOf(db, await partnerIn(context), input, await db.now());
    },
  };
}
