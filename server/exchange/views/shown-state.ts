// The public state of an order, for the desk's people and for programs: the machine's state or, while money is being sent, the
// progress of the payout. The names are the contract's, and stay even if the machine's states are renamed.

import { type PayoutStatus, payoutColumn, payoutStatuses } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import { type HowFar, type InFlight, inFlight, isInFlight } from '../order/events/shown-events.ts';
import { ORDER_STATES, type OrderState, type OrderView, sends } from '../order/order.ts';

/** A public state of an order. */
export type ShownState =
  | Exclude<OrderState, InFlight | 'undelivered'>
  | HowFar
  | `r_${HowFar}`
  | 'payout_failed'
  | 'refund_failed';

/** Returns all public states, which the contract also lists. */
export const shownStateNames = (): string[] =>
  ORDER_STATES.flatMap((state): string[] =>
    isInFlight(state)
      ? FARS.map((far) => inFlight(state, far))
      : state === 'undelivered'
        ? ['payout_failed', 'refund_failed']
        : [state],
  );

/**
 * Progress of a payout by its status. The order learns the payout's outcome a moment later, so an outcome still shows as the
 * progress before it.
 */
const HOW_FAR: Readonly<Record<PayoutStatus, HowFar>> = {
  queued: 'queued',
  preparing: 'queued',
  stopped: 'queued',
  sending: 'sending',
  failed: 'sending',
  in_doubt: 'in_doubt',
  sent: 'sent',
  final: 'sent',
};
const STATUSES = Object.keys(HOW_FAR) as readonly PayoutStatus[];
const FARS: readonly HowFar[] = ['queued', 'sending', 'in_doubt', 'sent'];

/** Returns an order's public state. `payout`: status of the order's transfer that is being sent; undefined if there is none. */
export function shownState(view: Pick<OrderView, 'state' | 'facts'>, payout: PayoutStatus | undefined): ShownState {
  const { state } = view;
  if (isInFlight(state)) return inFlight(state, HOW_FAR[payout ?? 'queued']);
  return state === 'undelivered' ? `${sends(view)}_failed` : state;
}

/** Returns the intent of the payout or refund that an order is sending; undefined if it sends nothing. */
export const payoutOf = ({ state, facts }: OrderView): string | undefined =>
  isInFlight(state) ? (facts.transfer ?? facts.sent)?.intent : undefined;

/** Returns the public states of orders and when each began, by order id. */
export async function shownStates(
  db: Statements,
  views: readonly OrderView[],
): Promise<Map<string, { readonly state: ShownState; readonly since: Date }>> {
  const payouts = await payoutStatuses(
    db,
    views.flatMap((view) => payoutOf(view) ?? []),
  );
  return new Map(
    views.map((view) => {
      const payout = payouts.get(payoutOf(view) ?? '');
      const since = payout && payout.at > view.facts.since ? payout.at : view.facts.since;
      return [view.id, { state: shownState(view, payout?.status), since }];
    }),
  );
}

// --- in SQL

const PAYOUT = payoutColumn(
  'status',
  `coalesce(customer_order.body->'facts'->'transfer'->>'intent', customer_order.body->'facts'->'sent'->>'intent')::uuid`,
);

/**
 * Translates public states for SQL. `plain`: public states that are also states of the machine. `behindPayouts`: all others, as
 * columns of the table `given` in `IS_GIVEN`. These depend on the payout's status, or on the existence of an exchange.
 */
export function statesBehind(shown: readonly string[]): { plain: string[]; behindPayouts: (string | null)[][] } {
  const plain: string[] = [];
  const rows = shown.flatMap((name): (string | null)[][] => {
    if (name === 'payout_failed' || name === 'refund_failed') return [['undelivered', null, String(name === 'payout_failed')]];
    const far = FARS.find((one) => name === one || name === `r_${one}`);
    if (far) return [[name === far ? 'paying' : 'refunding', STATUSES.filter((one) => HOW_FAR[one] === far).join(), null]];
    plain.push(name);
    return [];
  });
  return { plain, behindPayouts: [0, 1, 2].map((column) => rows.map((row) => row[column] ?? null)) };
}

/** SQL condition: an order is in the public state that a row `given (state, payouts, exchanged)` describes. */
export const IS_GIVEN = `customer_order.state = given.state
  and (given.payouts is null or ${PAYOUT} = any(string_to_array(given.payouts, ',')))
  and (given.exchanged is null or (customer_order.body->'facts' ? 'exchange')::text = given.exchanged)`;
