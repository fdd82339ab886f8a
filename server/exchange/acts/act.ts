// What the desk's people do to an order: each act is an event of the machine by somebody with a name and a reason.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { UnitOfWork } from '../../collecting/index.ts';
import { type PayoutStatus, payoutStatus, resolvePayout } from '../../payments/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { stopSending } from '../apply/apply-payout.ts';
import { Batch } from '../apply/batch.ts';
import { type AccountSide, checkSideAccount, clearSideAccount } from '../calculation/check-account.ts';
import { openDesk, peopleByWorth } from '../apply/desk-state.ts';
import type { OrderEvent, PlainEvent } from '../order/events.ts';
import type { Sender } from '../letters/letters.ts';
import { actorOf, eventsIn } from '../machine/machine.ts';
import type { OrderView } from '../order/order.ts';
import { type StoredOrder, lockOrder, readOrder } from '../order/order-store.ts';
import { whatStopsPayout } from '../apply/what-stops.ts';
import { type ShownState, payoutOf, shownState } from '../views/shown-state.ts';

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

/** What people decide of a payout in doubt: payments does it, and tells the order. */
type Resolve = 'resolve_sent' | 'resolve_not_sent';
const isResolve = (act: ActName): act is Resolve => act === 'resolve_sent' || act === 'resolve_not_sent';

/** The machine's event for each act that is one. */
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
  freeze: 'freeze',
  unfreeze: 'unfreeze',
  surrender: 'surrender',
  claim_give: 'op_claim',
  claim_get: 'op_claim',
  write_off: 'write_off',
} as const satisfies Record<Exclude<ActName, Resolve>, OrderEvent['type']>;

/** Acts after which a payout leaves: refused by name while something stops it, and the order goes on waiting. */
const LETS_OUT: ReadonlySet<ActName> = new Set(['approve', 'retry', 'claim_get']);

/** Every act, in the order in which they are shown. */
const ACTS: readonly ActName[] = [
  ...(['hold', 'ask_papers', 'papers_came', 'release', 'decide_refund', 'approve', 'stop', 'refund', 'retry'] as const),
  ...(['resolve_sent', 'resolve_not_sent', 'freeze', 'unfreeze', 'surrender', 'claim_give', 'claim_get', 'write_off'] as const),
];

/** The acts that the table takes where an order stands now. `payout`: the state of what it sends, while it does. */
export function openActs(view: OrderView, payout: PayoutStatus | undefined): ActName[] {
  const open = new Set(eventsIn(view.state).map(({ event }) => event));
  return ACTS.filter((act) => {
    if (isResolve(act)) return payout === 'in_doubt';
    if (act === 'stop' && payout !== 'queued') return false;
    if (act === 'claim_give') return view.positions.unclaimedIn > 0n;
    if (act === 'claim_get') return view.positions.unclaimedOut > 0n;
    if (act === 'ask_papers' && view.facts.hold?.papers === 'asked') return false;
    if (act === 'papers_came' && view.facts.hold?.papers === 'came') return false;
    if (act === 'write_off') return view.positions.receivable > 0n && open.has('write_off');
    return open.has(EVENTS[act]);
  });
}

/**
 * How many people an act on an order takes: by the machine's table, and for an approval by its worth when it was asked and
 * now.
 */
export function peopleFor(act: ActName, order: StoredOrder): 1 | 2 {
  if (act === 'approve') return order.view.facts.approval?.people === 2 || peopleByWorth(order) === 2 ? 2 : 1;
  return isResolve(act) || actorOf(EVENTS[act]).endsWith('2') ? 2 : 1;
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
export async function actOnOrder(tx: Tx, sender: Sender, input: ActInput): Promise<ShownState> {
  const people = [input.by].flat();
  const order = await lockOrder(tx, input.number);
  if (!order) throw new Problem('order_not_found');
  requirePeople(people, peopleFor(input.act, order));
  const { act } = input;
  const { id } = order.view;
  const before = payoutOf(order.view);
  const payout = before === undefined ? undefined : await payoutStatus(tx, before);
  if (isResolve(act)) return resolve(tx, order, { ...input, act }, people, payout);
  const batch = new Batch(new UnitOfWork(tx), await openDesk(tx, [order]), sender, [order]);
  const by = { who: `${actorOf(EVENTS[act])} ${people.join(', ')}`, why: input.reason };
  const stop = LETS_OUT.has(input.act) ? await whatStopsPayout(tx, order, tx.now) : undefined;
  if (stop) throw stop;
  const isStopped = act === 'freeze' || act === 'stop' ? await stopSending(tx, batch, id) : true;
  if (act === 'freeze' && !isStopped) {
    batch.note(id, 'freeze_noted', noteFreeze, by);
  } else {
    if (!isStopped) throw new Problem(payout === 'queued' || payout === 'preparing' ? 'act_not_open' : 'order_changed');
    const outcome = batch.decide(id, await eventOf(tx, { ...input, act }, order.view, people), by);
    if (outcome.refused !== undefined) throw new Problem(outcome.refused === 'order_changed' ? 'order_changed' : 'act_not_open');
  }
  await batch.commit('order_changed');
  const { view } = batch.order(id);
  return shownState(view, payoutOf(view) === before ? payout : 'queued');
}

async function eventOf(
  tx: Tx,
  { act, account, evidence = '' }: ActInput & { readonly act: Exclude<ActName, Resolve> },
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
  if (act === 'freeze') return { type: 'freeze', stopped: true };
  return { type: EVENTS[act] as PlainEvent };
}

const noteFreeze = (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, freezeNoted: true } });

/** Two people and the rail's statement: payments keeps it and tells what follows as events. */
async function resolve(
  tx: Tx,
  order: StoredOrder,
  { act, evidence }: ActInput & { readonly act: Resolve },
  people: readonly string[],
  payout: PayoutStatus | undefined,
): Promise<ShownState> {
  const { transfer } = order.view.facts;
  const [first, second] = people;
  if (!transfer || !evidence?.trim()) throw new Problem('act_not_open');
  if (first === undefined || second === undefined) throw new Problem('second_person_required');
  const outcome = act === 'resolve_sent' ? 'sent' : 'not_sent';
  await resolvePayout(tx, transfer.intent, outcome, { statement: evidence, by: [first, second] });
  return shownState(order.view, payout);
}
