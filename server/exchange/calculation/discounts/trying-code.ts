// Limits guesses of coupon codes. Only wrong codes are counted, after the look-up, so right codes need no query of counters. Each
// account or network may have only a few look-ups in progress, so that parallel guesses can't exceed the limit.

import { Problem } from '@kurs/contract';
import { couponTries } from '../../../coupons/index.ts';
import { type Context, type Counted, monotonicMs, networkOf } from '../../../platform/index.ts';

/** The caller who tries a code, with their limits. */
export type Trying = Pick<Context, 'user' | 'ip' | 'deviceKey' | 'limit' | 'limitDevice' | 'limitNetwork'>;

/** A counter of wrong codes, by its name. */
interface Counter {
  readonly name: string;
  readonly take: () => Promise<Counted>;
  /** The caller's wrong codes are added to this counter, but a full counter doesn't refuse this caller. */
  readonly isForOthers?: true;
}

const HOUR = 3_600;
const BATCH_SIZE = 5;
const MAX_KNOWN = 10_000;

/**
 * This process's state of tries: look-ups in progress by counter, callers that wait for their turn, and full counters with the
 * time at which each opens again.
 */
class Tries {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #full = new Map<string, { readonly until: number; readonly max: number }>();

  /** Waits until fewer than `BATCH_SIZE` look-ups are in progress for the counter `name`. Returns the function that ends this look-up. */
  async turn(name: string): Promise<() => void> {
    while ((this.#running.get(name) ?? 0) >= BATCH_SIZE)
      await new Promise<void>((resolve) => this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), resolve]));
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    return () => {
      const left = (this.#running.get(name) ?? 1) - 1;
      if (left === 0) this.#running.delete(name);
      else this.#running.set(name, left);
      const [next, ...others] = this.#waiting.get(name) ?? [];
      if (others.length === 0) this.#waiting.delete(name);
      else this.#waiting.set(name, others);
      next?.();
    };
  }

  /** Throws `rate_limited` while a counter is known to be full. */
  refuse({ name }: Counter): void {
    const known = this.#full.get(name);
    if (!known) return;
    const left = known.until - monotonicMs();
    if (left > 0) throw new Problem('rate_limited', { retryAfter: Math.ceil(left / 1_000), max: known.max });
    this.#full.delete(name);
  }

  /**
   * Counts a wrong code. If the counter is full, remembers that and throws `rate_limited`, except for a counter that is only for
   * others.
   */
  async count({ name, take, isForOthers }: Counter): Promise<void> {
    try {
      await take();
    } catch (error) {
      if (error instanceof Problem && error.code === 'rate_limited') {
        if (this.#full.size >= MAX_KNOWN) this.#full.clear();
        const { retryAfter = HOUR, max = 1 } = error.details;
        this.#full.set(name, { until: monotonicMs() + retryAfter * 1_000, max });
      }
      const isFull = error instanceof Problem && error.code === 'rate_limited';
      if (!(isForOthers && isFull)) throw error;
    }
  }
}

/** Runs `work`, which looks up a coupon code, within the limits. Without a code there is no limit. */
export type TryingCode = <T>(context: Trying, code: string | undefined, work: () => Promise<T>) => Promise<T>;

/**
 * Returns the guard for look-ups of coupon codes. After too many wrong codes in an hour, the guard refuses all codes, even right
 * ones. The guard throws the errors of `work`, and `rate_limited`.
 *
 * A visitor's wrong codes are counted for the device and for the visitors of the network. An account holder's are counted for the
 * account and for the accounts of the network, so that visitors can't use up the holders' limit. A holder's wrong codes are also
 * counted for the visitors of the network.
 */
export function openTrying(): TryingCode {
  const tries = new Tries();
  return async (context, code, work) => {
    if (code === undefined) return work();
    const counters = countersOf(context);
    const end = await tries.turn(counters.at(-1)?.name ?? '');
    try {
      for (const one of counters) if (!one.isForOthers) tries.refuse(one);
      return await work();
    } catch (error) {
      if (error instanceof Problem && error.code === 'coupon_unknown') for (const one of counters) await tries.count(one);
      throw error;
    } finally {
      end();
    }
  };
}

/**
 * Returns the counters of a caller's wrong codes, the widest last. The device key is only computed for visitors, because it takes
 * a hash.
 */
function countersOf(trying: Trying): readonly Counter[] {
  const { user, ip, limit, limitDevice, limitNetwork } = trying;
  const { device, network } = couponTries();
  const own = { max: device, seconds: HOUR };
  const shared = { max: network, seconds: HOUR };
  const visitors = { name: `network ${networkOf(ip)}`, take: () => limitNetwork('coupon', shared) };
  if (!user) return [{ name: `device ${trying.deviceKey}`, take: () => limitDevice('coupon', own) }, visitors];
  return [
    { name: `account ${user.id}`, take: () => limit(`coupon of account ${user.id}`, own) },
    { ...visitors, isForOthers: true },
    { name: `accounts of ${networkOf(ip)}`, take: () => limitNetwork('coupon of accounts', shared) },
  ];
}
