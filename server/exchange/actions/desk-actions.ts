// Actions of the desk's people on an order: each is an event of the machine with a person's name and a reason.

import { type Input, Problem, type Routes } from '@kurs/contract';
import { UnitOfWork } from '../../collecting/index.ts';
import { type PayoutStatus, payoutStatus, resolvePayout } from '../../payments/index.ts';
import type { Db, Tx } from '../../platform/index.ts';
import { stopSending } from '../apply/apply-payout.ts';
import { Batch } from '../apply/batch.ts';
import { type AccountSide, checkSideAccount, clearSideAccount } from '../calculation/check-account.ts';
import { openDesk, peopleByWorth } from '../apply/desk-state.ts';
import type { OrderEvent, PlainEvent } from '../order/events/events.ts';
import type { Sender } from '../letters/letters.ts';
import { actorOf, eventsIn } from '../machine/machine.ts';
import type { OrderView } from '../order/order.ts';
import { type StoredOrder, lockOrder, readOrder } from '../order/store/order-store.ts';
import { whatStopsPayout } from '../apply/payout-obstacles.ts';
import { type ShownState, payoutOf, shownState } from '../views/shown-state.ts';

export type ActionName = Input<Routes['operatorOrderAction']>['action'];

export interface ActionInput {
  /** The order's readable number. */
  readonly number: string;
  readonly action: ActionName;
  /** Names of the people who act: one, or both if the action needs two. */
  readonly by: string | readonly string[];
  readonly reason: string;
  /** For `resolve_*`: the rail's own statement. For `write_off`: why the money won't come back. */
  readonly evidence?: string | undefined;
  /** For `claim_*`: the fields of the account to send to, checked and screened by `clearActionAccount` beforehand. */
  readonly account?: Readonly<Record<string, string>> | undefined;
}

/** Decisions about a payout in doubt: the payments room carries them out and publishes the outcome. */
type Resolve = 'resolve_sent' | 'resolve_not_sent';
const isResolve = (action: ActionName): action is Resolve => action === 'resolve_sent' || action === 'resolve_not_sent';

/** The machine's event for each action that has one. */
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
} as const satisfies Record<Exclude<ActionName, Resolve>, OrderEvent['type']>;

/** Actions that send a payout. Refused while something forbids the payout (`whatStopsPayout`); the order then stays in its state. */
const LETS_OUT: ReadonlySet<ActionName> = new Set(['approve', 'retry', 'claim_get']);

/** All actions, in the sequence in which they are shown. */
const ACTIONS: readonly ActionName[] = [
  ...(['hold', 'ask_papers', 'papers_came', 'release', 'decide_refund', 'approve', 'stop', 'refund', 'retry'] as const),
  ...(['resolve_sent', 'resolve_not_sent', 'freeze', 'unfreeze', 'surrender', 'claim_give', 'claim_get', 'write_off'] as const),
];

/**
 * Returns the actions that the machine's table accepts in the order's state. `payout`: status of the order's transfer that is
 * being sent; undefined if there is none.
 */
export function openActions(view: OrderView, payout: PayoutStatus | undefined): ActionName[] {
  const open = new Set(eventsIn(view.state).map(({ event }) => event));
  return ACTIONS.filter((action) => {
    if (isResolve(action)) return payout === 'in_doubt';
    if (action === 'stop' && payout !== 'queued') return false;
    if (action === 'claim_give') return view.positions.unclaimedIn > 0n;
    if (action === 'claim_get') return view.positions.unclaimedOut > 0n;
    if (action === 'ask_papers' && view.facts.hold?.papers === 'asked') return false;
    if (action === 'papers_came' && view.facts.hold?.papers === 'came') return false;
    if (action === 'write_off') return view.positions.receivable > 0n && open.has('write_off');
    return open.has(EVENTS[action]);
  });
}

/**
 * Returns the number of people that an action needs, by the machine's table. An approval needs two people if the payout's worth
 * requires two now, or required two when the order began to wait.
 */
export function peopleFor(action: ActionName, order: StoredOrder): 1 | 2 {
  if (action === 'approve') return order.view.facts.approval?.people === 2 || peopleByWorth(order) === 2 ? 2 : 1;
  return isResolve(action) || actorOf(EVENTS[action]).endsWith('2') ? 2 : 1;
}

function requirePeople([first, second]: readonly string[], people: 1 | 2): void {
  if (people === 1) return;
  if (second === undefined) throw new Problem('second_person_required');
  if (first === second) throw new Problem('same_person');
}

