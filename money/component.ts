/** Kind of a price component: the desk's fee, a discount on it, or a cost that is passed on. */
export type ComponentKind = 'fee' | 'discount' | 'cost';

/** Name, account and payer of a component. Each is absent if the default of the component's kind applies. */
export interface Booking {
  /** Key of the component's name among the words under `fees`. */
  readonly words?: string;
  /** Account, in the unit given: a fee or cost is paid into it, a discount is paid out of it. */
  readonly account?: 'income:spread' | 'income:fee' | 'spent:discount';
  readonly payer?: 'customer' | 'desk';
}

/** A component of a price: an amount subtracted from the amount given or, for a discount, added to it. */
export interface Component extends Required<Booking> {
  /** Code of the component's line in the terms; `fee` for the desk's own fee. */
  readonly code: string;
  readonly kind: ComponentKind;
  /** Amount in parts of the unit given. */
  readonly amount: bigint;
  /** Percentage by which the amount was computed, as shown to customers. */
  readonly percent?: string;
}

/** Default account and payer of each kind of component. */
const BOOKED = {
  fee: { account: 'income:spread', payer: 'customer' },
  discount: { account: 'spent:discount', payer: 'desk' },
  cost: { account: 'income:fee', payer: 'customer' },
} as const satisfies Record<ComponentKind, Booking>;

/** Codes of costs and discounts that have names of their own. Any other cost that an operator defines is called "other". */
const NAMED: Readonly<Record<'cost' | 'discount', ReadonlySet<string>>> = {
  cost: /* @__PURE__ */ new Set(['network', 'sweep', 'payin', 'payout']),
  discount: /* @__PURE__ */ new Set(['credit', 'late', 'coupon', 'friend', 'loyalty']),
};
const OTHERS = { cost: 'other', discount: 'discount' } as const;

/**
 * Returns a component with an amount in parts. Name, account and payer come from `line`; a missing one is the default of the
 * kind.
 */
export function componentOf(kind: ComponentKind, line: Booking & { readonly code: string }, amount: bigint): Component {
  const { code, words = wordsOf(kind, code), account = BOOKED[kind].account, payer = BOOKED[kind].payer } = line;
  return { code, words, kind, account, payer, amount };
}

function wordsOf(kind: ComponentKind, code: string): string {
  if (kind === 'fee') return kind;
  return NAMED[kind].has(code) ? code : OTHERS[kind];
}

/** Returns the sum of the components of some kinds, in parts of the unit given. */
export const totalOf = (components: readonly Component[], ...kinds: readonly ComponentKind[]): bigint =>
  components.reduce((sum, { kind, amount }) => (kinds.includes(kind) ? sum + amount : sum), 0n);
