// Limits of calls for API keys of one kind of resource. The room that owns the kind defines its limit.

/** Returns the maximum number of calls a minute, for reads and for writes each. */
type KeyBudget = () => number;

const budgets = new Map<string, KeyBudget>();

/** Sets the limit of calls of each API key that is bound to a resource of a kind. It replaces the general limits. */
export function defineKeyBudget(kind: string, budget: KeyBudget): void {
  budgets.set(kind, budget);
}

/** Returns the maximum number of calls a minute of a key on a resource of this kind; undefined if the general limits hold. */
export const keyBudget = (kind: string | undefined): number | undefined =>
  kind === undefined ? undefined : budgets.get(kind)?.();
