// What customers of coupons are known by: what is shown to be theirs, and what was only typed. Anybody can type anything, so what was
// typed never counts against an account holder who is signed in, nor against somebody who has shown to read a mailbox.

/** The keys of a customer. */
export interface CustomerKeys {
  /** All of them: who shares one is the same customer. */
  readonly keys: readonly string[];
  /** Those of them that are shown to be theirs; absent: all. */
  readonly shown?: readonly string[] | undefined;
}

/** Marks a key that was only typed, in what is stored. */
const TYPED = 'typed ';
const asTyped = (key: string): string => `${TYPED}${key}`;

/** Keys as they are stored with a use, or with the coupon of a late order. */
export const storedKeys = ({ keys, shown = keys }: CustomerKeys): string[] =>
  keys.map((key) => (shown.includes(key) ? key : asTyped(key)));

/** True if it is known whose the shown keys are: an account holder's, or somebody's who has shown to read a mailbox. */
const areKnown = (shown: readonly string[]): boolean =>
  shown.some((key) => key.startsWith('holder:') || key.startsWith('email:'));

/** Keys by which what a customer has used is found: a visitor's match whatever was shown or typed before, others' what was shown. */
export const askedKeys = ({ keys, shown = [] }: CustomerKeys): string[] =>
  areKnown(shown) ? [...shown] : keys.flatMap((key) => [key, asTyped(key)]);

/** The same of somebody whose keys were stored. */
export const askedOfStored = (stored: readonly string[]): string[] => askedKeys(read(stored));

/**
 * True if what a use has left is a customer's, where a key of theirs was found with it: of a use of an account holder's only by what
 * both have shown.
 */
export function mayTakeRest({ keys, shown = keys }: CustomerKeys, stored: readonly string[]): boolean {
  const whose = read(stored).shown;
  return !areKnown(whose) || whose.some((key) => shown.includes(key));
}

function read(stored: readonly string[]): Required<CustomerKeys> & { readonly shown: readonly string[] } {
  const shown = stored.filter((key) => !key.startsWith(TYPED));
  return { shown, keys: stored.map((key) => (key.startsWith(TYPED) ? key.slice(TYPED.length) : key)) };
}
