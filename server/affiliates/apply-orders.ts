// Applies events of referred customers' orders: binds customers, and makes, takes back and restores rewards.

import { openAmong } from '../auth/index.ts';
import { UnitOfWork } from '../collecting/index.ts';
import { ORDER_EVENTS, type OrderPublished, maturesAt, orderPublished, profitOf, worthOf } from '../exchange/index.ts';
import { lockGuards } from '../moneyout/index.ts';
import type { StoredEvent, Subscription, Tx } from '../platform/index.ts';
import { maxPercent, noteKeys, secondPercent, shareOf } from '../referrals/index.ts';
import { addressOf, bindCustomers } from './orders/bind-customers.ts';
import { mailFirstRewards } from './letters.ts';
import { type Shared, keysOf, sharedOf } from './orders/known-by.ts';
import { friendWorth, marginWorth } from './orders/order-worth.ts';
import { type Postback, sendPostbacks } from './postbacks.ts';
import { OrderNotes, type Placed, type ReferredOrder, addOrders, isCase, lockOrders } from './referred-order.ts';
import type { Reward } from './reward.ts';
import { type Rewards, rewardsOf } from './reward-sums.ts';
import { lockOfOrders } from './reward-store.ts';
import { Rewarding } from './rewarding.ts';

type OrderEventKind = (typeof ORDER_EVENTS)[number];

interface Told {
  readonly kind: OrderEventKind;
  readonly body: OrderPublished;
}

/** The room's subscription, with its name in the database. `name`: the product's, for letters. */
export const affiliateOrders = (name: string): Subscription => ({
  subscriber: 'affiliates',
  kinds: ORDER_EVENTS,
  handle: (tx, events) => applyOrders(tx, events, name),
});

/** Applies a group of events, oldest first, in one transaction with one posting at its end. */
export async function applyOrders(tx: Tx, events: readonly StoredEvent[], name: string): Promise<void> {
  const published = events.map(({ kind, body }): Told => ({ kind: kind as OrderEventKind, body: orderPublished.parse(body) }));
  await noteKeysOfHolders(tx, published);
  const sent = published.filter(({ body }) => body.sentBy !== null);
  if (sent.length === 0) return;
  const added = await addOrders(
    tx,
    await placed(
      tx,
      sent.flatMap(({ kind, body }) => (kind === 'order.placed' ? [body] : [])),
    ),
  );
  await bindCustomers(
    tx,
    sent.flatMap(({ kind, body }) => (kind === 'order.exchanged' ? [body] : [])),
  );
  const unit = new UnitOfWork(tx);
  const { made, postbacks } = await reward(
    unit,
    sent.filter(({ kind }) => EARNING.has(kind)),
    name,
  );
  await sendPostbacks(tx, [...added.map((order): Postback => ({ order, state: 'placed' })), ...postbacks]);
  // Each affiliate gets at most one letter, however many rewards they earn together.
  const firsts = new Map(made.flatMap((one) => (one.state === 'case' ? [] : [[one.holderId, one] as const])).toReversed());
  await mailFirstRewards(tx, name, [...firsts.values()]);
  await unit.commit();
}

const EARNING: ReadonlySet<OrderEventKind> = new Set(['order.completed', 'order.reversed', 'order.restored', 'order.ended']);

/** Events that take back the rewards of an order. */
const TAKING: ReadonlySet<OrderEventKind> = new Set(['order.reversed', 'order.ended']);

/** Stores the identities of account holders, since they identify them as affiliates too. */
async function noteKeysOfHolders(tx: Tx, events: readonly Told[]): Promise<void> {
  const known = events.flatMap(({ kind, body }) => {
    const { holder } = body.customer;
    const isReported = kind === 'order.placed' || kind === 'order.completed';
    return holder !== null && isReported ? [{ holderId: holder, keys: keysOf(body) }] : [];
  });
  await noteKeys(tx, known);
}

/**
 * Returns placed orders with shared identities. Those that customer and affiliate share are stored in the order, which then has
 * no friend's discount. Those that the customer shares with the second-level affiliate change no price, and are queried here.
 */
async function placed(tx: Tx, bodies: readonly OrderPublished[]): Promise<Placed[]> {
  const sent = bodies.flatMap((body) => (body.sentBy ? [{ body, sentBy: body.sentBy }] : []));
  const shared = await sharedOf(
    tx,
    sent.map(({ body, sentBy: { affiliate, second } }) => ({ body, affiliate, second: second ?? undefined })),
  );
  return sent.map(({ body, sentBy }, at): Placed => {
    const { affiliate, campaign, sub, second, friendPercent } = sentBy;
    const { order: orderId, price } = body;
    return {
      ...{ orderId, affiliate, second: second ?? undefined, campaign, sub, friendPercent },
      ...{ give: price.give.currency, get: price.get.currency },
      ...{ shared: sentBy.shared ?? undefined, secondShared: shared[at]?.secondShared },
      ...{ placedAt: new Date(body.at), customer: addressOf(body) },
    };
  });
}

