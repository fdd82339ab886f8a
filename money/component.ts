/** What a component of a price is: the desk's fee, a discount on it, or a cost that is passed on. */
export type ComponentKind = 'fee' | 'discount' | 'cost';

/** How a component is named and booked, as far as that differs from others of its kind. */
export interface Booking {
  /** The key of its name among the words under `fees`. */
  readonly words?: string;
  /** Which account of the unit given it moves: it is paid into it, and a discount out of it. */
  readonly account?: 'income:spread' | 'income:fee' | 'spent:discount';
  readonly payer?: 'customer' | 'desk';
}

/** A component of a price: what it takes of what is given, or (a discount) adds to it. */
export interface Component extends Required<Booking> {
  /** The line of the terms; the desk's own price is `fee`. */
  readonly code: string;
  readonly kind: ComponentKind;
  /** In parts of the unit given. */
  readonly amount: bigint;
  /** The share that it was reckoned by, as it is shown. */
  readonly percent?: string;
}

/** How components of a kind are booked, and who bears them. */
const BOOKED = {
  fee: { account: 'income:spread', payer: 'customer' },
  discount: { account: 'spent:discount', payer: 'desk' },
  cost: { account: 'income:fee', payer: 'customer' },
} as const satisfies Record<ComponentKind, Booking>;

/** Costs and discounts that have names of their own; what else an operator's direction names is one of its other costs. */
const NAMED: Readonly<Record<'cost' | 'discount', ReadonlySet<string>>> = {
  cost: /* @__PURE__ */ new Set(['network', 'sweep', 'payin', 'payout']),
  discount: /* @__PURE__ */ new Set(['credit', 'late', 'coupon', 'friend', 'loyalty']),
};
const OTHERS = { cost: 'other', discount: 'discount' } as const;

/** A component of so many parts, named and booked as its line of the terms says, and else as its kind is. */
export function componentOf(kind: ComponentKind, line: Booking & { readonly code: string }, amount: bigint): Component {
  const { code, words = wordsOf(kind, code), account = BOOKED[kind].account, payer = BOOKED[kind].payer } = line;
  return { code, words, kind, account, payer, amount };
}

function wordsOf(kind: ComponentKind, code: string): string {
  if (kind === 'fee') return kind;
  return NAMED[kind].has(code) ? code : OTHERS[kind];
}

/** What the components of some kinds come to, in parts of the unit given. */
export const totalOf = (components: readonly Component[], ...kinds: readonly ComponentKind[]): bigint =>
  components.reduce((sum, { kind, amount }) => (kinds.includes(kind) ? sum + amount : sum), 0n);
