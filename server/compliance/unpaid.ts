import { Problem } from '@kurs/contract';
import { canonicalEmail, type Tx } from '../platform/index.ts';
import { settings } from './settings.ts';
import {
  type Ended,
  countUnpaid,
  endUnpaidUses,
  freeHolds,
  hasFinished,
  heldUnder,
  isShortLocked,
  lockKeys,
  shortenLocks,
  takeHold,
  writeUnpaid,
} from './store.ts';
import { type Subject, customerKeys, networkKey } from './subject.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export interface UnpaidOrder {
  readonly orderId: string;
  readonly subject: Subject;
  /** What the order would hold: parts of the unit that the customer gets. */
  readonly unit: string;
  readonly parts: bigint;
  /** What the desk can promise in that currency now, beside what is held already (pricing's `readReserve`). */
  readonly reserve: bigint;
}

export interface Standing {
  /** Whether reserve is set aside for the order. Without it, reserve is taken when the payment is final. */
  readonly held: boolean;
  readonly lockMinutes: number;
}

/**
 * What an order that is about to be placed is granted, and records it as unpaid. Throws
 * `too_many_unpaid_orders` for a customer with 2 open or 6 left unpaid in 24 hours, or a network with 10 open. An order
 * is granted no hold where it, its network, visitors or all unpaid orders would hold too large a share of the reserve.
 * Locks the customer's keys, then the totals held in the unit: call it last before events and the posting.
 */
export async function unpaidStanding(tx: Tx, order: UnpaidOrder): Promise<Standing> {
  const keys = customerKeys(order.subject);
  const network = networkKey(order.subject);
  const all = network === undefined ? keys : [...keys, network].sort();
  // In this order: all else is read once the keys are locked.
  const [, counts, isShort, isKnown] = await Promise.all([
    lockKeys(tx, all),
    countUnpaid(tx, keys, network, new Date(tx.now.getTime() - DAY_SECONDS * 1_000)),
    isShortLocked(tx, keys),
    isKnownCustomer(tx, order.subject),
  ]);
  // An open one ends with its lock at the latest; those of a day grow fewer by and by.
  bound(counts.open, settings.get('compliance.unpaid_open'), settings.get('compliance.lock_minutes') * 60);
  bound(counts.openInNetwork, settings.get('compliance.unpaid_open_network'), settings.get('compliance.lock_minutes') * 60);
  bound(counts.day, settings.get('compliance.unpaid_day'), HOUR_SECONDS);
  const [held] = await Promise.all([hold(tx, order, network, isKnown), writeUnpaid(tx, order.orderId, all)]);
  return { held, lockMinutes: settings.get(isShort ? 'compliance.short_lock_minutes' : 'compliance.lock_minutes') };
}

function bound(count: number, most: number, retryAfter: number): void {
  if (count >= most) throw new Problem('too_many_unpaid_orders', { most, retryAfter });
}

/** Whether a customer has an order that was paid out: by his mailbox, once he has shown it; anybody can type an address. */
async function isKnownCustomer(tx: Tx, { holder }: Subject): Promise<boolean> {
  return holder?.mailbox !== undefined && hasFinished(tx, canonicalEmail(holder.mailbox));
}

/** Minutes for which the rate of an order is usually locked; `unpaidStanding` says it of one order. */
export function lockMinutes(): number {
  return settings.get('compliance.lock_minutes');
}

/** Takes the hold if every share that it would be part of allows it. */
async function hold(
  tx: Tx,
  { orderId, unit, parts, reserve }: UnpaidOrder,
  network: string | undefined,
  isKnown: boolean,
): Promise<boolean> {
  const shares = new Map([[unit, settings.get('compliance.hold_all_percent')]]);
  if (!isKnown) shares.set(`${unit} visitors`, settings.get('compliance.hold_visitors_percent'));
  if (network !== undefined)
    shares.set(`${unit} ${network.slice('net:'.length)}`, settings.get('compliance.hold_network_percent'));
  const held = await heldUnder(tx, [...shares.keys()].sort());
  // What is held was reserve before it was held.
  const whole = reserve + (held.get(unit) ?? 0n);
  const within = (sum: bigint, percent: number): boolean => sum * 100n <= whole * BigInt(percent);
  const allowed =
    parts <= reserve &&
    within(parts, settings.get('compliance.hold_order_percent')) &&
    [...shares].every(([key, percent]) => within((held.get(key) ?? 0n) + parts, percent));
  if (allowed) await takeHold(tx, orderId, parts, [...shares.keys()].sort());
  return allowed;
}

/** Ends orders' being unpaid: holds are freed, and whoever let three expire in 24 hours gets short locks. */
export async function endUnpaid(tx: Tx, ended: Ended): Promise<void> {
  const all = [...ended.paid, ...ended.expired, ...ended.cancelled];
  if (all.length === 0) return;
  await endUnpaidUses(tx, ended);
  if (ended.expired.length > 0) {
    await shortenLocks(tx, ended.expired, {
      expiries: settings.get('compliance.short_lock_expiries'),
      since: new Date(tx.now.getTime() - DAY_SECONDS * 1_000),
      until: new Date(tx.now.getTime() + settings.get('compliance.short_lock_days') * DAY_SECONDS * 1_000),
    });
  }
  await freeHolds(tx, all);
}
