// Identities of coupons' customers: proven ones, and those that were only typed. Anybody can type anything, so typed ones never
// count against a signed-in account holder, nor against a visitor with a proven mailbox.

/** The keys of a customer. */
export interface CustomerKeys {
  /** All identities: people who share one are the same customer. */
  readonly keys: readonly string[];
  /** The proven ones of them; absent: all. */
  readonly shown?: readonly string[] | undefined;
}

/** Marks a key that was only typed, in what is stored. */
const TYPED = 'typed ';
const asTyped = (key: string): string => `${TYPED}${key}`;

/** Keys as they are stored with a use, or with the coupon of a late order. */
export const storedKeys = ({ keys, shown = keys }: CustomerKeys): string[] =>
  keys.map((key) => (shown.includes(key) ? key : asTyped(key)));

/** True if the owner of the proven identities is known: an account holder, or a visitor with a proven mailbox. */
const areKnown = (shown: readonly string[]): boolean =>
  shown.some((key) => key.startsWith('holder:') || key.startsWith('email:'));

/**
 * Returns the identities that find a customer's earlier uses: a visitor's match proven and typed ones, others' only proven ones.
 */
export const requestedKeys = ({ keys, shown = [] }: CustomerKeys): string[] =>
  areKnown(shown) ? [...shown] : keys.flatMap((key) => [key, asTyped(key)]);

/** The same for a customer whose identities were stored. */
export const requestedOfStored = (stored: readonly string[]): string[] => requestedKeys(read(stored));

/**
 * True if the rest of a use is a customer's, after a shared identity was found: for a use of an account holder only if both have
 * proven it.
 */
export function mayTakeRest({ keys, shown = keys }: CustomerKeys, stored: readonly string[]): boolean {
  const whose = read(stored).shown;
  return !areKnown(whose) || whose.some((key) => shown.includes(key));
}

function read(stored: readonly string[]): Required<CustomerKeys> & { readonly shown: readonly string[] } {
  const shown = stored.filter((key) => !key.startsWith(TYPED));
  return { shown, keys: stored.map((key) => (key.startsWith(TYPED) ? key.slice(TYPED.length) : key)) };
}
