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

/** An owner that is to be unpaid, and whose it is. */
export interface Beginning {
  readonly owner: Owner;
  readonly subject: Subject;
}

/** Owners that may be unpaid. */
export interface Begun {
  /** For each the minutes for which its rate is locked, or what is in its way. */
  readonly minutes: readonly (number | Problem)[];
  /** Records those, of the ones without a problem, that `isKept` names by their places. */
  record(isKept: (place: number) => boolean): void;
}

/**
 * Asks whether owners may be unpaid: refused with `too_many_unpaid_orders` for a customer with 2 open or 6 left unpaid in 24
 * hours, or a network with 10 open; each counts for those after it that share a key with it. Locks the customers' keys, and
 * records nothing yet.
 */
export async function tryUnpaid(tx: Tx, all: readonly Beginning[]): Promise<Begun> {
  const asked = all.map(({ owner, subject }) => {
    const [keys, network] = [customerKeys(subject), networkKey(subject)];
    return { owner, subject, keys, network, all: network === undefined ? keys : [...keys, network].sort() };
  });
  // In this order: all else is read once the keys are locked.
  const [, counts, short] = await Promise.all([
    lockKeys(tx, [...new Set(asked.flatMap((one) => one.all))].sort()),
    countUnpaid(tx, asked, new Date(tx.now.getTime() - DAY_SECONDS * 1_000)),
    shortLocked(
      tx,
      asked.flatMap(({ keys }) => keys),
    ),
  ]);
  const passed: (typeof asked)[number][] = [];
  const minutes: (number | Problem)[] = [];
  for (const [at, one] of asked.entries()) {
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
    record(isKept) {
      const kept = asked.filter((_, at) => !(minutes[at] instanceof Problem) && isKept(at));
      writeUnpaid(
        tx,
        kept.map(({ owner, all: keys }) => ({ owner, keys })),
      );
    },
  };
}

/** What is in the way of one more that is unpaid. An open one ends with its lock at the latest; those of a day grow fewer. */
async function problemOf(tx: Tx, { partner }: Subject, { open, day, openInNetwork }: Unpaid): Promise<Problem | undefined> {
  const lockSeconds = settings.get('compliance.lock_minutes') * 60;
  const tooMany = (most: number, retryAfter: number): Problem => new Problem('too_many_unpaid_orders', { most, retryAfter });
  const most = settings.get('compliance.unpaid_open');
  if (open >= most) return tooMany(most, lockSeconds);
  const mostInNetwork = partner?.mostOpen ?? settings.get('compliance.unpaid_open_network');
  if (openInNetwork >= mostInNetwork) return tooMany(mostInNetwork, lockSeconds);
  if (partner && (await areManyExpired(tx, partner))) return new Problem('partner_suspended');
  const mostOfDay = settings.get('compliance.unpaid_day');
  return day >= mostOfDay ? tooMany(mostOfDay, HOUR_SECONDS) : undefined;
}

/** Minutes for which a rate is usually locked; `tryUnpaid` says it of one owner. */
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
