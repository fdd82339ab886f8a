// Bindings of the contract's calls to this room's verbs; no logic.

import { Problem, type Routes } from '@kurs/contract';
import type { OwnerChats } from '../collecting/index.ts';
import { type Context, type Db, type Sealer, type Statements, type Work, userOf } from '../platform/index.ts';
import { peopleForSum } from './apply/approvals.ts';
import { autoLimits } from './machine/auto-limits.ts';
import { type Visitor, endCalculation, showCalculation, step1, step2, step3 } from './calculation/calculate.ts';
import { confirmDiscount } from './calculation/discounts/confirm-discount.ts';
import { checkCoupon, directionsFor, quoteFor } from './calculation/discounts/caller-prices.ts';
import { openTrying } from './calculation/discounts/trying-code.ts';
import { cancelOrder } from './actions/cancel-order.ts';
import { choose, withOffer } from './actions/choose.ts';
import { CODE, CODES_OF_ASKER, handleOf, makeCode } from '../auth/index.ts';
import { type Sender, queueAbout, switchLettersOff } from './letters/letters.ts';
import { addCoupon, ownDiscounts, switchOwnCredit } from './views/own-discounts.ts';
import { ownFigures, ownOrders } from './views/own-orders.ts';
import { ORDER_CODE } from './order/kinds.ts';
import { ownerOf, readOwn } from './order/store/owner.ts';
import { statusOf } from './views/order-stream.ts';
import { amountDue, payNow } from './wire/order-wire.ts';
import { openPlacing } from './actions/place-order.ts';
import { partnerRoutes } from './partner-routes.ts';
import { untilPrepared } from './calculation/until-prepared.ts';
import { redeem, showBought } from './actions/redeem.ts';
import { type Receipts, receiptKeys } from './calculation/receipt.ts';
import { orderByToken, showByToken, showOrder, trackOrder } from './views/track.ts';

export interface RoutesDeps {
  readonly db: Db;
  readonly sender: Sender;
  /** Seals vouchers, as the worker's does. */
  readonly sealer: Sealer;
  /** Opens second factors. */
  readonly factors: Sealer;
  /** How many operators are active: the desk's people are known on a higher floor. */
  readonly operators: (db: Statements) => Promise<number>;
  readonly receipts: Receipts;
  /** Versions of the chats of orders. */
  readonly chats?: OwnerChats | undefined;
}

type Names =
  | 'directions'
  | 'calculate'
  | 'couponCheck'
  | 'calculation'
  | 'step1'
  | 'step2'
  | 'step3'
  | 'processOrder'
  | 'processTransaction'
  | 'expire'
  | 'trackOrder'
  | 'orderStatus'
  | 'orderGetOtp'
  | 'orderChoose'
  | 'orderRedeem'
  | 'orderVoucher'
  | 'receiptKeys'
  | 'userDiscounts'
  | 'couponAdd'
  | 'couponCredit'
  | 'confirmDiscount'
  | 'lettersOff'
  | 'userOrders'
  | 'userOrder'
  | 'userOrderFigures';

const HOUR = 3_600;
/** How many wrong e-mails a network may try for one order; right ones and other orders aren't counted. */
const TRACKS = { most: 30, seconds: HOUR };
/** Milliseconds that a caller waits for a provider to prepare a payment: with the placing, and where only that is asked. */
const PREPARING = { placing: 2_500, asking: 10_000 };
/** What an order's holder may ask for of each kind. */
const ACTIONS_OF_ORDER = { most: 30, seconds: HOUR };
/** How often one may ask for a code, whether one is sent or not. */
const CODES_ASKED = { most: 60, seconds: HOUR };

