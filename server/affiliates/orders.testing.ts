// Orders of referred customers, as the exchange would publish them. For tests only.

import { type OrderPublished, orderPublished } from '../exchange/index.ts';
import { type Db, type StoredEvent, newId, outbox } from '../platform/index.ts';
import { applyOrders } from './apply-orders.ts';

/** `ended`: it expired before it was paid. */
type Event = 'placed' | 'exchanged' | 'completed' | 'reversed' | 'restored' | 'ended';

/** Parameters of an order that a test chooses; the others have usual values. */
export interface SentOrder {
  readonly id?: string;
  readonly affiliate: string;
  readonly second?: string;
  readonly campaign?: string;
  /** The desk's profit in whole USDT: an affiliate on the lowest step earns 30 % of it, the second level 5 %. */
  readonly retained?: bigint;
  readonly customer?: string;
  /** The account that is signed in. */
  readonly holder?: string;
  /** Proven identities of the customer beside the account. */
  readonly shown?: readonly string[];
  readonly typed?: readonly string[];
  /** Days since these events: after 7 its rewards are mature. */
  readonly daysAgo?: number;
}

const BITCOIN = { base: 'BTC', quote: 'USDT', numerator: '100000', denominator: '1' };
/** Minor units of bitcoin that are worth one USDT. */
const PARTS_OF_DOLLAR = 1_000n;

let version = 0;

/** Lets the room handle events of one order in one group. Returns the order's id. */
export async function publishOrderEvents(db: Db, order: SentOrder, ...events: readonly Event[]): Promise<string> {
  const id = order.id ?? newId();
  const all = await eventsOf(db, { ...order, id }, events);
  await db.tx((tx) => applyOrders(tx, all, 'Kurs'));
  return id;
}

/** Publishes events of an order. The room handles them when the outbox is drained. */
export async function publishOrder(db: Db, order: SentOrder & { readonly id: string }, event: Event): Promise<void> {
  const all = await eventsOf(db, order, [event]);
  await db.tx((tx) => outbox.publish(tx, all));
}

async function eventsOf(db: Db, order: SentOrder & { readonly id: string }, events: readonly Event[]): Promise<StoredEvent[]> {
  const { id } = order;
  const at = new Date((await db.now()).getTime() - (order.daysAgo ?? 0) * 86_400_000).toISOString();
  return events.map((event) => ({
    ...{ id: newId(), kind: `order.${event}`, subject: `order:${id}`, at: new Date(at), tries: 0 },
    body: { ...bodyOf(order, at), ended: event === 'ended' ? ('expired' as const) : null },
  }));
}

/** Lets the room handle an order that was placed, exchanged and completed. Returns its id. */
export const completedOrder = (db: Db, order: SentOrder): Promise<string> =>
  publishOrderEvents(db, order, 'placed', 'exchanged', 'completed');

function bodyOf(
  { id = newId(), affiliate, second, campaign = '', retained = 40n, customer = id, holder, shown = [], typed }: SentOrder,
  at: string,
): OrderPublished {
  version += 1;
  const sides = {
    give: { currency: 'BTC', unit: 'BTC', parts: '50000000' },
    get: { currency: 'USDT_ERC20', unit: 'USDT', parts: '49000000000' },
  };
  const rates = { rate: BITCOIN, mid: BITCOIN, rewardMid: BITCOIN };
  const fee = String(retained * PARTS_OF_DOLLAR);
  return orderPublished.parse({
    ...{ order: id, number: 'KX-1', version, at, promisedSeconds: 600, takenSeconds: 60, ended: null },
    price: {
      ...{ isBooked: true, exchanged: '49000000', retained: '0', provision: '0', margin: '0', ...rates, ...sides },
      lines: [{ code: 'fee', kind: 'fee', parts: fee, payer: 'customer', account: 'income:spread' }],
    },
    customer: {
      holder: holder ?? null,
      shown: [...(holder === undefined ? [] : [`holder:${holder}`]), ...shown],
      typed: typed ? [...typed] : [`email:${customer}@example.org`],
    },
    sentBy: {
      ...{ affiliate, campaign, sub: '', since: at, hadOrdered: false, second: second ?? null },
      ...{ shared: null, friendPercent: '0' },
    },
    paidBy: { way: 'chain', isReversible: false },
  } satisfies OrderPublished);
}

/** Adds 20 000 rewards of one affiliate that matured long ago. */
export const addPastRewards = (db: Db, affiliate: string): Promise<unknown> =>
  db.run(
    `with placed as (
    insert into referred_order (order_id, affiliate, campaign, sub, give, get, placed_at, matures_at)
    select gen_random_uuid(), $1, '', '', 'BTC', 'USDT_ERC20', at, at
    from generate_series(1, 20000) as n, lateral (select clock_now() - interval '200 days' - n * interval '1 minute' as at) as t
    returning order_id, placed_at
  )
  insert into reward (id, order_id, tier, holder_id, state, parts, matures_at, made_at, state_at)
  select gen_random_uuid(), order_id, 1, $1, 'available', 1, placed_at, placed_at, placed_at from placed order by placed_at`,
    [affiliate],
  );
