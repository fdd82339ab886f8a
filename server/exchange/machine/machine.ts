// The order machine: finds the row of the table for an event, checks the row's guard and takes its step. Pure.

import { type Machine as Table, nextStates, rowFinder } from '../../platform/index.ts';
import { clockAfter } from '../order/clock.ts';
import { countsAfter } from '../order/counts.ts';
import { Draft } from './draft.ts';
import type { Context, Effect, EventName, OrderEvent, Refused } from '../order/events/events.ts';
import { GUARDS, type Guard } from './guards.ts';
import { type Actor, type Facts, type OrderState, type OrderView, ORDER_STATES, RESTING, STATE_WORDS } from '../order/order.ts';
import type { Posting } from './postings.ts';
import { ROWS, type OrderTransition } from './rows.ts';
import type { Step } from './step-helpers.ts';
import { STEPS } from './steps.ts';

/** Outcome of an event. */
export interface Outcome {
  readonly refused?: undefined;
  /** The row of the table that handled the event. */
  readonly row: OrderTransition;
  readonly from: OrderState;
  readonly next: OrderView;
  readonly postings: readonly Posting[];
  readonly effects: readonly Effect[];
}

export interface Machine {
  readonly rows: readonly OrderTransition[];
  /**
   * Applies an event to an order. Returns the next order with its postings and effects, or the refusal. Several rows may handle
   * the same event in a state (`dispute_won`, distinguished by the receivable); the first row whose guard accepts is used.
   */
  decide(order: OrderView, event: OrderEvent, context: Context): Outcome | Refused;
}

/** Creates a machine from a table. Tests pass broken guards and steps, to see that they are caught. */
export function createMachine(
  rows: readonly OrderTransition[] = ROWS,
  guards: Readonly<Record<string, Guard>> = GUARDS,
  steps: Readonly<Record<string, Step>> = STEPS,
): Machine {
  const find = rowFinder<OrderState, EventName, OrderTransition>(rows);
  return {
    rows,
    decide(order, event, context) {
      let refusal: Refused = { refused: 'order_changed' };
      for (const row of find(order.state, event.type)) {
        const refused = (guards[row.guard] as Guard).check(order, event, context);
        if (refused === undefined) return take(row, steps[row.step] as Step, order, event, context);
        refusal = { refused };
      }
      return refusal;
    },
  };
}

function take(row: OrderTransition, step: Step, order: OrderView, event: OrderEvent, context: Context): Outcome {
  const draft = new Draft(order, context);
  step(draft, event as never);
  const { state } = draft.order;
  assertRow(row, order.state, state, draft);
  return {
    row,
    from: order.state,
    next: { ...draft.order, version: order.version + 1, facts: factsAfter(order, draft.order, context.now) },
    postings: draft.postings,
    effects: draft.effects,
  };
}

/** Returns the order's facts with the two that every event updates: `clock` and `isCounted`. */
function factsAfter(before: OrderView, next: OrderView, now: Date): Facts {
  const { isCounted: _, ...facts } = next.facts;
  const [clock, isCounted] = [clockAfter(before, next, now), countsAfter(before, next)];
  return { ...facts, ...(clock && { clock }), ...(isCounted !== undefined && { isCounted }) };
}

/**
 * Throws if a step led to a state or made a posting that its row doesn't allow, or left a negative position. Each of these is a
 * bug, so nothing may be written.
 */
function assertRow(row: OrderTransition, from: OrderState, to: OrderState, draft: Draft): void {
  const next = nextStates(row, from);
  if (!next.includes(to) && !(to === from && next.includes('same'))) {
    throw new Error(`${row.event} came from ${from} to ${to}, which its row does not say`);
  }
  for (const { name } of draft.postings) {
    if (!row.money.includes(name)) throw new Error(`${row.event} in ${from} posted ${name}, which its row does not say`);
  }
  for (const [name, parts] of Object.entries(draft.order.positions)) {
    if (parts < 0n) throw new Error(`${row.event} in ${from} leaves ${name} at ${parts}`);
  }
}

/** The order machine's table, for the diagrams and for proofs. */
export const ORDER_TABLE: Table<OrderState, EventName, OrderTransition> = {
  name: 'order',
  file: 'server/exchange/machine/rows.ts',
  begins: [{ state: 'awaiting', event: 'place' }],
  states: Object.fromEntries(ORDER_STATES.map((state) => [state, STATE_WORDS[state]])) as Record<OrderState, string>,
  rests: RESTING,
  actors: {
    ...{ C: 'customer', R: 'rail', S: 'system', O: 'operator', O2: 'two operators', K: 'compliance', K2: 'two of compliance' },
  } satisfies Record<Actor, string>,
  rows: ROWS.map((row) => ({ ...row, ...(GUARDS[row.guard].words !== '' && { when: GUARDS[row.guard].words }) })),
};

const machine = createMachine();

/** Decides an event with the product's own machine, as `Machine.decide`. */
export const decide = machine.decide;

/** Returns the actor of an event; it is the same in all rows of the event. */
export function actorOf(event: EventName): OrderTransition['who'] {
  const found = ROWS.find((row) => row.event === event);
  if (!found) throw new Error(`No row takes ${event}`);
  return found.who;
}

/** Returns the events that the table accepts in a state, with their actors. */
export function eventsIn(state: OrderState): { readonly event: EventName; readonly who: OrderTransition['who'] }[] {
  return ROWS.filter((row) => row.from.includes(state)).map(({ event, who }) => ({ event, who }));
}
