// Rails whose balance or free money we have changed. Their balances are polled again at once.

const stirred = new Set<string>();

/** Marks a rail's balance as changed, because a payment or a payout has progressed. */
export const stir = (rail: string): void => void stirred.add(rail);

/** True if a rail's balance was marked as changed since the last call for this rail. */
export const takeStirred = ({ id }: { readonly id: string }): boolean => stirred.delete(id);
