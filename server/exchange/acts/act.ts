// What the desk's people do to an order: each act is an event of the machine by somebody with a name and a reason.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { UnitOfWork } from '../../collecting/index.ts';
import { resolvePayout } from '../../payments/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { stopSending } from '../apply/apply-events.ts';
import { Batch } from '../apply/batch.ts';
import { type AccountSide, checkSideAccount, clearSideAccount } from '../calculation/check-account.ts';
import { openDesk, peopleByWorth } from '../apply/desk.ts';
import type { OrderEvent, PlainEvent } from '../order/events.ts';
import type { Sender } from '../letters/letters.ts';
import { actorOf, eventsIn } from '../machine/machine.ts';
import { IN_FLIGHT, type OrderState, type OrderView } from '../order/order.ts';
import { type StoredOrder, lockOrder, readOrder } from '../order/order-store.ts';
import { whatStopsPayout } from '../apply/what-stops.ts';

export type ActName = Input<Routes['operatorAct']>['act'];

export interface ActInput {
  /** The order's number for people. */
  readonly number: string;
  readonly act: ActName;
  /** Names of those who want it: one, or both where the act needs two. */
  readonly by: string | readonly string[];
  readonly reason: string;
  /** For `resolve_*`: the rail's own statement. For `write_off`: why the money won't come back. */
  readonly evidence?: string | undefined;
  /** For `claim_*`: the fields of the account that the money goes to, cleared by `clearActAccount` beforehand. */
  readonly account?: Readonly<Record<string, string>> | undefined;
}

/** The machine's event for each act, where it is one. */
const EVENTS = {
  hold: 'op_hold',
  ask_papers: 'papers_asked',
  papers_came: 'papers_came',
  release: 'release',
  decide_refund: 'decide_refund',
  approve: 'approve',
  stop: 'stop',
  refund: 'op_refund',
  retry: 'op_retry',
  resolve_sent: 'resolve',
  resolve_not_sent: 'resolve',
  freeze: 'freeze',
  unfreeze: 'unfreeze',
  surrender: 'surrender',
  claim_give: 'op_claim',
  claim_get: 'op_claim',
  write_off: 'write_off',
} as const satisfies Record<ActName, OrderEvent['type']>;

/** Acts after which a payout leaves: refused by name while something stops it, and the order goes on waiting. */
const LETS_OUT: ReadonlySet<ActName> = new Set(['approve', 'retry', 'claim_get']);

/** The acts that the table takes where an order stands now. */
export function openActs(view: OrderView): ActName[] {
  const open = new Set(eventsIn(view.state).map(({ event }) => event));
  return (Object.keys(EVENTS) as ActName[]).filter((act) => {
    if (act === 'claim_give') return view.positions.unclaimedIn > 0n;
    if (act === 'claim_get') return view.positions.unclaimedOut > 0n;
    if (act === 'ask_papers' && view.facts.hold?.papers === 'asked') return false;
    if (act === 'papers_came' && view.facts.hold?.papers === 'came') return false;
    if (act === 'write_off') return view.positions.receivable > 0n && open.has('write_off');
    return open.has(EVENTS[act]) || (act === 'freeze' && IN_FLIGHT.has(view.state));
  });
}

/** How many people an act on an order takes: by the machine's table, and for an approval by its worth, then and now. */
export function peopleFor(act: ActName, order: StoredOrder): 1 | 2 {
  if (act === 'approve') return order.view.facts.approval?.people === 2 || peopleByWorth(order) === 2 ? 2 : 1;
  return actorOf(EVENTS[act]).endsWith('2') ? 2 : 1;
}

function requirePeople([first, second]: readonly string[], people: 1 | 2): void {
  if (people === 1) return;
  if (second === undefined) throw new Problem('second_person_required');
  if (first === second) throw new Problem('same_person');
}

/**
 * Checks and screens the account of a claim. Asks the network, so it comes before the transaction. Throws `validation`,
 * `account_refused`.
 */
