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
  /** What he calls. */
  readonly call?: CallOf;
  /** The request that he consents to: nothing but that one is carried out. */
  readonly consentsTo?: string;
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
