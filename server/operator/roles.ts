/** Who the desk has. `operator` runs it, `compliance` decides holds, freezes and what the law asks. */
export type Role = 'operator' | 'compliance';

/** A person of the desk, as authenticated. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** What an act on an order asks for: whose role, and how many people. After the machine's O, O2, K and K2. */
export const ORDER_ACTS = {
  hold: { role: 'operator', people: 1 },
  approve: { role: 'operator', people: 1 },
  stop: { role: 'operator', people: 1 },
  refund: { role: 'operator', people: 1 },
  retry: { role: 'operator', people: 1 },
  resolve_sent: { role: 'operator', people: 2 },
  resolve_not_sent: { role: 'operator', people: 2 },
  claim_give: { role: 'operator', people: 2 },
  claim_get: { role: 'operator', people: 2 },
  write_off: { role: 'operator', people: 2 },
  release: { role: 'compliance', people: 1 },
  decide_refund: { role: 'compliance', people: 1 },
  freeze: { role: 'compliance', people: 2 },
  unfreeze: { role: 'compliance', people: 2 },
  surrender: { role: 'compliance', people: 2 },
} as const satisfies Record<string, { role: Role; people: 1 | 2 }>;

export type OrderAct = keyof typeof ORDER_ACTS;
