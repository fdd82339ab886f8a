/** A move between a store's balance and its owner's wallet. `amount`: a decimal of the unit. */
export interface SettlementMove {
  readonly store: string;
  readonly unit: string;
  readonly amount: string;
}

/** Returns the text to which a code for a move is bound: `about` of `/user/email/get-otp`. */
export const settlementAbout = (direction: 'to_wallet' | 'to_store', { store, unit, amount }: SettlementMove): string =>
  `${direction === 'to_wallet' ? 'w' : 's'}-${store}-${unit}-${amount.replace('.', '_')}`;
