// The auditor's part about allow-lists: what a holder allows, by the moments at which their actions showed in the rows and by the
// delays of the money rules. What the rows say of delays is not believed.

import { Fault } from './invariants.ts';

/** What rows say of allow-lists, address books, and what leaves. */
export interface ListRows {
  readonly guards: readonly { readonly holder: string; readonly on: boolean }[];
  readonly addresses: readonly Target[];
  readonly outs: readonly Omit<Target & { readonly owner: string; readonly status: string }, 'holder'>[];
}

/** Where something goes, or may go: `wallet` and a holder's id for their wallet. */
export interface Target {
  readonly id: string;
  readonly holder: string;
  readonly currency: string;
  readonly key: string;
}

/** For so long a new address waits, and for so long a list holds on that was switched off. */
const DAY_MS = 24 * 3_600_000;

/** What is allowed at a moment. */
interface Allowed {
  readonly at: number;
  /** Until when a holder's list holds. */
  readonly lists: ReadonlyMap<string, number>;
  /** The row of an address, and from when money may go there. */
  readonly usable: ReadonlyMap<string, { readonly id: string; readonly from: number }>;
}

const keyOf = ({ holder, currency, key }: Target): string => `${holder} ${currency} ${key}`;

export class AllowLists {
  readonly #now: () => number;
  readonly #tally: (what: string) => void;
  #left: ReadonlySet<string> = new Set();
  #allowed: Allowed = { at: 0, lists: new Map(), usable: new Map() };

  /** `now`: the world's clock, in milliseconds. */
  constructor(now: () => number, tally: (what: string) => void) {
    this.#now = now;
    this.#tally = tally;
  }

  /** Time has passed, and nobody did anything. */
  pass(): void {
    this.#allowed = { ...this.#allowed, at: this.#now() };
  }

  /**
   * 11: nothing leaves to an address that was not allowed, neither at the last look nor at this one. `gone`: everything that is
   * out now.
   */
  follow(rows: ListRows, gone: readonly Target[]): void {
    const before = this.#allowed;
    this.#allowed = allowedAfter(before, rows, this.#now());
    for (const one of gone) if (!this.#left.has(one.id)) this.#mustBeAllowed(one, [before, this.#allowed]);
    this.#left = new Set(gone.map(({ id }) => id));
  }

  #mustBeAllowed(one: Target, moments: readonly Allowed[]): void {
    if (moments.every((moment) => isListed(moment, one))) this.#tally('leaves while an allow-list is on');
    if (moments.some((moment) => !isListed(moment, one) || isUsable(moment, one))) return;
    throw new Fault(`${one.id} left to ${one.currency} ${one.key}, which ${one.holder} does not allow`);
  }
}

/** Acts show in rows; they were done right after the last look at the earliest. */
function allowedAfter({ at, lists, usable }: Allowed, { guards, addresses }: ListRows, now: number): Allowed {
  const soonest = at + DAY_MS;
  const fromOf = (one: Target): number => {
    const known = usable.get(keyOf(one));
    return known?.id === one.id ? known.from : soonest;
  };
  return {
    at: now,
    lists: new Map(guards.map(({ holder, on }) => [holder, on ? Infinity : Math.min(lists.get(holder) ?? 0, soonest)])),
    usable: new Map(addresses.map((one) => [keyOf(one), { id: one.id, from: fromOf(one) }])),
  };
}

const isListed = ({ at, lists }: Allowed, { holder }: Target): boolean => (lists.get(holder) ?? 0) > at;
const isUsable = ({ at, usable }: Allowed, one: Target): boolean => (usable.get(keyOf(one))?.from ?? Infinity) <= at;
