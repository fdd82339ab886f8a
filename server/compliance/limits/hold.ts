import { canonicalEmail, type Owner, type Tx } from '../../platform/index.ts';
import { hasFinished } from '../customers/customer-store.ts';
import { heldUnder } from './hold-store.ts';
import { heldByPartners } from './partners.ts';
import { settings } from '../settings.ts';
import { type Subject, networkKey } from '../customers/subject.ts';

/** Request to set the desk's money aside for an order or deposit that is not paid yet. `subject`: the customer. */
export interface NewHold {
  readonly owner: Owner;
  readonly subject: Subject;
  /** Unit that the customer receives. */
  readonly unit: string;
  /** Amount to set aside, in parts of `unit`. */
  readonly parts: bigint;
  /**
   * Amount that the desk can still promise in the customer's currency, without the money already set aside (pricing's
   * `readReserve`).
   */
  readonly reserve: bigint | Promise<bigint>;
}

/** A request that was within its limits when it was checked. */
export interface AllowedHold extends Pick<NewHold, 'owner' | 'unit' | 'parts'> {
  readonly reserve: bigint;
  /**
   * Totals that will include the amount. `percent`: maximum of the total, in percent of the reserve and the money set aside
   * together. Sorted by name; the unit's own total is first.
   */
  readonly shares: readonly (readonly [total: string, percent: number])[];
}

/**
 * Checks requests one after the other. Returns undefined for a request that would exceed a maximum share of the reserve: of the
 * request alone, its network, all visitors, all partners, or all requests. Locks nothing: `takeHolds` checks again.
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

/** Current sums. `held`: parts of each total; `taken`: parts of each unit that earlier requests of the same call take. */
interface HeldSums {
  readonly held: Map<string, bigint>;
  readonly taken: Map<string, bigint>;
}

/** Returns true if a request is within its shares, and then adds it to the sums. */
function allow({ unit, parts, reserve, shares }: AllowedHold, { held, taken }: HeldSums): boolean {
  // The reserve excludes money that is already set aside, so the sum of both is the base of all percentages.
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
 * Returns the totals that will include a request's amount, with the maximum percentage for each. They are sorted, so that all
 * transactions lock them in the same sequence.
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
 * Sets the money of allowed requests aside, and locks their totals until the commit. Call it last before events and the posting.
 * If a request exceeds its limits because of concurrent requests, the transaction fails with a conflict and is retried.
 */
export function takeHolds(tx: Tx, holds: readonly AllowedHold[]): void {
  // Avoids deadlocks: each unit's own total is locked before the unit's other totals. A transaction that holds this lock waits
  // for no other total of the unit.
  for (const { owner, parts, reserve, shares } of holds.toSorted((one, other) => (one.unit < other.unit ? -1 : 1))) {
    const [keys, percents] = [shares.map(([key]) => key), shares.map(([, percent]) => percent)];
    tx.write('select take_hold($1, $2, $3, $4, $5, $6)', [owner.kind, owner.id, parts, reserve, keys, percents], {
      name: 'compliance.take_hold',
    });
  }
}

/**
 * Returns true if the customer has a verified mailbox and has received a payout. A typed address proves nothing, since anybody
 * can type it.
 */
async function isKnownCustomer(tx: Tx, { holder }: Subject): Promise<boolean> {
  return holder?.mailbox !== undefined && hasFinished(tx, canonicalEmail(holder.mailbox));
}
