// Rails on which something of ours has changed what they hold, or what of it is free: they are asked again at once.

const stirred = new Set<string>();

/** Notes that a payment or a payout of a rail has come further. */
export const stir = (rail: string): void => void stirred.add(rail);

/** Whether a rail was stirred since this was asked last. */
export const takeStirred = ({ id }: { readonly id: string }): boolean => stirred.delete(id);
