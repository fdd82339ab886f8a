import { canonicalEmail, type Owner, type Tx } from '../../platform/index.ts';
import { hasFinished } from '../customers/customer-store.ts';
import { heldUnder } from './hold-store.ts';
import { heldByPartners } from './partners.ts';
import { settings } from '../settings.ts';
import { type Subject, networkKey } from '../customers/subject.ts';

/** A requested hold and its customer. */
export interface NewHold {
  readonly owner: Owner;
  readonly subject: Subject;
  /** Parts of the unit that the customer receives. */
  readonly unit: string;
  readonly parts: bigint;
  /** Amount that the desk can still promise in that currency, besides what is held (pricing's `readReserve`). */
  readonly reserve: bigint | Promise<bigint>;
}

/** A hold that was within its limits when checked. */
export interface AllowedHold extends Pick<NewHold, 'owner' | 'unit' | 'parts'> {
  readonly reserve: bigint;
  /**
   * The totals that it is part of, and the maximum percentage of the whole for each. Sorted by name; the unit's own total is
   * first.
   */
  readonly shares: readonly (readonly [total: string, percent: number])[];
}

/**
 * Checks requested holds in order. Returns undefined for a hold by which the order, its network, visitors or all together would
 * hold too large a share. Locks nothing: `takeHolds` checks again.
 */
export async function mayHold(tx: Tx, all: readonly NewHold[]): Promise<(AllowedHold | undefined)[]> {
  const requests = all.map((one) => ({ ...one, network: networkKey(one.subject)?.slice('net:'.length) }));
  const totals = requests.flatMap(({ unit, network, subject }) => [
    unit,
    `${unit} visitors`,
    ...(network === undefined ? [] : [`${unit} ${network}`]),
    ...(subject.partner ? [heldByPartners(unit)[0]] : []),
  ]);
  const [known, held, reserves] = await Promise.all([
    Promise.all(requests.map(({ subject }) => isKnownCustomer(tx, subject))),
    heldUnder(tx, [...new Set(totals)]),
    Promise.all(requests.map(({ reserve }) => reserve)),
  ]);
  const status = { held: new Map(held), taken: new Map<string, bigint>() };
  return requests.map(({ owner, subject, unit, parts, network }, at) => {
    const shares = sharesOf({ unit, network, isKnown: known[at] ?? false, isPartner: subject.partner !== undefined });
    const reserve = (reserves[at] ?? 0n) - (status.taken.get(unit) ?? 0n);
    const hold = { owner, unit, parts, shares, reserve };
    return allow(hold, status) ? hold : undefined;
  });
}

/** Sums held under totals, and parts of each unit promised to earlier holds of the same request. */
interface HeldSums {
  readonly held: Map<string, bigint>;
  readonly taken: Map<string, bigint>;
}

/** Returns true if a hold is within its shares, and then adds it to the sums. */
function allow({ unit, parts, reserve, shares }: AllowedHold, { held, taken }: HeldSums): boolean {
  // The reserve excludes what is held, so both are added.
  const whole = reserve + (held.get(unit) ?? 0n);
  const within = (sum: bigint, percent: number): boolean => sum * 100n <= whole * BigInt(percent);
  const isAllowed =
    parts <= reserve &&
    within(parts, settings.get('compliance.hold_order_percent')) &&
    shares.every(([key, percent]) => within((held.get(key) ?? 0n) + parts, percent));
  if (!isAllowed) return false;
  for (const [key] of shares) held.set(key, (held.get(key) ?? 0n) + parts);
  taken.set(unit, (taken.get(unit) ?? 0n) + parts);
  return true;
}

/**
 * Returns the totals that a hold is part of, with the maximum percentage for each. They are sorted, so that all transactions lock
 * them in one order.
 */
function sharesOf(of: {
  unit: string;
  network: string | undefined;
  isKnown: boolean;
  isPartner: boolean;
}): AllowedHold['shares'] {
  const { unit, network, isKnown, isPartner } = of;
  const shares = new Map([[unit, settings.get('compliance.hold_all_percent')]]);
  if (!isKnown) shares.set(`${unit} visitors`, settings.get('compliance.hold_visitors_percent'));
  if (isPartner) shares.set(...heldByPartners(unit));
  if (network !== undefined) shares.set(`${unit} ${network}`, settings.get('compliance.hold_network_percent'));
  return [...shares].sort(([one], [other]) => (one < other ? -1 : 1));
}

/**
 * Takes holds and locks their totals until the commit. Call it last before events and the posting. If a hold exceeds its limits
 * because of others taken meanwhile, the transaction fails with a conflict and is retried.
 */
export function takeHolds(tx: Tx, holds: readonly AllowedHold[]): void {
  // A unit's own total comes before its other totals: a transaction that has locked it waits for no other.
  for (const { owner, parts, reserve, shares } of holds.toSorted((one, other) => (one.unit < other.unit ? -1 : 1))) {
    const [keys, percents] = [shares.map(([key]) => key), shares.map(([, percent]) => percent)];
    tx.write('select take_hold($1, $2, $3, $4, $5, $6)', [owner.kind, owner.id, parts, reserve, keys, percents], {
      name: 'compliance.take_hold',
    });
  }
}

/**
 * Returns true if a customer with a verified mailbox has received a payout. A typed address doesn't count: anybody can type it.
 */
async function isKnownCustomer(tx: Tx, { holder }: Subject): Promise<boolean> {
  return holder?.mailbox !== undefined && hasFinished(tx, canonicalEmail(holder.mailbox));
}
