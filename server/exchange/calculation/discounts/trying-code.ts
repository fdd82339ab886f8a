// Limits guesses of coupon codes. A code is looked up first and counted only if it was wrong, so right codes cost no counter
// query. Only a few codes per account or network are looked up at once, so that parallel guesses can't exceed the limit.

import { Problem } from '@kurs/contract';
import { couponTries } from '../../../coupons/index.ts';
import { type Context, type Counted, monotonicMs, networkOf } from '../../../platform/index.ts';

/** The caller who tries a code, with their limits. */
export type Trying = Pick<Context, 'user' | 'ip' | 'deviceKey' | 'limit' | 'limitDevice' | 'limitNetwork'>;

/** A counter of wrong codes. */
interface Counter {
  readonly name: string;
  readonly take: () => Promise<Counted>;
  /** The caller adds to this counter but is not refused by it. */
  readonly isForOthers?: true;
}

const HOUR = 3_600;
const BATCH_SIZE = 5;
const MAX_KNOWN = 10_000;

/**
 * This process's state of tries: lookups running per counter, callers waiting for their turn, and counters known to be full with
 * the time they open again.
 */
class Tries {
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #full = new Map<string, { readonly until: number; readonly max: number }>();

  /** Waits for a turn under a name; returns the function that ends the turn. */
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

  /** Counts a wrong code. Throws `rate_limited`, and remembers it, if there were too many. */
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

/** Runs `work`, which looks up a code, within the limits; without a code there are none. */
export type TryingCode = <T>(context: Trying, code: string | undefined, work: () => Promise<T>) => Promise<T>;

/**
 * Returns the guard for lookups of codes. After a number of wrong codes an hour no code is answered, right ones included. A
 * visitor's wrong codes count for device and network. An account holder's count for the account and for all accounts of its
 * network, so that visitors can't use up that limit. They also count for the network's visitors. The guard throws what `work`
 * throws, and `rate_limited`.
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

/** Returns the counters of a wrong code, the widest last. The device key is only computed where it counts: it costs a hash. */
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