/** Effects of orders: the new rewards, and the postbacks for affiliates. */
interface Rewarded {
  readonly made: readonly Reward[];
  readonly postbacks: readonly Postback[];
}

async function reward(unit: UnitOfWork, events: readonly Told[], name: string): Promise<Rewarded> {
  const { tx } = unit;
  const orders =
    events.length === 0
      ? new Map<string, ReferredOrder>()
      : await lockOrders(tx, [...new Set(events.map(({ body }) => body.order))]);
  if (orders.size === 0) return { made: [], postbacks: [] };
  const holders = [...orders.values()].flatMap(levelsOf);
  await lockTakenFrom(tx, orders, events);
  const rewarding = await Rewarding.open(unit, holders);
  const shared = await sharedAtCompletion(tx, orders, events);
  const rewards = Map.groupBy(await lockOfOrders(tx, [...orders.keys()]), ({ orderId }) => orderId);
  const notes = new OrderNotes();
  const [made, postbacks]: [Reward[], Postback[]] = [[], []];
  for (const { kind, body } of events) {
    const order = orders.get(body.order);
    if (!order) continue;
    const known = rewards.get(order.orderId) ?? [];
    const after =
      kind === 'order.completed'
        ? await complete(notes, rewarding, { order, known, body, ...shared.get(body) })
        : kind === 'order.restored'
          ? await restore(notes, rewarding, { order, known })
          : kind === 'order.ended' && order.completedAt === undefined
            ? unpaid(order)
            : await reverse(notes, rewarding, { order, known, now: tx.now, name });
    orders.set(order.orderId, after.order);
    rewards.set(order.orderId, after.known ?? [...known, ...after.made]);
    made.push(...after.made);
    if (after.postback) postbacks.push(after.postback);
  }
  await notes.save(tx);
  await rewarding.save();
  return { made, postbacks };
}

/** Returns the affiliates who earn from an order: the one who referred its customer, and the one who referred that affiliate. */
const levelsOf = ({ affiliate, second }: ReferredOrder): string[] => [affiliate, ...(second === undefined ? [] : [second])];

/**
 * Locks the affiliates whose rewards are taken back, as their own withdrawals do. Earlier requests are then refused with it, and
 * so are later ones. Closed accounts make no requests.
 */
async function lockTakenFrom(tx: Tx, orders: ReadonlyMap<string, ReferredOrder>, events: readonly Told[]): Promise<void> {
  const taken = events.flatMap(({ kind, body }) => {
    const order = TAKING.has(kind) ? orders.get(body.order) : undefined;
    return order ? levelsOf(order) : [];
  });
  if (taken.length > 0) await lockGuards(tx, [...(await openAmong(tx, taken))].toSorted());
}

/** An order after an event: with its new rewards, or all of them with their states, and its postback. */
interface After {
  readonly order: ReferredOrder;
  readonly made: readonly Reward[];
  readonly known?: Reward[];
  readonly postback?: Postback;
}

interface Completed extends Earned {
  readonly body: OrderPublished;
  readonly shared?: string | undefined;
  readonly secondShared?: string | undefined;
}

/**
 * Makes the rewards of an order that is completed, or completed again after it had stopped counting. `now`: identities shared
 * now.
 */
async function complete(
  notes: OrderNotes,
  rewarding: Rewarding,
  { order: before, known, body, ...now }: Completed,
): Promise<After> {
  const { affiliate: first, second } = before;
  const isDone = before.completedAt !== undefined && before.reversedAt === undefined;
  if (isDone || before.isAltered) return { order: before, made: [] };
  const completedAt = new Date(body.at);
  const maturesOn = maturesAt(body.paidBy, completedAt);
  const shared = before.shared ?? now.shared;
  const secondShared = before.secondShared ?? now.secondShared;
  const profit = profitOf(body.price);
  const order = { ...before, shared, secondShared, completedAt, reversedAt: undefined, profit };
  notes.completed({ ...order, maturesAt: maturesOn, worth: worthOf(body.price) / PARTS_OF_CENT });
  if (!isCase(order)) rewarding.countOrder(order, 1n);
  const sums = sumsOf(rewarding, order, body.price);
  const made: Reward[] = [];
  for (const [tier, holderId, parts, why] of [
    [1, first, sums.first, shared],
    [2, second, sums.second, shared ?? secondShared],
  ] as const) {
    if (holderId === undefined || parts === 0n || !rewarding.isOpen(holderId)) continue;
    // A reward that people refused, or a closed account gave up, is not earned again.
    if (known.some((one) => one.tier === tier && one.state !== 'reversed')) continue;
    const reason = rewarding.reasonFor(holderId, why);
    made.push(await rewarding.make({ orderId: order.orderId, tier, holderId, parts, reason, maturesAt: maturesOn }, order));
  }
  return { order, made, postback: completedPostback(order, made) };
}

