// The auditor's part about allow-lists: it computes what a holder allows from the times of their actions in the rows and from the
// delays of the money rules. It does not trust the delays in the rows.

import { Fault } from './invariants.ts';

/** Rows of allow-lists, address books, and money that leaves. */
export interface ListRows {
  readonly guards: readonly { readonly holder: string; readonly isOn: boolean }[];
  readonly addresses: readonly Target[];
  readonly outs: readonly Omit<Target & { readonly owner: string; readonly status: string }, 'holder'>[];
}

/** Destination of money: an address, or `wallet` and a holder's id for their wallet. */
export interface Target {
  readonly id: string;
  readonly holder: string;
  readonly currency: string;
  readonly key: string;
}

/** Waiting time of a new address, and time for which a disabled list still holds. */
const DAY_MS = 24 * 3_600_000;

/** Allowed destinations at a moment. */
interface Allowed {
  readonly at: number;
  /** Time until which a holder's list holds. */
  readonly lists: ReadonlyMap<string, number>;
  /** The row of an address, and the time from which money may go there. */
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
   * Invariant 11: nothing leaves to an address that was allowed neither at the last check nor now. `gone`: everything that is out
   * now.
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

/** Actions show in rows; at the earliest they were done right after the last check. */
function allowedAfter({ at, lists, usable }: Allowed, { guards, addresses }: ListRows, now: number): Allowed {
  const soonest = at + DAY_MS;
  const fromOf = (one: Target): number => {
    const known = usable.get(keyOf(one));
    return known?.id === one.id ? known.from : soonest;
  };
  return {
    at: now,
    lists: new Map(guards.map(({ holder, isOn }) => [holder, isOn ? Infinity : Math.min(lists.get(holder) ?? 0, soonest)])),
    usable: new Map(addresses.map((one) => [keyOf(one), { id: one.id, from: fromOf(one) }])),
  };
}

const isListed = ({ at, lists }: Allowed, { holder }: Target): boolean => (lists.get(holder) ?? 0) > at;
const isUsable = ({ at, usable }: Allowed, one: Target): boolean => (usable.get(keyOf(one))?.from ?? Infinity) <= at;
