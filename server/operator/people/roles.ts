import type { Permission } from '@kurs/contract';

/** Roles of the desk. `operator` runs it; `compliance` decides holds, freezes and legal duties. */
export type Role = 'operator' | 'compliance';

/** A call of the desk as received. It is stored with a request, so that a second person can repeat it. */
export interface CallOf {
  readonly name: string;
  readonly input: unknown;
}

/** An authenticated person of the desk. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Permissions of the person's role. */
  readonly permissions: readonly string[];
  /** The call in progress. */
  readonly call?: CallOf;
  /** Id of the request that the call consents to; the call may carry out no other action. */
  readonly consentsTo?: string;
}

/**
 * The permission that each action on an order requires, as in the order machine's table (actors O, operator, and K,
 * compliance). The room exchange decides how many people an action takes.
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