export async function clearActAccount(
  db: Db,
  { number, act, account }: Pick<ActInput, 'number' | 'act' | 'account'>,
): Promise<void> {
  const order = await readOrder(db, number);
  const claimed = order && claimedSide(order.view, act);
  if (claimed) await clearSideAccount(db, claimed, account);
}

function claimedSide({ give, get }: OrderView, act: ActName): AccountSide | undefined {
  if (act === 'claim_give') return { currency: give.currency, side: 'give' };
  return act === 'claim_get' && get ? { currency: get.currency, side: 'get' } : undefined;
}

/**
 * Acts on an order in the caller's transaction, which must do nothing after it (the posting comes last). Throws
 * `order_not_found`, `order_changed` where the order has moved on, `act_not_open` where it doesn't allow the act, and
 * `second_person_required`, `same_person` where it takes two people, and what `whatStopsPayout` gives.
 */
export async function actOnOrder(tx: Tx, sender: Sender, input: ActInput): Promise<OrderState> {
  const people = [input.by].flat();
  const order = await lockOrder(tx, input.number);
  if (!order) throw new Problem('order_not_found');
  requirePeople(people, peopleFor(input.act, order));
  if (input.act === 'resolve_sent' || input.act === 'resolve_not_sent') return resolve(tx, order, input, people);
  const { id } = order.view;
  const batch = new Batch(new UnitOfWork(tx), await openDesk(tx, [order]), sender, [order]);
  const by = { who: `${actorOf(EVENTS[input.act])} ${people.join(', ')}`, why: input.reason };
  const stop = LETS_OUT.has(input.act) ? await whatStopsPayout(tx, order, tx.now) : undefined;
  if (stop) throw stop;
  if (input.act === 'freeze' && !(await canFreeze(tx, batch, id))) {
    batch.note(id, 'freeze_noted', noteFreeze, by);
  } else {
    if (input.act === 'stop' && !(await stopSending(tx, batch, id))) throw new Problem('act_not_open');
    const outcome = batch.decide(id, await eventOf(tx, input, order.view, people), by);
    if (outcome.refused !== undefined) throw new Problem(outcome.refused === 'order_changed' ? 'order_changed' : 'act_not_open');
  }
  await batch.commit('order_changed');
  return batch.order(id).view.state;
}

async function eventOf(
  tx: Tx,
  { act, account, evidence = '' }: ActInput,
  view: OrderView,
  people: readonly string[],
): Promise<OrderEvent> {
  const claimed = claimedSide(view, act);
  if (claimed) return { type: 'op_claim', account: await checkSideAccount(tx, claimed, account) };
  if (act === 'claim_give' || act === 'claim_get') throw new Problem('act_not_open');
  if (act === 'write_off') return { type: 'write_off', evidence };
  if (act === 'approve') return { type: 'approve', people: people.length };
  if (act === 'decide_refund') return { type: 'decide_refund', ours: false };
  if (act === 'refund') return { type: 'op_refund', ours: true };
  return { type: EVENTS[act] as PlainEvent };
}

/** Nothing may be on its way: a queued intent is stopped, and one that was taken decides when it has failed. */
async function canFreeze(tx: Tx, batch: Batch, id: string): Promise<boolean> {
  const isQueued = ['queued', 'r_queued'].includes(batch.order(id).view.state);
  if (isQueued) return stopSending(tx, batch, id);
  return !IN_FLIGHT.has(batch.order(id).view.state);
}

const noteFreeze = (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, freezeNoted: true } });

/** Two people and the rail's statement: payments keeps it and tells what follows as events. */
async function resolve(tx: Tx, order: StoredOrder, { act, evidence }: ActInput, people: readonly string[]): Promise<OrderState> {
  const { transfer } = order.view.facts;
  const [first, second] = people;
  if (!transfer || !evidence?.trim()) throw new Problem('act_not_open');
  if (first === undefined || second === undefined) throw new Problem('second_person_required');
  const outcome = act === 'resolve_sent' ? 'sent' : 'not_sent';
  await resolvePayout(tx, transfer.intent, outcome, { statement: evidence, by: [first, second] });
  return order.view.state;
}