/** Returns shared identities at the completion, for orders without shared identities so far. */
async function sharedAtCompletion(
  tx: Tx,
  orders: ReadonlyMap<string, ReferredOrder>,
  events: readonly Told[],
): Promise<Map<OrderPublished, Shared>> {
  const request = events.flatMap(({ kind, body }) => {
    const order = orders.get(body.order);
    if (kind !== 'order.completed' || !order || isCase(order)) return [];
    return [{ body, affiliate: order.affiliate, second: order.second }];
  });
  const shared = await sharedOf(tx, request);
  return new Map(request.map(({ body }, at) => [body, shared[at] ?? NOTHING_SHARED]));
}

const NOTHING_SHARED: Shared = { shared: undefined, secondShared: undefined };

/** Returns the postback of a completed order. It has the reward of the first level, unless people decide that reward. */
function completedPostback(order: ReferredOrder, made: readonly Reward[]): Postback {
  const first = made.find(({ tier }) => tier === 1);
  return { order, state: 'completed', ...(first?.state !== 'case' && { parts: first?.parts ?? 0n }) };
}

/** An order that ended before it was completed: only its affiliate is notified. */
const unpaid = (order: ReferredOrder): After => ({ order, made: [], postback: { order, state: 'ended', parts: 0n } });

/** Returns the rewards of a completed order: by the share at the completion, and at least by the friend's promised share. */
function sumsOf(
  rewarding: Rewarding,
  order: ReferredOrder & { readonly profit: bigint },
  price: OrderPublished['price'],
): Rewards {
  const own = BigInt(shareOf(rewarding.affiliate(order.affiliate))) * 100n;
  const promised = hundredths(order.friendPercent);
  return rewardsOf({
    ...{ profit: order.profit, friend: friendWorth(price), margin: marginWorth(price) },
    ...{ share: own > promised ? own : promised, second: order.second === undefined ? 0n : BigInt(secondPercent()) * 100n },
    max: BigInt(maxPercent()) * 100n,
  });
}

const PARTS_OF_CENT = 10_000n;
/** Returns a percentage in hundredths of a percent, rounded down. */
function hundredths(percent: string): bigint {
  const [whole = '0', behind = ''] = percent.split('.');
  return BigInt(whole) * 100n + BigInt(behind.padEnd(2, '0').slice(0, 2));
}

interface Earned {
  readonly order: ReferredOrder;
  readonly known: readonly Reward[];
}

/** States of a reward that is its affiliate's, or will be when the pot has enough money. */
const GIVEN: ReadonlySet<Reward['state']> = new Set(['waiting', 'pending', 'available']);

/** Takes the rewards of an order back, once. */
async function reverse(
  notes: OrderNotes,
  rewarding: Rewarding,
  { order, known, now, name }: Earned & { readonly now: Date; readonly name: string },
): Promise<After> {
  if (order.completedAt === undefined || order.reversedAt !== undefined) return { order, made: [] };
  notes.reversed(order.orderId, now);
  const after: Reward[] = [];
  for (const one of known) {
    const isTaken = await rewarding.takeBack(one, name);
    if (isTaken && one.state !== 'case') rewarding.count(one, -1n, order);
    after.push(isTaken ? { ...one, state: 'reversed' } : one);
  }
  // A case counts once people have paid it.
  const isPaidCase = known.some(({ tier, state, reason }) => tier === 1 && reason !== undefined && GIVEN.has(state));
  if (!isCase(order) || isPaidCase) rewarding.countOrder(order, -1n);
  const reversed = { ...order, reversedAt: now };
  return { order: reversed, made: [], known: after, postback: { order, state: 'reversed', parts: 0n } };
}

/** Makes the rewards of an order again, since nothing is owed for it any longer. Closed accounts get none. */
async function restore(notes: OrderNotes, rewarding: Rewarding, { order, known }: Earned): Promise<After> {
  if (order.reversedAt === undefined || order.isAltered) return { order, made: [] };
  notes.reversed(order.orderId, undefined);
  const made: Reward[] = [];
  for (const tier of [1, 2] as const) {
    const last = known.findLast((one) => one.tier === tier);
    if (last?.state !== 'reversed' || !rewarding.isOpen(last.holderId)) continue;
    const { orderId, holderId: whose, parts, maturesAt: matures } = last;
    const reason = rewarding.reasonFor(whose, last.reason);
    made.push(await rewarding.make({ orderId, tier, holderId: whose, parts, reason, maturesAt: matures }, order));
  }
  if (!isCase(order)) rewarding.countOrder(order, 1n);
  const restored = { ...order, reversedAt: undefined };
  return { order: restored, made, postback: completedPostback(order, made) };
}
