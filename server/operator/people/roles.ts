import type { Permission } from '@kurs/contract';

/** Who the desk has. `operator` runs it, `compliance` decides holds, freezes and what the law asks. */
export type Role = 'operator' | 'compliance';

/** A call of the desk, as it came: kept with a request, so that a second person can make the same. */
export interface CallOf {
  readonly name: string;
  readonly input: unknown;
}

/** A person of the desk, as authenticated. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** What the role lets them do. */
  readonly permissions: readonly string[];
  /** What they call. */
  readonly call?: CallOf;
  /** The request that they consent to: nothing but that one is carried out. */
  readonly consentsTo?: string;
}

/**
 * The permission that each action on an order takes: after the machine's O and K. How many people it takes, the exchange says.
 */
export const ORDER_ACTIONS = {
  hold: 'orders.run',
  approve: 'orders.run',
  stop: 'orders.run',
  refund: 'orders.run',
  retry: 'orders.run',
  resolve_sent: 'orders.run',
  resolve_not_sent: 'orders.run',
  claim_give: 'orders.run',
  claim_get: 'orders.run',
  write_off: 'orders.run',
  ask_papers: 'orders.judge',
  papers_came: 'orders.judge',
  release: 'orders.judge',
  decide_refund: 'orders.judge',
  freeze: 'orders.judge',
  unfreeze: 'orders.judge',
  surrender: 'orders.judge',
} as const satisfies Record<string, Permission>;

export type OrderAction = keyof typeof ORDER_ACTIONS;