/** The room's calls by their names in the contract. */
export function exchangeRoutes({
  db,
  sender,
  sealer,
  factors,
  operators,
  receipts,
  chats,
}: RoutesDeps): { [N in Names]: Work<Routes[N]> } & ReturnType<typeof partnerRoutes> {
  const { tokens } = sender;
  const approvalFor = (usd: { parts: bigint }) => peopleForSum(usd.parts, autoLimits());
  const calculating = { db, tokens, operators, receipts, approvalFor };
  const deps = { db, sender, receipts };
  const tryingCode = openTrying();
  const place = openPlacing({ ...deps, sealer: factors });
  /** Counts what the holder of an order asks: once their secret is shown, so that nobody else uses it up. */
  const counted = async (
    limit: Context['limit'],
    action: string,
    key: { id: string; token?: string | undefined },
  ): Promise<void> => {
    const { view } = await orderByToken(db, tokens, { id: key.id, token: key.token });
    await limit(`order ${action} ${view.id}`, ACTIONS_OF_ORDER);
  };
  const works: { [N in Names]: Work<Routes[N]> } = {
    directions: async (input, context) => directionsFor(context, input),
    calculate: (input, context) => tryingCode(context, input.coupon, async () => quoteFor(context, input)),
    couponCheck: (input, context) => tryingCode(context, input.code, async () => checkCoupon(context, input)),
    calculation: (input, context) => showCalculation(calculating, input, context.user),
    step1: (input, context) =>
      tryingCode(context, input.coupon, () => step1(calculating, input, visitorOf(context), context.user)),
    step2: (input, context) => step2(calculating, input, visitorOf(context), context.user),
    userDiscounts: (_input, context) => ownDiscounts(db, userOf(context)),
    couponAdd: (input, context) =>
      tryingCode(context, input.code, async () => {
        await addCoupon(db, userOf(context), input.code);
        return {};
      }),
    async couponCredit({ on }, context) {
      await switchOwnCredit(db, userOf(context), on);
      return {};
    },
    confirmDiscount: ({ token }) => confirmDiscount(db, token),
    step3: (input, context) => step3(calculating, input, visitorOf(context), context.user),
    async processOrder(input, { repeated, locale, user }) {
      const placed = await place({ ...input, repeated, holderId: user?.id, sessionId: user?.sessionId });
      const order = await untilPrepared(db, placed, PREPARING.placing);
      const shown = await showOrder({ ...deps, locale }, order);
      return { ...shown, token: tokens.make('order', order.view.id, order.tokenVersion) };
    },
    async processTransaction({ order_id, token, gateway }, { locale }) {
      const order = await untilPrepared(db, await orderByToken(db, tokens, { id: order_id, token }), PREPARING.asking);
      if (gateway !== undefined && gateway !== order.view.give.rail) throw new Problem('gateway_unknown');
      const { pay } = payNow(order, amountDue(order.view, await db.now()), locale);
      if (!pay) throw new Problem('order_changed');
      return { pay };
    },
    async expire({ id, token }) {
      if (/^[A-Z]{2}-/.test(id)) return { id, status: await cancelOrder(deps, { id, token }) };
      await endCalculation(calculating, { id, token });
      return { id, status: 'expired' };
    },
    userOrders: async (input, context) => ownOrders(deps, ownerOf(context), input),
    async userOrder({ id }, context) {
      const order = await readOwn(db, ownerOf(context), id);
      if (!order) throw new Problem('order_not_found');
      const shown = await showOrder({ ...deps, locale: context.locale }, await withOffer(deps, order));
      return { ...shown, token: tokens.make('order', order.view.id, order.tokenVersion) };
    },
    userOrderFigures: async (input, context) => ownFigures(db, ownerOf(context), input),
    receiptKeys: async () => ({ keys: receiptKeys(receipts) }),
    async trackOrder(input, { limitNetwork, locale }) {
      if (input.token === undefined) {
        const tried = await limitNetwork(`track ${input.id}`, TRACKS);
        const tracked = await trackOrder(deps, input);
        await tried.undo();
        return tracked;
      }
      const { order, shown } = await showByToken({ ...deps, locale }, { id: input.id, token: input.token });
      return shown ?? showOrder({ ...deps, locale }, await withOffer(deps, order));
    },
    async orderStatus(input) {
      return statusOf(db, await orderByToken(db, tokens, input), chats);
    },
    async orderGetOtp(input, { limit }) {
      const order = await orderByToken(db, tokens, input);
      await limit(`code asked ${order.view.id}`, CODES_ASKED);
      const what = { purpose: ORDER_CODE, subject: order.view.id };
      const handle = await handleOf(db, what, input.handle);
      await db.tx(async (tx) => {
        // Only what is sent counts, and for its order: anyone who asks too soon has used up nothing.
        const counted = { countedAs: `order ${order.view.id}`, most: CODES_OF_ASKER };
        const code = await makeCode(tx, { ...what, handle }, counted);
        await queueAbout(tx, sender, { order, kind: 'code', once: `${tx.now.toISOString()} ${handle}`, code });
      });
      return { handle, expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
    },
    async lettersOff(input) {
      await switchLettersOff(db, tokens, input);
      return {};
    },
    async orderChoose(input, { limit, locale }) {
      await counted(limit, 'choose', input);
      return showOrder({ ...deps, locale }, await choose({ ...deps, sealer: factors }, input));
    },
    async orderRedeem(input, { limit, locale }) {
      await counted(limit, 'redeem', input);
      return showOrder({ ...deps, locale }, await redeem({ ...deps, sealer }, input));
    },
    async orderVoucher(input, context) {
      await counted(context.limit, 'voucher', input);
      return showBought({ ...deps, sealer }, input, context);
    },
  };

  const ofPartners = partnerRoutes({ ...calculating, ...deps, place }, PREPARING.placing);
  return { ...works, ...ofPartners };
}

function visitorOf({ locale, deviceKey, ip }: Context): Visitor {
  return { locale, device: deviceKey, ip };
}
