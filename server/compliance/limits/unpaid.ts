import { Problem } from '@kurs/contract';
import type { Owner, Tx } from '../../platform/index.ts';
import { lockKeys } from './keys.ts';
import { areManyExpired } from './partners.ts';
import { settings } from '../settings.ts';
import { type Subject, customerKeys, networkKey } from '../customers/subject.ts';
import {
  type Ended,
  NOTHING,
  type Unpaid,
  countUnpaid,
  endUnpaidUses,
  shortLocked,
  shortenLocks,
  writeUnpaid,
} from './unpaid-store.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** A new unpaid owner and its customer. */
export interface Beginning {
  readonly owner: Owner;
  readonly subject: Subject;
}

/** Result of checking new unpaid owners. */
export interface Begun {
  /** For each owner, the minutes for which its rate is locked, or the problem that stops the owner. */
  readonly minutes: readonly (number | Problem)[];
  /** Stores the owners that have no problem and for which `isRecorded` returns true. `place`: the owner's index. */
  record(isRecorded: (place: number) => boolean): void;
}

/**
 * Checks if new owners may be unpaid. By default, refuses with `too_many_unpaid_orders` a customer with 2 open orders or 6 left
 * unpaid in 24 hours, and a network with 10 open orders. Each allowed owner is included when later owners that share a key are
 * checked. Locks the customers' keys. Stores nothing until `record` is called.
 */
export async function tryUnpaid(tx: Tx, all: readonly Beginning[]): Promise<Begun> {
  const requests = all.map(({ owner, subject }) => {
    const [keys, network] = [customerKeys(subject), networkKey(subject)];
    return { owner, subject, keys, network, all: network === undefined ? keys : [...keys, network].sort() };
  });
  // The sequence matters: all other data must be read after the keys are locked.
  const [, counts, short] = await Promise.all([
    lockKeys(tx, [...new Set(requests.flatMap((one) => one.all))].sort()),
    countUnpaid(tx, requests, new Date(tx.now.getTime() - DAY_SECONDS * 1_000)),
    shortLocked(
      tx,
      requests.flatMap(({ keys }) => keys),
    ),
  ]);
  const passed: (typeof requests)[number][] = [];
  const minutes: (number | Problem)[] = [];
  for (const [at, one] of requests.entries()) {
    const sharing = passed.filter(({ keys }) => keys.some((key) => one.keys.includes(key))).length;
    const inNetwork = passed.filter(({ network }) => network !== undefined && network === one.network).length;
    const { open, day, openInNetwork } = counts[at] ?? NOTHING;
    const problem = await problemOf(tx, one.subject, {
      open: open + sharing,
      day: day + sharing,
      openInNetwork: openInNetwork + inNetwork,
    });
    if (!problem) passed.push(one);
    const isShort = one.keys.some((key) => short.has(key));
    minutes.push(problem ?? settings.get(isShort ? 'compliance.short_lock_minutes' : 'compliance.lock_minutes'));
  }
  return {
    minutes,
    record(isRecorded) {
      const counted = requests.filter((_, at) => !(minutes[at] instanceof Problem) && isRecorded(at));
      writeUnpaid(
        tx,
        counted.map(({ owner, all: keys }) => ({ owner, keys })),
      );
    },
  };
}

/**
 * Returns the problem that stops one more unpaid owner. `retryAfter`: the lock's length if there are too many open orders, an
 * hour if too many were left unpaid in 24 hours.
 */
async function problemOf(tx: Tx, { partner }: Subject, { open, day, openInNetwork }: Unpaid): Promise<Problem | undefined> {
  const lockSeconds = settings.get('compliance.lock_minutes') * 60;
  const tooMany = (max: number, retryAfter: number): Problem => new Problem('too_many_unpaid_orders', { max, retryAfter });
  const maximum = settings.get('compliance.unpaid_open');
  if (open >= maximum) return tooMany(maximum, lockSeconds);
  const maxInNetwork = partner?.maxOpen ?? settings.get('compliance.unpaid_open_network');
  if (openInNetwork >= maxInNetwork) return tooMany(maxInNetwork, lockSeconds);
  if (partner && (await areManyExpired(tx, partner))) return new Problem('partner_suspended');
  const maxOfDay = settings.get('compliance.unpaid_day');
  return day >= maxOfDay ? tooMany(maxOfDay, HOUR_SECONDS) : undefined;
}

/** Returns the minutes for which a rate is usually locked. `tryUnpaid` returns the minutes for a particular owner. */
export function lockMinutes(): number {
  return settings.get('compliance.lock_minutes');
}

/**
 * Ends the unpaid status of owners. If too many orders of a customer expired in 24 hours, the customer's next orders get a
 * shorter rate lock.
 */
export async function endUnpaid(tx: Tx, ended: Ended): Promise<void> {
  await endUnpaidUses(tx, ended);
  if (ended.expired.length === 0) return;
  await shortenLocks(tx, ended.expired, {
    expiries: settings.get('compliance.short_lock_expiries'),
    since: new Date(tx.now.getTime() - DAY_SECONDS * 1_000),
    until: new Date(tx.now.getTime() + settings.get('compliance.short_lock_days') * DAY_SECONDS * 1_000),
  });
}
