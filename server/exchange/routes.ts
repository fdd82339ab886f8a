// Binds the contract's calls for calculations and orders to the functions that carry them out; no logic.

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
import { giveEmail } from './actions/give-email.ts';
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
  /** Encrypts the vouchers that a customer enters, and decrypts those that a payout bought. */
  readonly sealer: Sealer;
  /** Decrypts stored second-factor secrets. */
  readonly factors: Sealer;
  /** Returns the number of active operators. Injected, because only a higher room knows the desk's people. */
  readonly operators: (db: Statements) => Promise<number>;
  readonly receipts: Receipts;
  /** Versions of orders' chats, for the status of an order's page. */
  readonly chats?: OwnerChats | undefined;
}

type Handlers<N extends keyof Routes> = { [K in N]: Work<Routes[K]> };

const HOUR = 3_600;
/** Limit on wrong e-mail addresses that a network may try for one order in an hour. Right addresses are not counted. */
const TRACKS = { max: 30, seconds: HOUR };
/**
 * Longest time to wait until a provider has prepared a payment, in ms. `placing`: while an order is placed. `asking`: in a call
 * that only requests the payment.
 */
const PREPARING = { placing: 2_500, asking: 10_000 };
/** Limit on each kind of action on one order, in an hour. */
const ACTIONS_OF_ORDER = { max: 30, seconds: HOUR };
/** Limit on requests for codes of one order in an hour, including requests after which no code is sent. */
const CODES_REQUESTED = { max: 60, seconds: HOUR };

/** Dependencies that several groups of handlers share. */
type Parts = ReturnType<typeof partsOf>;

function partsOf({ db, sender, factors, operators, receipts }: RoutesDeps) {
  const { tokens } = sender;
  const approvalFor = (usd: { parts: bigint }) => peopleForSum(usd.parts, autoLimits());
  const deps = { db, sender, receipts };
  return {
    calculating: { db, tokens, operators, receipts, approvalFor },
    deps,
    tryingCode: openTrying(),
    place: openPlacing({ ...deps, sealer: factors }),
  };
}

/** Returns the handlers of the room's calls, by the calls' names in the contract. */
export function exchangeRoutes(routesDeps: RoutesDeps) {
  const parts = partsOf(routesDeps);
  const { calculating, deps, place } = parts;
  return {
    ...calculationRoutes(parts),
    ...discountRoutes(parts),
    ...placingRoutes(parts),
    ...ownOrderRoutes(parts),
    ...orderPageRoutes(parts, routesDeps),
    ...orderChoiceRoutes(parts, routesDeps),
    ...partnerRoutes({ ...calculating, ...deps, place }, PREPARING.placing),
  };
}

/** Handlers for quotes, and for the three steps of a calculation. */
function calculationRoutes({
  calculating,
  tryingCode,
}: Parts): Handlers<'directions' | 'calculate' | 'calculation' | 'step1' | 'step2' | 'step3'> {
  return {
    directions: async (input, context) => directionsFor(context, input),
    calculate: (input, context) => tryingCode(context, input.coupon, async () => quoteFor(context, input)),
    calculation: (input, context) => showCalculation(calculating, input, context.user),
    step1: (input, context) =>
      tryingCode(context, input.coupon, () => step1(calculating, input, visitorOf(context), context.user)),
    step2: (input, context) => step2(calculating, input, visitorOf(context), context.user),
    step3: (input, context) => step3(calculating, input, visitorOf(context), context.user),
  };
}

/** Handlers for coupons, for an account's discounts, and for the links in letters that confirm discounts or switch letters off. */
function discountRoutes({
  deps: { db, sender },
  tryingCode,
}: Parts): Handlers<'couponCheck' | 'userDiscounts' | 'couponAdd' | 'couponCredit' | 'confirmDiscount' | 'lettersOff'> {
  return {
    couponCheck: (input, context) => tryingCode(context, input.code, async () => checkCoupon(context, input)),
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
    async lettersOff(input) {
      await switchLettersOff(db, sender.tokens, input);
      return {};
    },
  };
}

/** Handlers for placing an order, starting its payment, and ending a calculation or an order. */
function placingRoutes({ calculating, deps, place }: Parts): Handlers<'processOrder' | 'processTransaction' | 'expire'> {
  const { db, sender } = deps;
  const { tokens } = sender;
  return {
    async processOrder(input, { isRepeated, locale, user }) {
      const placed = await place({ ...input, isRepeated, holderId: user?.id, sessionId: user?.sessionId });
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
  };
}

/** Handlers for the orders of the account that is signed in. */
function ownOrderRoutes({ deps }: Parts): Handlers<'userOrders' | 'userOrder' | 'userOrderFigures'> {
  const { db, sender } = deps;
  return {
    userOrders: async (input, context) => ownOrders(deps, ownerOf(context), input),
    async userOrder({ id }, context) {
      const order = await readOwn(db, ownerOf(context), id);
      if (!order) throw new Problem('order_not_found');
      const shown = await showOrder({ ...deps, locale: context.locale }, await withOffer(deps, order));
      return { ...shown, token: sender.tokens.make('order', order.view.id, order.tokenVersion) };
    },
    userOrderFigures: async (input, context) => ownFigures(db, ownerOf(context), input),
  };
}

/** Handlers for an order's page: the order and its status, the code that confirms a choice, and the keys to check receipts. */
function orderPageRoutes(
  { deps }: Parts,
  { chats }: RoutesDeps,
): Handlers<'trackOrder' | 'orderStatus' | 'orderGetOtp' | 'receiptKeys'> {
  const { db, sender, receipts } = deps;
  const { tokens } = sender;
  return {
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
      if (order.email === '') throw new Problem('order_changed');
      await limit(`code asked ${order.view.id}`, CODES_REQUESTED);
      const what = { purpose: ORDER_CODE, subject: order.view.id };
      const handle = await handleOf(db, what, input.handle);
      await db.tx(async (tx) => {
        // Counted for each order, and only if a code is sent: a request that comes too soon after another uses up nothing.
        const counted = { countedAs: `order ${order.view.id}`, max: CODES_OF_ASKER };
        const code = await makeCode(tx, { ...what, handle }, counted);
        await queueAbout(tx, sender, { order, kind: 'code', once: `${tx.now.toISOString()} ${handle}`, code });
      });
      return { handle, expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
    },
  };
}

/** Handlers for a customer's choices on the order's page, and for vouchers. */
function orderChoiceRoutes(
  { deps }: Parts,
  { sealer, factors }: RoutesDeps,
): Handlers<'orderChoose' | 'orderEmail' | 'orderRedeem' | 'orderVoucher'> {
  const { db, sender } = deps;
  /** Counts an action in its limit for one order. Checks the order's secret first, so that strangers can't use up the limit. */
  const counted = async (
    limit: Context['limit'],
    action: string,
    key: { id: string; token?: string | undefined },
  ): Promise<void> => {
    const { view } = await orderByToken(db, sender.tokens, { id: key.id, token: key.token });
    await limit(`order ${action} ${view.id}`, ACTIONS_OF_ORDER);
  };
  return {
    async orderChoose(input, { limit, locale }) {
      await counted(limit, 'choose', input);
      return showOrder({ ...deps, locale }, await choose({ ...deps, sealer: factors }, input));
    },
    async orderEmail(input, { limit, locale }) {
      await counted(limit, 'email', input);
      return showOrder({ ...deps, locale }, await withOffer(deps, await giveEmail(deps, input)));
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
}

function visitorOf({ locale, deviceKey, ip }: Context): Visitor {
  return { locale, device: deviceKey, ip };
}
