// Bindings of the contract's calls to this room's verbs; no logic.

import { type Output, Problem, type Routes } from '@kurs/contract';
import { type Context, type Db, type EventStream, type Sealer, type Statements, type Work } from '../platform/index.ts';
import { peopleForSum } from './approvals.ts';
import { type Visitor, endCalculation, showCalculation, step1, step2, step3 } from './calculate.ts';
import { cancelOrder } from './cancel-order.ts';
import { choose, withOffer } from './choose.ts';
import { CODE, countCode, makeCode } from '../auth/index.ts';
import { autoLimits } from './desk.ts';
import { type Sender, queueLetter } from './letters.ts';
import { wordOf } from './order.ts';
import { ownFigures, ownOrders } from './own-orders.ts';
import { ownerOf, readOwn } from './owner.ts';
import type { OrderWatch } from './order-watch.ts';
import { type StoredOrder, readOrder } from './order-store.ts';
import { amountDue, payNow } from './order-wire.ts';
import { placeOrder } from './place-order.ts';
import { untilPrepared } from './until-prepared.ts';
import { redeem, showBought } from './redeem.ts';
import { type Receipts, receiptKeys } from './receipt.ts';
import { orderByToken, showOrder, trackOrder } from './track.ts';

export interface RoutesDeps {
  readonly db: Db;
  readonly sender: Sender;
  readonly watch: OrderWatch;
  /** Seals vouchers, as the worker's does. */
  readonly sealer: Sealer;
  /** Opens second factors. */
  readonly factors: Sealer;
  /** How many operators are active: the desk's people are known on a higher floor. */
  readonly operators: (db: Statements) => Promise<number>;
  readonly receipts: Receipts;
  /** The chats of orders, which a higher floor keeps: an order's stream tells of them too. */
  readonly chats?: {
    /** 0 where there is none. */
    versionOf(orderId: string): Promise<number>;
    listen: OrderWatch['listen'];
  };
}

type Names =
  | 'calculation' | 'step1' | 'step2' | 'step3' | 'processOrder' | 'processTransaction' | 'expire' | 'trackOrder'
  | 'orderStatus' | 'orderGetOtp' | 'orderChoose' | 'orderRedeem' | 'orderGoods' | 'receiptKeys'
  | 'userOrders' | 'userOrder' | 'userOrderFigures'; // prettier-ignore

const HOUR = 3_600;
/**
 * Looking for an order by e-mail. Tries are counted where they come from, and only what found its order is counted for
 * the order: a stranger who doesn't know it uses up nothing of its owner's.
 */
const TRACKS = { ofNetwork: { most: 30, seconds: HOUR }, ofOrder: { most: 10, seconds: HOUR } };
/** Milliseconds that a caller waits for a provider to prepare a payment: with the placing, and where only that is asked. */
const PREPARING = { placing: 2_500, asking: 10_000 };
/** How often one may ask for a code, whether one is sent or not. */
const CODES_ASKED = { most: 60, seconds: HOUR };

/** The room's calls by their names in the contract, and the stream of one order's status. */
export function exchangeRoutes({ db, sender, watch, sealer, factors, operators, receipts, chats }: RoutesDeps): {
  works: { [N in Names]: Work<Routes[N]> };
  stream: (input: { id: string; token: string }, context: Context, stream: EventStream) => Promise<void>;
} {
  const { tokens } = sender;
  const approvalFor = (usd: { parts: bigint }) => peopleForSum(usd.parts, autoLimits());
  const calculating = { db, tokens, operators, receipts, approvalFor };
  const deps = { db, sender, receipts };
  const statusOf = async ({ view, updatedAt }: StoredOrder): Promise<Output<Routes['orderStatus']>> => {
    const messages = await chats?.versionOf(view.id);
    return { status: wordOf(view), updated_at: updatedAt.toISOString(), seq: view.version, ...(messages && { messages }) };
  };
  const works: { [N in Names]: Work<Routes[N]> } = {
    calculation: (input) => showCalculation(calculating, input),
    step1: (input, context) => step1(calculating, input, visitorOf(context), context.user),
    step2: (input, context) => step2(calculating, input, visitorOf(context)),
    step3: (input, context) => step3(calculating, input, visitorOf(context), context.user),
    async processOrder(input, { repeated, locale, user }) {
      const placed = await placeOrder(
        { ...deps, sealer: factors },
        { ...input, repeated, holderId: user?.id, sessionId: user?.sessionId },
      );
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
    async trackOrder(input, { limit, limitNetwork, locale }) {
      if (input.token === undefined) {
        limitNetwork('track', TRACKS.ofNetwork);
        return trackOrder(deps, input, (order) => limit(`track ${order.view.id}`, TRACKS.ofOrder));
      }
      const order = await orderByToken(db, tokens, { id: input.id, token: input.token });
      return showOrder({ ...deps, locale }, await withOffer(deps, order));
    },
    async orderStatus(input) {
      return statusOf(await orderByToken(db, tokens, input));
    },
    async orderGetOtp(input, { limit, limitNetwork }) {
      const order = await orderByToken(db, tokens, input);
      limit(`code asked ${order.view.id}`, CODES_ASKED);
      await db.tx(async (tx) => {
        const code = await makeCode(tx, { purpose: 'order', subject: order.view.id });
        // Only what is sent counts: whoever asks too soon has used up nothing.
        countCode({ limit, limitNetwork }, order.email);
        await queueLetter(tx, sender, order, 'code', { once: tx.now.toISOString(), code });
      });
      return { expires_in: CODE.seconds, resend_in: CODE.resendSeconds };
    },
    async orderChoose(input, { limit, locale }) {
      limit(`choose ${input.id}`, { most: 30, seconds: HOUR });
      return showOrder({ ...deps, locale }, await choose({ ...deps, sealer: factors }, input));
    },
    async orderRedeem(input, { limit, locale }) {
      limit(`redeem ${input.id}`, { most: 30, seconds: HOUR });
      return showOrder({ ...deps, locale }, await redeem({ ...deps, sealer }, input));
    },
    async orderGoods(input, { limit, ip }) {
      limit(`goods ${input.id}`, { most: 30, seconds: HOUR });
      return showBought({ ...deps, sealer }, input, ip);
    },
  };

  return {
    works,
    async stream(input, _context, stream) {
      const order = await orderByToken(db, tokens, input);
      const send = async (event: 'order' | 'message'): Promise<void> => {
        const current = await readOrder(db, order.number);
        if (!current) return stream.end();
        const data = await statusOf(current);
        stream.send({ id: markOf(data), event, data });
      };
      const tell = (event: 'order' | 'message') => (): void => void send(event).catch(() => stream.end());
      const begun = await statusOf(order);
      if (stream.lastEventId !== markOf(begun)) await send('order');
      const stops = [
        watch.listen(order.view.id, order.view.version, tell('order')),
        chats?.listen(order.view.id, begun.messages ?? 0, tell('message')),
      ];
      stream.signal.addEventListener('abort', () => stops.forEach((stop) => stop?.()));
    },
  };
}

function visitorOf({ locale, deviceKey, ip }: Context): Visitor {
  return { locale, device: deviceKey, ip };
}

/** Where a reader of an order's stream stands: the order's version, and its chat's behind a point once there is one. */
const markOf = ({ seq, messages }: Output<Routes['orderStatus']>): string =>
  messages === undefined ? String(seq) : `${seq}.${messages}`;
