/** Who the desk has. `operator` runs it, `compliance` decides holds, freezes and what the law asks. */
export type Role = 'operator' | 'compliance';

/** A person of the desk, as authenticated. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Whose act each act on an order is: after the machine's O and K. How many people it takes, the exchange says. */
export const ORDER_ACTS = {
  hold: 'operator',
  approve: 'operator',
  stop: 'operator',
  refund: 'operator',
  retry: 'operator',
  resolve_sent: 'operator',
  resolve_not_sent: 'operator',
  claim_give: 'operator',
  claim_get: 'operator',
  write_off: 'operator',
  ask_papers: 'compliance',
  papers_came: 'compliance',
  release: 'compliance',
  decide_refund: 'compliance',
  freeze: 'compliance',
  unfreeze: 'compliance',
  surrender: 'compliance',
} as const satisfies Record<string, Role>;

export type OrderAct = keyof typeof ORDER_ACTS;
