import { canonicalEmail, type Owner, type Tx } from '../../platform/index.ts';
import { hasFinished } from '../customers/customer-store.ts';
import { heldUnder } from './hold-store.ts';
import { heldByPartners } from './partners.ts';
import { settings } from '../settings.ts';
import { type Subject, networkKey } from '../customers/subject.ts';

/** What would be held, and for whom. */
export interface NewHold {
  readonly owner: Owner;
  readonly subject: Subject;
  /** Parts of the unit that the customer gets. */
  readonly unit: string;
  readonly parts: bigint;
  /** What the desk can promise in that currency now, beside what is held already (pricing's `readReserve`). */
  readonly reserve: bigint | Promise<bigint>;
}

/** A hold that was within its bounds when that was asked. */
export interface AllowedHold extends Pick<NewHold, 'owner' | 'parts'> {
  readonly reserve: bigint;
  /** The totals that it is part of, the unit's own first, and the percentage of the whole that each may be. */
  readonly shares: readonly (readonly [total: string, percent: number])[];
}

/**
 * Asks for a part of the reserve for an unpaid owner; undefined where it, its network, visitors or all together would hold too
 * large a share. Locks nothing: `takeHold` asks again.
 */
export async function mayHold(tx: Tx, { owner, subject, unit, parts, reserve: read }: NewHold): Promise<AllowedHold | undefined> {
  const network = networkKey(subject)?.slice('net:'.length);
  const visitors = `${unit} visitors`;
  const ofNetwork = network === undefined ? [] : [`${unit} ${network}`];
  const ofPartners = subject.partner ? [heldByPartners(unit)] : [];
  const [isKnown, held, reserve] = await Promise.all([
    isKnownCustomer(tx, subject),
    heldUnder(tx, [unit, visitors, ...ofNetwork, ...ofPartners.map(([total]) => total)]),
    read,
  ]);
  const shares = new Map([[unit, settings.get('compliance.hold_all_percent')]]);
  if (!isKnown) shares.set(visitors, settings.get('compliance.hold_visitors_percent'));
  for (const [total, percent] of ofPartners) shares.set(total, percent);
  for (const key of ofNetwork) shares.set(key, settings.get('compliance.hold_network_percent'));
  // What is held was reserve before it was held.
  const whole = reserve + (held.get(unit) ?? 0n);
  const within = (sum: bigint, percent: number): boolean => sum * 100n <= whole * BigInt(percent);
  const allowed =
    parts <= reserve &&
    within(parts, settings.get('compliance.hold_order_percent')) &&
    [...shares].every(([key, percent]) => within((held.get(key) ?? 0n) + parts, percent));
  return allowed ? { owner, parts, reserve, shares: [...shares].sort(([one], [other]) => (one < other ? -1 : 1)) } : undefined;
}

/**
 * Takes a hold and locks its totals until the commit: call it last before events and the posting. Where others have taken so much
 * meanwhile that it is not within its bounds any more the transaction fails as one that met another, and is done again.
 */
export function takeHold(tx: Tx, { owner, parts, reserve, shares }: AllowedHold): void {
  const [keys, percents] = [shares.map(([key]) => key), shares.map(([, percent]) => percent)];
  tx.write('select take_hold($1, $2, $3, $4, $5, $6)', [owner.kind, owner.id, parts, reserve, keys, percents], {
    name: 'compliance.take_hold',
  });
}

/** Whether something was paid out to a customer: by their mailbox, once they have shown it; anybody can type an address. */
async function isKnownCustomer(tx: Tx, { holder }: Subject): Promise<boolean> {
  return holder?.mailbox !== undefined && hasFinished(tx, canonicalEmail(holder.mailbox));
}
