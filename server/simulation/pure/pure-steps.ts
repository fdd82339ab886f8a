// Steps of the pure world: the possible events of each state, with weights; rare rows get more.

import {
  type OrderEvent,
  type OrderState,
  type OrderView,
  type MachineContext,
  makeOffer,
  timersOf,
} from '../../exchange/index.ts';
import { accounts } from '../../ledger/index.ts';
import { Fault } from '../audit/invariants.ts';
import { ACCOUNT, type PureWorld, observedPayment } from './pure-world.ts';

const MINUTE = 60_000;
/** Number of the newest orders that are followed; older ones are left alone. */
const WATCHED = 7;

/** Tries one event. Returns true if it happened. */
type Try = (world: PureWorld, order: OrderView) => boolean;

/** Events that carry nothing. */
type PlainEvent = Exclude<
  OrderEvent,
  | { payment: unknown }
  | { back?: unknown }
  | { parts: unknown }
  | { offer: unknown }
  | { account: unknown }
  | { isOurs: unknown }
  | { to: unknown }
  | { people: unknown }
  | { txid?: unknown }
  | { isTransient: unknown }
  | { evidence: unknown }
  | { isStopped?: unknown }
  | { isCustomerAsked?: unknown }
>['type'];

const plain =
  (type: PlainEvent): Try =>
  (world, order) =>
    world.happen(order, { type });

// --- the rails

const pay: Try = (world, order) => {
  const { dice } = world;
  const percent = BigInt(
    dice.weighed([
      [6, 100],
      [2, dice.int(81, 99)],
      [2, dice.int(20, 79)],
      [1, 101],
      [2, dice.int(103, 170)],
    ]),
  );
  if (order.payments.length > 3) return false;
  const payment = observedPayment(world.id(), (order.give.parts * percent) / 100n, world.now, !dice.chance(0.1));
  return world.happen(order, { type: 'payin_seen', payment });
};

const seen = (order: OrderView) => order.payments.find(({ status }) => status === 'seen');

const confirm: Try = (world, order) => {
  const payment = seen(order);
  if (!payment) return false;
  const screening = world.dice.weighed<MachineContext['screening']>([
    [14, 'clean'],
    [1, 'soft'],
    [1, 'hard'],
  ]);
  return world.happen(order, { type: 'payin_final', payment: { ...payment, status: 'final', confirmations: 1 } }, { screening });
};

const drop: Try = (world, order) => {
  const payment = seen(order);
  return payment !== undefined && world.happen(order, { type: 'payin_dropped', payment: payment.id });
};

const reverse: Try = (world, order) => {
  const payment = order.payments.find((each) => each.status === 'final');
  if (!payment) return false;
  const event = { type: 'payin_reversed', payment: payment.id, parts: payment.parts } as const;
  return world.stopping(order, (stopped) => world.happen(order, { ...event, ...stopped }));
};

const win: Try = (world, order) => {
  const payment = order.payments.find((each) => each.status === 'reversed');
  return payment !== undefined && world.happen(order, { type: 'dispute_won', payment: payment.id, parts: payment.parts });
};

/** Something happens to an order's payout, at its rail or with us. */
const send: Try = (world, order) => world.move(order);

const stop: Try = (world, order) => world.isQueued(order) && world.stopping(order, () => world.happen(order, { type: 'stop' }));

const comeBack: Try = (world, order) => world.move(order, 'returned');

// --- people and time

const offered =
  (type: 'choose_continue' | 'choose_new_order' | 'take_back'): Try =>
  (world, order) => {
    const offer = makeOffer(order, world.context(order));
    if (!offer) return false;
    const late = world.dice.chance(0.05) ? 4 * MINUTE : 0;
    world.pass(late);
    return world.happen({ ...order, facts: { ...order.facts, offer, offers: offer.number } }, { type, offer: offer.number });
  };

const withAccount =
  (type: 'give_route' | 'new_account' | 'claim' | 'op_claim'): Try =>
  (world, order) =>
    world.happen(order, { type, account: { ...ACCOUNT, side: sideFor(type, order) } });

/** The side that the account is of. */
function sideFor(type: string, { state, positions, facts }: OrderView): 'give' | 'get' {
  const isGot =
    (state === 'undelivered' && facts.exchange !== undefined) || (type.endsWith('claim') && positions.unclaimedOut > 0n);
  return isGot ? 'get' : 'give';
}

const writeOff: Try = (world, order) =>
  world.happen(order, { type: 'write_off', evidence: world.dice.chance(0.5) ? 'a letter' : '' });

const refunding =
  (type: 'op_refund' | 'decide_refund'): Try =>
  (world, order) =>
    world.happen(order, { type, isOurs: world.dice.chance(0.5) });

const approve: Try = (world, order) => world.happen(order, { type: 'approve', people: world.dice.int(1, 2) });

const timers: Try = (world, order) => timersOf(order).some((type) => world.happen(order, { type }));

/** Two people settle another order's debt from this one's payment. */
const settleDebt: Try = (world, order) =>
  world.orders.some((debt) => debt.positions.receivable > 0n && world.settleDebt(debt, order));

/** Another owner takes an unallocated payment's money. */
const takeOver: Try = (world, order) =>
  world.happen(order, { type: 'take_over', to: accounts.invoiceIn(world.id(), order.give.unit) });

const release: Try = (world, order) => world.happen(order, { type: 'release' });

