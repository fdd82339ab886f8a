import { canonicalEmail, type Owner, type Tx } from '../../platform/index.ts';
import { hasFinished } from '../customers/customer-store.ts';
import { addHold, heldUnder } from './hold-store.ts';
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
  readonly reserve: bigint;
}

/**
 * Holds a part of the reserve for an unpaid owner, unless it, its network, visitors or all together would hold too large a
 * share; says whether it does. Locks the totals held in the unit: call it last before facts and the posting.
 */
export async function takeHold(tx: Tx, { owner, subject, unit, parts, reserve }: NewHold): Promise<boolean> {
  const network = networkKey(subject)?.slice('net:'.length);
  const visitors = `${unit} visitors`;
  const ofNetwork = network === undefined ? [] : [`${unit} ${network}`];
  const ofPartners = subject.partner ? [heldByPartners(unit)] : [];
  const [isKnown, held] = await Promise.all([
    isKnownCustomer(tx, subject),
    heldUnder(tx, [unit, visitors, ...ofNetwork, ...ofPartners.map(([total]) => total)].sort()),
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
  if (allowed) addHold(tx, owner, parts, [...shares.keys()].sort());
  return allowed;
}

/** Whether something was paid out to a customer: by their mailbox, once they have shown it; anybody can type an address. */
async function isKnownCustomer(tx: Tx, { holder }: Subject): Promise<boolean> {
  return holder?.mailbox !== undefined && hasFinished(tx, canonicalEmail(holder.mailbox));
}
