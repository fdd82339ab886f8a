// What orders tell of customers whom somebody sent: who they are bound to from then on, and what is earned, taken back and
// earned again.

import { openAmong } from '../auth/index.ts';
import { UnitOfWork } from '../collecting/index.ts';
import { ORDER_EVENTS, type OrderPublished, maturesAt, orderPublished, profitOf, worthOf } from '../exchange/index.ts';
import { lockGuards } from '../moneyout/index.ts';
import type { StoredEvent, Subscription, Tx } from '../platform/index.ts';
import { mostPercent, noteKeys, secondPercent, shareOf } from '../referrals/index.ts';
import { addressOf, bindCustomers } from './orders/bind-customers.ts';
import { tellFirstRewards } from './letters.ts';
import { type Shared, keysOf, sharedOf } from './orders/known-by.ts';
import { friendWorth, marginWorth } from './orders/order-worth.ts';
import { type Postback, tellPostbacks } from './postbacks.ts';
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

/** The room's subscription. What it is called stands in the database; `name` is the product's, for letters. */
export const affiliateOrders = (name: string): Subscription => ({
  subscriber: 'affiliates',
  kinds: ORDER_EVENTS,
  handle: (tx, events) => applyOrders(tx, events, name),
});

/** Applies a group of events, oldest first, in one transaction with one posting at its end. */
export async function applyOrders(tx: Tx, events: readonly StoredEvent[], name: string): Promise<void> {
  const told = events.map(({ kind, body }): Told => ({ kind: kind as OrderEventKind, body: orderPublished.parse(body) }));
  await noteKeysOfHolders(tx, told);
  const sent = told.filter(({ body }) => body.sentBy !== null);
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
  await tellPostbacks(tx, [...added.map((order): Postback => ({ order, state: 'placed' })), ...postbacks]);
  // Each affiliate is told once at the most, however many of their rewards come together.
  const firsts = new Map(made.flatMap((one) => (one.state === 'case' ? [] : [[one.holderId, one] as const])).toReversed());
  await tellFirstRewards(tx, name, [...firsts.values()]);
  await unit.commit();
}

const EARNING: ReadonlySet<OrderEventKind> = new Set(['order.completed', 'order.reversed', 'order.restored', 'order.ended']);

/** Events that take back what an order had earned. */
const TAKING: ReadonlySet<OrderEventKind> = new Set(['order.reversed', 'order.ended']);

/** What an account holder is known by is theirs as an affiliate, too. */
async function noteKeysOfHolders(tx: Tx, told: readonly Told[]): Promise<void> {
  const known = told.flatMap(({ kind, body }) => {
    const { holder } = body.customer;
    const isTold = kind === 'order.placed' || kind === 'order.completed';
    return holder !== null && isTold ? [{ holderId: holder, keys: keysOf(body) }] : [];
  });
  await noteKeys(tx, known);
}

/**
 * Orders as they are placed, with what is shared. What customer and affiliate share is pinned in the order, since it has no friend's
 * discount then; what the customer shares with who sent the affiliate changes no price, and is asked here.
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

/** What orders earn and lose: the rewards that were made, and what affiliates are told. */
interface Rewarded {
  readonly made: readonly Reward[];
  readonly postbacks: readonly Postback[];
}

