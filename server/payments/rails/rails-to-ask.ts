// Rails whose balance or free money we have changed: they are polled again at once.

const stirred = new Set<string>();

/** Notes that a payment or a payout of a rail has progressed. */
export const stir = (rail: string): void => void stirred.add(rail);

/** True if progress was noted for a rail since the last call. */
export const takeStirred = ({ id }: { readonly id: string }): boolean => stirred.delete(id);
