// Places an order that a partner's program requests for a customer: all three steps and the placing, one after the other.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { clickedReference } from '@kurs/contract/reference';
import { holderById } from '../../auth/index.ts';
import { partnerKnownAt, partnerOf } from '../../compliance/index.ts';
import { type Db, idOfText, newId } from '../../platform/index.ts';
import { findAffiliate } from '../../referrals/index.ts';
import { type CalculationDeps, type Visitor, step1, step2, step3 } from '../calculation/calculate.ts';
import { readCalculation } from '../calculation/calculation-store.ts';
import { countPaidFor } from '../order/store/partner-orders.ts';
import type { StoredOrder } from '../order/store/order-store.ts';
import type { PlaceOrder } from './place-order.ts';

/** The partner, and the Idempotency-Key of the call. */
export interface ByPartner {
  readonly holderId: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Places the order of a partner's customer. All calls with one Idempotency-Key share one calculation, and so one order. The
 * partner becomes the customer's affiliate. Throws the errors of `step1`, `step2`, `step3` and `placeOrder`, and
 * `partner_suspended` for a suspended affiliate.
 */
export async function placeForPartner(
  deps: CalculationDeps & { readonly place: PlaceOrder },
  { receive, refund, email, campaign, sub, locale, ...request }: Input<Routes['partnerOrderPlace']>,
  { holderId, idempotencyKey }: ByPartner,
): Promise<StoredOrder> {
  const { db, tokens } = deps;
  if ((await findAffiliate(db, holderId)).suspendedAt) throw new Problem('partner_suspended');
  const id = idempotencyKey === undefined ? newId() : calculationOf(holderId, idempotencyKey);
  const known = { id, token: tokens.make('calculation', id, 1) };
  const partner = partnerOf(holderId, await countPaidFor(db, holderId, partnerKnownAt()));
  const found = await readCalculation(db, id);
  if (found?.found.orderId === undefined) {
    const visitor: Visitor = { locale, isBotChecked: true };
    const ref = await referenceOf(db, holderId, { campaign, sub });
    const { from, to, amount, side } = request;
    await step1(deps, { from, to, amount, side, ref, ...(found && known) }, visitor, undefined, id);
    await step2(deps, { ...known, receive, refund, email, terms_accepted: true, ask_me: false }, visitor);
    await step3(deps, known, visitor);
  }
  return deps.place({ ...known, isRepeated: true, partner });
}

/** Returns the affiliate reference of the API key's owner, with the campaign and note of the call. */
async function referenceOf(
  db: Db,
  holderId: string,
  { campaign, sub = '' }: { readonly campaign: string | undefined; readonly sub: string | undefined },
): Promise<string | undefined> {
  const code = (await holderById(db, holderId))?.referralCode;
  if (code === undefined) throw new Problem('unauthorised');
  return clickedReference(campaign === undefined ? code : `${code}.${campaign}`, sub, await db.now());
}

/** Returns the id of the calculation for a partner's Idempotency-Key. */
const calculationOf = (holderId: string, key: string): string => idOfText(`partner ${holderId} ${key}`);
