import { Problem } from '@kurs/contract';
import type { Owner, Tx } from '../../platform/index.ts';
import { lockKeys } from './keys.ts';
import { requireFewExpired } from './partners.ts';
import { settings } from '../settings.ts';
import { type Subject, customerKeys, networkKey } from '../customers/subject.ts';
import { type Ended, countUnpaid, endUnpaidUses, isShortLocked, shortenLocks, writeUnpaid } from './unpaid-store.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Records an owner as unpaid, and gives the minutes for which its rate is locked. Throws `too_many_unpaid_orders` for a
 * customer with 2 open or 6 left unpaid in 24 hours, or a network with 10 open. Locks the customer's keys.
 */
export async function beginUnpaid(tx: Tx, owner: Owner, subject: Subject): Promise<number> {
  const keys = customerKeys(subject);
  const network = networkKey(subject);
  const all = network === undefined ? keys : [...keys, network].sort();
  // In this order: all else is read once the keys are locked.
  const [, counts, isShort] = await Promise.all([
    lockKeys(tx, all),
    countUnpaid(tx, keys, network, new Date(tx.now.getTime() - DAY_SECONDS * 1_000)),
    isShortLocked(tx, keys),
  ]);
  // An open one ends with its lock at the latest; those of a day grow fewer by and by.
  bound(counts.open, settings.get('compliance.unpaid_open'), settings.get('compliance.lock_minutes') * 60);
  const mostInNetwork = subject.partner?.mostOpen ?? settings.get('compliance.unpaid_open_network');
  bound(counts.openInNetwork, mostInNetwork, settings.get('compliance.lock_minutes') * 60);
  if (subject.partner) await requireFewExpired(tx, subject.partner);
  bound(counts.day, settings.get('compliance.unpaid_day'), HOUR_SECONDS);
  writeUnpaid(tx, owner, all);
  return settings.get(isShort ? 'compliance.short_lock_minutes' : 'compliance.lock_minutes');
}

function bound(count: number, most: number, retryAfter: number): void {
  if (count >= most) throw new Problem('too_many_unpaid_orders', { most, retryAfter });
}

/** Minutes for which a rate is usually locked; `beginUnpaid` says it of one owner. */
export function lockMinutes(): number {
  return settings.get('compliance.lock_minutes');
}

/** Ends what is unpaid; somebody under whose keys three expired in 24 hours gets short locks. */
export async function endUnpaid(tx: Tx, ended: Ended): Promise<void> {
  await endUnpaidUses(tx, ended);
  if (ended.expired.length === 0) return;
  await shortenLocks(tx, ended.expired, {
    expiries: settings.get('compliance.short_lock_expiries'),
    since: new Date(tx.now.getTime() - DAY_SECONDS * 1_000),
    until: new Date(tx.now.getTime() + settings.get('compliance.short_lock_days') * DAY_SECONDS * 1_000),
  });
}
