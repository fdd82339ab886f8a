// The state of an order as people of the desk and programs read it: its own, and while it is paid how far its payout is. The
// names are those of the contract and stay, whatever the machine's states are called.

import { type PayoutStatus, payoutColumn, payoutStandings } from '../../payments/index.ts';
import type { Statements } from '../../platform/index.ts';
import { type HowFar, type InFlight, inFlight, isInFlight } from '../order/events/shown-events.ts';
import { ORDER_STATES, type OrderState, type OrderView, sends } from '../order/order.ts';

/** What is read of an order's state. */
export type ShownState =
  | Exclude<OrderState, InFlight | 'undelivered'>
  | HowFar
  | `r_${HowFar}`
  | 'payout_failed'
  | 'refund_failed';

/** Every one of them: the contract has the same. */
export const shownStateNames = (): string[] =>
  ORDER_STATES.flatMap((state): string[] =>
    isInFlight(state)
      ? FARS.map((far) => inFlight(state, far))
      : state === 'undelivered'
        ? ['payout_failed', 'refund_failed']
        : [state],
  );

/** How far a payout is. What became of it is acted upon in a moment: until then it stands as it stood. */
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

/** An order's state as it is read. `payout`: the state of what it sends, while it does. */
export function shownState(view: Pick<OrderView, 'state' | 'facts'>, payout: PayoutStatus | undefined): ShownState {
  const { state } = view;
  if (isInFlight(state)) return inFlight(state, HOW_FAR[payout ?? 'queued']);
  return state === 'undelivered' ? `${sends(view)}_failed` : state;
}

/** The payout that an order sends now, or sent and waits for. */
export const payoutOf = ({ state, facts }: OrderView): string | undefined =>
  isInFlight(state) ? (facts.transfer ?? facts.sent)?.intent : undefined;

/** How orders stand as it is read, and since when, by their ids. */
export async function shownStates(
  db: Statements,
  views: readonly OrderView[],
): Promise<Map<string, { readonly state: ShownState; readonly since: Date }>> {
  const payouts = await payoutStandings(
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
 * Shown states as the machine has them: those that are its own, and as columns for `IS_GIVEN` those that it tells apart by its
 * payout's states, or by whether its exchange stands.
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

/** SQL: an order stands as a row `given (state, payouts, exchanged)` says. */
export const IS_GIVEN = `customer_order.state = given.state
  and (given.payouts is null or ${PAYOUT} = any(string_to_array(given.payouts, ',')))
  and (given.exchanged is null or (customer_order.body->'facts' ? 'exchange')::text = given.exchanged)`;