/** The check that a sum is there is left out. */
const surrender: Try = (world, order) =>
  world.context(order).held >= order.positions.frozen && world.happen(order, { type: 'surrender' });

const freeze: Try = (world, order) => world.stopping(order, (stopped) => world.happen(order, { type: 'freeze', ...stopped }));

type Choices = readonly (readonly [weight: number, what: Try])[];

const FLYING: Choices = [
  [8, send],
  [1, stop],
  [0.5, freeze],
  [1, reverse],
  [0.5, win],
];
const FAILED: Choices = [
  [3, timers],
  [1, withAccount('new_account')],
  [1, plain('op_retry')],
  [1.5, offered('take_back')],
  [1, reverse],
  [1, win],
  [0.4, freeze],
];
const ENDED: Choices = [
  [1, pay],
  [2, confirm],
  [1, drop],
  [1, reverse],
  [2, win],
  [0.5, comeBack],
];

const CHOICES: Readonly<Record<OrderState, Choices>> = {
  awaiting: [
    [6, pay],
    [1, timers],
    [0.5, plain('cancel')],
  ],
  seen: [
    [5, confirm],
    [1, pay],
    [1, timers],
    [0.7, drop],
    [0.5, reverse],
    [0.2, freeze],
  ],
  choosing: [
    [2, timers],
    [2, offered('choose_continue')],
    [2, offered('choose_new_order')],
    [0.7, plain('choose_refund')],
    [0.7, withAccount('give_route')],
    [0.5, refunding('op_refund')],
    [0.4, plain('op_hold')],
    [0.5, freeze],
    [0.7, pay],
    [0.5, reverse],
    [1, win],
    [1, settleDebt],
    [0.5, takeOver],
  ],
  holding: [
    [2, release],
    [0.5, settleDebt],
    [0.4, plain('papers_asked')],
    [0.4, plain('papers_came')],
    [0.5, refunding('decide_refund')],
    [0.5, withAccount('give_route')],
    [1, timers],
    [0.3, freeze],
    [0.3, reverse],
  ],
  approving: [
    [2, approve],
    [1, timers],
    [0.3, withAccount('give_route')],
    [0.4, plain('op_hold')],
    [0.3, freeze],
    [0.4, reverse],
  ],
  paying: FLYING,
  refunding: FLYING,
  undelivered: FAILED,
  unclaimed: [
    [1, withAccount('claim')],
    [1, withAccount('op_claim')],
    [1, takeOver],
    [1, reverse],
    [0.5, freeze],
  ],
  frozen: [
    [1, plain('unfreeze')],
    [1, surrender],
    [1, reverse],
  ],
  expired: ENDED,
  cancelled: ENDED,
  completed: ENDED,
  refunded: ENDED,
  applied: ENDED,
  reversed: ENDED,
  surrendered: ENDED,
  charged_back: [
    [1, win],
    [1, comeBack],
    [1, writeOff],
    [0.5, reverse],
  ],
};

/** In any state somebody may pay again, and an observed payment may be confirmed or vanish. */
const ANYWHERE: Choices = [
  [2, pay],
  [3, confirm],
  [1, drop],
];

/** One step: time, an order, and something that happens to it. Only what happens counts. */
export function pureStep(world: PureWorld): void {
  const { dice } = world;
  for (;;) {
    world.pass(
      dice.weighed([
        [3, 0],
        [4, dice.int(0, 60_000)],
        [3, dice.int(0, 10 * MINUTE)],
        [0.3, 200 * MINUTE],
      ]),
    );
    const active = world.orders.slice(-WATCHED);
    if (active.length === 0 || dice.chance(0.04)) return world.place();
    const order = dice.pick(active);
    const choices = dice.chance(0.08) ? ANYWHERE : CHOICES[order.state];
    const what = dice.weighed(choices);
    if (what(world, order)) return;
  }
}

/** Ends an order in flight: rails answer truthfully, and a statement shows what nobody can look up. */
const COMING_TO_REST: Readonly<Partial<Record<OrderState, readonly Try[]>>> = {
  seen: [(world, order) => confirmAll(world, order)],
  paying: [advance],
  refunding: [advance],
};

/** Its payout goes on, and never back. */
function advance(world: PureWorld, order: OrderView): boolean {
  const ways = [
    ['take'],
    ['send'],
    ['accepted', 'refused'],
    ['found', 'absent'],
    ['resolve_sent', 'resolve_not_sent'],
    ['final'],
  ] as const;
  return ways.some((steps) => world.move(order, ...steps));
}

const confirmAll: Try = (world, order) => {
  const payment = seen(order);
  return payment !== undefined && world.happen(order, { type: 'payin_final', payment: { ...payment, status: 'final' } });
};

/** Everybody stops, only the wallets are filled, until everything rests. Throws a Fault for an order that doesn't (5). */
export function comeToRest(world: PureWorld): void {
  world.fund(100n);
  for (let round = 0; round < 60; round += 1) {
    const moving = world.restless();
    if (moving.length === 0) return;
    world.pass(200 * MINUTE);
    for (const order of moving)
      for (const what of [...(COMING_TO_REST[order.state] ?? []), timers]) if (what(world, order)) break;
  }
  const [stuck] = world.restless();
  if (stuck) throw new Fault(`${stuck.id} never comes to rest: it stays in ${stuck.state}`);
}
