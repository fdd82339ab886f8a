import { Problem, fieldProblem } from '@kurs/contract';
import {
  type Sender,
  actOnOrder,
  clearActionAccount,
  openActions,
  payoutOf,
  peopleFor,
  readOrder,
  shownStates,
} from '../../exchange/index.ts';
import { payoutStatus } from '../../payments/index.ts';
import { type Db, alsoAbout } from '../../platform/index.ts';
import { ORDER_ACTIONS, type OrderAction, type Person } from '../people/roles.ts';
import { type Acted, actAs } from '../people/two-people.ts';

export interface OrderActionInput {
  readonly id: string;
  readonly action: OrderAction;
  readonly reason: string;
  readonly evidence?: string | undefined;
  readonly account?: Readonly<Record<string, string>> | undefined;
}

/**
 * Carries out an action on an order, or stores a request that a second person must confirm. Returns the order's state afterwards.
 * Throws `order_not_found`, `forbidden`, `same_person`, `request_differs`, `action_not_open`, `order_changed`, and `validation`
 * if the action needs evidence and there is none.
 */
export async function actOn(
  db: Db,
  sender: Sender,
  person: Person,
  input: OrderActionInput,
  key?: string,
): Promise<Acted & { readonly state: string }> {
  const permission = ORDER_ACTIONS[input.action];
  await clearActionAccount(db, { ...input, number: input.id });
  return db.tx(async (tx) => {
    const order = await readOrder(tx, input.id);
    if (!order) throw new Problem('order_not_found');
    alsoAbout({ orderId: order.view.id, orderNumber: order.number });
    const shown = (await shownStates(tx, [order.view])).get(order.view.id);
    let state: string = shown?.state ?? order.view.state;
    const people = peopleFor(input.action, order);
    const body = { evidence: input.evidence, account: input.account };
    // A request is bound to the order's current state: a hold or a new exchange voids the request. A request to freeze is not
    // bound, since a freeze concerns the money in any state.
    const about =
      input.action === 'freeze' ? {} : { about: `${state} ${(shown?.since ?? order.view.facts.since).toISOString()}` };
    const payout = payoutOf(order.view);
    const status = payout === undefined ? undefined : await payoutStatus(tx, payout);
    const check = () => requireOpen(openActions(order.view, status), input);
    const wanted = {
      action: input.action,
      subject: input.id,
      reason: input.reason,
      permission,
      people,
      body,
      key,
      check,
      ...about,
    };
    const acted = await actAs(tx, person, wanted, async (by) => {
      state = await actOnOrder(tx, sender, { ...input, number: input.id, by });
    });
    return { ...acted, state };
  });
}

/** Actions that require evidence, such as a payment system's statement. */
const TAKES_EVIDENCE: ReadonlySet<OrderAction> = new Set(['resolve_sent', 'resolve_not_sent']);

function requireOpen(open: readonly OrderAction[], { action, evidence }: OrderActionInput): void {
  if (!open.includes(action)) throw new Problem('action_not_open');
  if (TAKES_EVIDENCE.has(action) && !evidence?.trim()) throw fieldProblem('evidence', 'required');
}