/**
 * Checks and screens the account of a claim. Makes network calls, so it must run before the transaction. Throws `validation`,
 * `account_refused`.
 */
export async function clearActionAccount(
  db: Db,
  { number, action, account }: Pick<ActionInput, 'number' | 'action' | 'account'>,
): Promise<void> {
  const order = await readOrder(db, number);
  const claimed = order && claimedSide(order.view, action);
  if (claimed) await clearSideAccount(db, claimed, account);
}

function claimedSide({ give, get }: OrderView, action: ActionName): AccountSide | undefined {
  if (action === 'claim_give') return { currency: give.currency, side: 'give' };
  return action === 'claim_get' && get ? { currency: get.currency, side: 'get' } : undefined;
}

/**
 * Acts on an order in the caller's transaction. Posts last, so nothing may follow in the transaction. Throws `order_not_found`,
 * `order_changed` if the order's state has changed meanwhile, and `action_not_open` if the state doesn't allow the action. Throws
 * `second_person_required` or `same_person` if the action needs two people, and the problem from `whatStopsPayout`.
 */
export async function actOnOrder(tx: Tx, sender: Sender, input: ActionInput): Promise<ShownState> {
  const people = [input.by].flat();
  const order = await lockOrder(tx, input.number);
  if (!order) throw new Problem('order_not_found');
  requirePeople(people, peopleFor(input.action, order));
  const { action } = input;
  const { id } = order.view;
  const before = payoutOf(order.view);
  const payout = before === undefined ? undefined : await payoutStatus(tx, before);
  if (isResolve(action)) return resolve(tx, order, { ...input, action }, people, payout);
  const batch = new Batch(new UnitOfWork(tx), await openDesk(tx, [order]), sender, [order]);
  const by = { who: `${actorOf(EVENTS[action])} ${people.join(', ')}`, why: input.reason };
  const stop = LETS_OUT.has(input.action) ? await whatStopsPayout(tx, order, tx.now) : undefined;
  if (stop) throw stop;
  const isStopped = action === 'freeze' || action === 'stop' ? await stopSending(tx, batch, id) : true;
  if (action === 'freeze' && !isStopped) {
    batch.note(id, 'freeze_noted', noteFreeze, by);
  } else {
    if (!isStopped) throw new Problem(payout === 'queued' || payout === 'preparing' ? 'action_not_open' : 'order_changed');
    const outcome = batch.decide(id, await eventOf(tx, { ...input, action }, order.view, people), by);
    if (outcome.refused !== undefined)
      throw new Problem(outcome.refused === 'order_changed' ? 'order_changed' : 'action_not_open');
  }
  await batch.commit('order_changed');
  const { view } = batch.order(id);
  return shownState(view, payoutOf(view) === before ? payout : 'queued');
}

async function eventOf(
  tx: Tx,
  { action, account, evidence = '' }: ActionInput & { readonly action: Exclude<ActionName, Resolve> },
  view: OrderView,
  people: readonly string[],
): Promise<OrderEvent> {
  const claimed = claimedSide(view, action);
  if (claimed) return { type: 'op_claim', account: await checkSideAccount(tx, claimed, account) };
  if (action === 'claim_give' || action === 'claim_get') throw new Problem('action_not_open');
  if (action === 'write_off') return { type: 'write_off', evidence };
  if (action === 'approve') return { type: 'approve', people: people.length };
  if (action === 'decide_refund') return { type: 'decide_refund', isOurs: false };
  if (action === 'refund') return { type: 'op_refund', isOurs: true };
  if (action === 'freeze') return { type: 'freeze', isStopped: true };
  return { type: EVENTS[action] as PlainEvent };
}

const noteFreeze = (view: OrderView): OrderView => ({ ...view, facts: { ...view.facts, isFreezePending: true } });

/**
 * Resolves a payout in doubt by the decision of two people, with the rail's statement. The payments room stores the decision and
 * publishes the outcome as events.
 */
async function resolve(
  tx: Tx,
  order: StoredOrder,
  { action, evidence }: ActionInput & { readonly action: Resolve },
  people: readonly string[],
  payout: PayoutStatus | undefined,
): Promise<ShownState> {
  const { transfer } = order.view.facts;
  const [first, second] = people;
  if (!transfer || !evidence?.trim()) throw new Problem('action_not_open');
  if (first === undefined || second === undefined) throw new Problem('second_person_required');
  const outcome = action === 'resolve_sent' ? 'sent' : 'not_sent';
  await resolvePayout(tx, transfer.intent, outcome, { statement: evidence, by: [first, second] });
  return shownState(order.view, payout);
}