async function reward(unit: UnitOfWork, told: readonly Told[], name: string): Promise<Rewarded> {
  const { tx } = unit;
  const orders =
    told.length === 0 ? new Map<string, ReferredOrder>() : await lockOrders(tx, [...new Set(told.map(({ body }) => body.order))]);
  if (orders.size === 0) return { made: [], postbacks: [] };
  const holders = [...orders.values()].flatMap(levelsOf);
  await lockTakenFrom(tx, orders, told);
  const rewarding = await Rewarding.open(unit, holders);
  const shared = await sharedAtCompletion(tx, orders, told);
  const rewards = Map.groupBy(await lockOfOrders(tx, [...orders.keys()]), ({ orderId }) => orderId);
  const notes = new OrderNotes();
  const [made, postbacks]: [Reward[], Postback[]] = [[], []];
  for (const { kind, body } of told) {
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

/** Who earns of an order: who sent its customer, and who sent that affiliate. */
const levelsOf = ({ affiliate, second }: ReferredOrder): string[] => [affiliate, ...(second === undefined ? [] : [second])];

/**
 * Locks the affiliates from whom something is taken back, as their own withdrawals do: what they asked for before is turned down
 * with it, and what they ask for after is refused. A closed account asks for nothing.
 */
async function lockTakenFrom(tx: Tx, orders: ReadonlyMap<string, ReferredOrder>, told: readonly Told[]): Promise<void> {
  const taken = told.flatMap(({ kind, body }) => {
    const order = TAKING.has(kind) ? orders.get(body.order) : undefined;
    return order ? levelsOf(order) : [];
  });
  if (taken.length > 0) await lockGuards(tx, [...(await openAmong(tx, taken))].toSorted());
}

/** An order after an event: with rewards that were made, or all as they stand, and what its affiliate is told. */
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

/** What an order earns as it is completed, or completed anew after it had stopped counting. `now`: what is shared by now. */
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
    // What people refused, or a closed account gave up, is not earned anew.
    if (known.some((one) => one.tier === tier && one.state !== 'reversed')) continue;
    const reason = rewarding.reasonFor(holderId, why);
    made.push(await rewarding.make({ orderId: order.orderId, tier, holderId, parts, reason, maturesAt: maturesOn }, order));
  }
  return { order, made, postback: completedPostback(order, made) };
}

/** By completions of which nothing was known to be shared by all before: what is shared as it stands now. */
async function sharedAtCompletion(
  tx: Tx,
  orders: ReadonlyMap<string, ReferredOrder>,
  told: readonly Told[],
): Promise<Map<OrderPublished, Shared>> {
  const asked = told.flatMap(({ kind, body }) => {
    const order = orders.get(body.order);
    if (kind !== 'order.completed' || !order || isCase(order)) return [];
    return [{ body, affiliate: order.affiliate, second: order.second }];
  });
  const shared = await sharedOf(tx, asked);
  return new Map(asked.map(({ body }, at) => [body, shared[at] ?? NOTHING_SHARED]));
}

const NOTHING_SHARED: Shared = { shared: undefined, secondShared: undefined };

/** Returns the postback of a completed order. It names what the first of two levels gets, unless people decide that. */
function completedPostback(order: ReferredOrder, made: readonly Reward[]): Postback {
  const first = made.find(({ tier }) => tier === 1);
  return { order, state: 'completed', ...(first?.state !== 'case' && { parts: first?.parts ?? 0n }) };
}

/** An order that ended before it was completed: its affiliate is told, and nothing changes. */
const unpaid = (order: ReferredOrder): After => ({ order, made: [], postback: { order, state: 'ended', parts: 0n } });

/** The rewards of a completed order: by the share of the completion, and at least what its friend was promised of it. */
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
    most: BigInt(mostPercent()) * 100n,
  });
}

const PARTS_OF_CENT = 10_000n;
/** A percentage in hundredths of a percent, down. */
function hundredths(percent: string): bigint {
  const [whole = '0', behind = ''] = percent.split('.');
  return BigInt(whole) * 100n + BigInt(behind.padEnd(2, '0').slice(0, 2));
}

interface Earned {
  readonly order: ReferredOrder;
  readonly known: readonly Reward[];
}

/** Where a reward stands that is its affiliate's, or will be as the pot reaches. */
const GIVEN: ReadonlySet<Reward['state']> = new Set(['waiting', 'pending', 'available']);

/** What an order earned is taken back with it, once. */
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
  // One that was a case had come to count as people paid it.
  const isPaidCase = known.some(({ tier, state, reason }) => tier === 1 && reason !== undefined && GIVEN.has(state));
  if (!isCase(order) || isPaidCase) rewarding.countOrder(order, -1n);
  const reversed = { ...order, reversedAt: now };
  return { order: reversed, made: [], known: after, postback: { order, state: 'reversed', parts: 0n } };
}

/** Nothing is owed for an order any more: what it had earned is earned anew, but by nobody whose account is closed meanwhile. */
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
